/** The charts' view of a tool: its name, risk, repeatability and declared effects. Implementations are in tools/. */

import {isCredentialPlace} from '../places/places.ts';
import type {AllowRule} from './allow-rule.ts';
import {hashOf} from './digest.ts';
import type {Failure} from './failure.ts';
import type {SpawnableForm} from './interaction-form.ts';
import type {JsonObject} from './json.ts';
import {didYouMean, nearestOf} from './nearest.ts';
import type {Change} from './patch.ts';
import {argvOf, commandText, type ProgramFact} from './program/program.ts';
import {lineOf} from './text-limits.ts';

/**
 * How an effect with an unknown outcome may be performed again: `repeatable` at once; `checkable` after a check
 * whether it happened; `once` only after a person's decision.
 */
export type Repeatability = 'repeatable' | 'checkable' | 'once';

export type RiskLevel = 'low' | 'high';

/** A tool's entry in the catalogue that a run is opened with. */
export interface ToolInfo extends ToolFacts {
  readonly name: string;
  readonly risk: RiskLevel;
  readonly repeatability: Repeatability;
  readonly timeoutMs: number;
}

/** The risk of one call: reading a file that may hold credentials is high-risk with every tool. */
export function riskOf(tool: ToolInfo, args: JsonObject): RiskLevel {
  return textsAt(args, tool.reads).some(isCredentialPlace) ? 'high' : tool.risk;
}

export interface ToolRequest {
  readonly tool: string;
  readonly args: JsonObject;
  readonly workspace: string;
  readonly repeatability: Repeatability;
  /** The tool's own time limit. */
  readonly timeoutMs?: number;
  /** The basis of its preview: SHA-256 of the file that a write replaces, or 'absent'; or of the scripts that a command runs. */
  readonly basedOn?: string;
  /** SHA-256 of the file that a write leaves, from its preview. */
  readonly becomes?: string;
  /** For a high-risk call: the {@link callHash} that was approved. The runner refuses a call without it. */
  readonly approval?: string;
  /** A person allowed it: its changes to protected places that it names are kept. */
  readonly allowedBy?: 'person';
  /** A person typed the call, so its result is worded for a person. */
  readonly isTyped?: true;
  /** For a tool that finds tools: the names of all tools that are offered with it. */
  readonly among?: readonly string[];
}

const argumentFaults: ReadonlySet<string> = new Set([
  'not_found',
  'too_large',
  'binary',
  'regex_timeout',
  'http_status',
  'redirects',
  'encoding',
  'dns',
  'child_failed',
]);

/**
 * True if a failure is due to the call's arguments, or to the interaction that it spawned: a repeat would change nothing,
 * but the model may continue in another way.
 */
export function isArgumentFault({code}: Failure): boolean {
  return argumentFaults.has(code);
}

/** The hash that an approval covers: exactly this tool with exactly these arguments. */
export function callHash(tool: string, args: JsonObject): string {
  return hashOf({tool, args});
}

/** More names than these are not listed. */
const maxNames = 40;
const nearNames = 8;

/** Names the tool that was probably meant, and the existing tools; of many, the nearest. */
export function unknownTool(name: string, offered: readonly string[]): string {
  return `there is no tool ${JSON.stringify(name.slice(0, 80))}${didYouMean(name, offered)}; ${thereIs(name, offered)}`;
}

function thereIs(name: string, offered: readonly string[]): string {
  if (offered.length === 0) return 'there are no tools';
  if (offered.length <= maxNames) return `there is ${offered.join(', ')}`;
  return `there are ${offered.length} tools, such as ${nearestOf(name, offered, nearNames).join(', ')}`;
}

/** The place of a text that was read, for citing it. */
export interface Source {
  /** `docs/a.md:3-9`, a URL, a database. */
  readonly place: string;
  /** Verbatim: a passage, or the query. */
  readonly quote?: string;
}

/** The confinement of a command. `none`: it can write outside the workspace and reach the network. */
export type Confinement = 'bubblewrap' | 'landlock' | 'seatbelt' | 'none';

const confining: ReadonlySet<string | undefined> = new Set(['bubblewrap', 'landlock', 'seatbelt']);

/** False for an unknown word: a record may be of another version. */
export function isConfining(confinement: Confinement | undefined): boolean {
  return confining.has(confinement);
}

export type CheckKind = 'tests' | 'build' | 'lint' | 'types';

/** A check of the work that a command has run. */
export interface CheckRun {
  readonly kind: CheckKind;
  /** `unknown`: the exit code of the command is not that of the check, as in `npm test | tail`. */
  readonly status: 'passed' | 'failed' | 'unknown';
}

/** Facts about a command that has run, with any outcome. */
export interface CommandRecord {
  readonly confinement?: Confinement;
  /** Files created or changed, relative to the workspace. Absent: the files that its arguments name, if the tool declares them. */
  readonly written?: readonly string[];
  /** Of files created, changed and removed. */
  readonly changes?: readonly Change[];
  /** Absent: none. */
  readonly checks?: readonly CheckRun[];
}

export type ToolOutcome =
  | ({
      readonly kind: 'succeeded';
      readonly text: string;
      readonly sources?: readonly Source[];
      /** For a search: more than half of the files were not searched. */
      readonly missedMost?: true;
      /** A command's exit code. */
      readonly exitCode?: number;
      /** Names of tools that it found: models receive their definitions from the next turn on. */
      readonly found?: readonly string[];
    } & CommandRecord)
  | ({
      /** The tool ran and failed, or could not run; the message is for the model. */
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** Its output before it failed. */
      readonly text?: string;
      readonly exitCode?: number;
      /** A transient fault: the same call may succeed if repeated. */
      readonly retryable?: boolean;
    } & CommandRecord)
  /** Bad arguments or a refused path: nothing was touched. */
  | {readonly kind: 'refused'; readonly code: string; readonly message: string}
  /** Started before a crash, outcome unknown. */
  | {readonly kind: 'inDoubt'; readonly message: string}
  | ({
      readonly kind: 'cancelled';
      readonly message: string;
      /** Its output before it was cancelled. */
      readonly text?: string;
    } & CommandRecord);

export interface PreviewRequest {
  readonly tool: string;
  readonly args: JsonObject;
  readonly workspace: string;
  /** The person's request. Absent: unknown. */
  readonly request?: string;
  /** Files that the run has written, as its calls named them. Absent: none. */
  readonly written?: readonly string[];
  /** Calls of the same proposal that run before it: the preview shows what is left after them, as far as that is known. Absent: none. */
  readonly earlier?: readonly EarlierCall[];
}

/** A call that has not run yet. */
export interface EarlierCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The preview of a high-risk call, which reviewers see before it runs. */
export type PreviewOutcome =
  | {
      readonly kind: 'ready';
      /** Validated arguments: the panel votes on them, and the call runs with them. */
      readonly args: JsonObject;
      /** For a person and the panel: a unified diff, a command line. */
      readonly preview: string;
      /** Lines of the preview that the tool itself has established: they contain no text of others. */
      readonly facts?: readonly string[];
      /** As in {@link ToolRequest}. Absent: the preview depends on nothing that may change meanwhile. */
      readonly basedOn?: string;
      /** As in {@link ToolRequest}. Absent: a call that may have happened is recognized otherwise, or not at all. */
      readonly becomes?: string;
      /** Only for a command. */
      readonly confinement?: Confinement;
      /** For an unconfined command: addresses of other computers that no manifest of the project names. Absent: none. */
      readonly reaches?: readonly string[];
      /** Why only a person may allow it, e.g. a path under `.git/`. */
      readonly protectedReason?: string;
      /** The person's current rules for commands in the workspace. Absent: the rules at the start of the run. */
      readonly allow?: readonly AllowRule[];
    }
  | {readonly kind: 'refused'; readonly code: string; readonly message: string};

/** `ToolResult` of the spec: the result of one call, as kept in results and shown to models. */
export interface ToolResult extends CommandRecord {
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: 'succeeded' | 'failed' | 'refused' | 'rejected' | 'inDoubt';
  readonly text: string;
  readonly failure?: Failure;
  readonly exitCode?: number;
  /** The beginning and the end of the output of a command, or of the output of any tool before it failed. */
  readonly output?: string;
  readonly sources?: readonly Source[];
  /** From its outcome. */
  readonly missedMost?: true;
  /** From its outcome. */
  readonly found?: readonly string[];
  /** A person allowed it, instead of the panel or against its decision. */
  readonly allowedBy?: 'person';
}

/** A call in a loop: the model's thought before it, and its result. */
export interface LoopStep extends ToolResult {
  /** Empty for the second and further calls of one reply. */
  readonly thought: string;
}

// Declared facts about the effects of a tool: policies, evidence and screens judge these facts, never a tool's name.

/**
 * Plain JSON, in the catalogue that a run is opened with. Members name arguments; each is a text or a list of texts. An
 * absent member is interpreted as the more dangerous case.
 */
/** `Name`: the names of the tool's arguments. */
export interface ToolFacts<Name extends string = string> {
  /** How far the tool reaches. Absent: unknown, so possibly over the network. */
  readonly reaches?: 'nothing' | 'workspace' | 'network';
  /**
   * True if its result contains texts of others, such as files, pages and mail, instead of its own arguments. Absent:
   * true.
   */
  readonly quotes?: boolean;
  /** Arguments that name a file to read, or a folder whose files are read. */
  readonly reads?: readonly Name[];
  /** Arguments that name places, or patterns of places, whose content is not returned. */
  readonly lists?: readonly Name[];
  /** Arguments that name files with credentials; the call's code can open only the files named there. */
  readonly opens?: readonly Name[];
  /** Arguments that name files to write. The files exist when the call has succeeded. */
  readonly writes?: readonly Name[];
  /**
   * The argument with the text to write, or several; `edits.text` is a member of each item of a list. Absent: every text
   * argument that names no place may be written.
   */
  readonly puts?: Member<Name> | readonly Member<Name>[];
  /** The arguments with the passages that `puts` replaces. Absent: it replaces the whole file. */
  readonly replaces?: Member<Name> | readonly Member<Name>[];
  /** The argument with code to run, and the one with the folder to run it in. */
  readonly runs?: {
    readonly argument: Name;
    readonly language: 'shell' | 'sql';
    readonly folder?: Name;
  };
  /** The program that a call starts without a shell. Its words are judged as a shell command with the same words. */
  readonly program?: ProgramFact;
  /**
   * The form of the interaction that a call starts with the argument `request`. The call itself touches nothing:
   * the interaction has its own votes.
   */
  readonly spawns?: SpawnableForm;
  /** The call looks up tools: it receives the names of the tools that are offered with it. */
  readonly finds?: true;
  /** False when its sources merely matched: they support an answer only where it names them. */
  readonly cites?: boolean;
  /** One line that identifies a call: `{query} in {folder}`, with the call's arguments in the braces. */
  readonly summary?: string;
  /** The same for people, as a sentence without its subject: `searches for {query}`. Absent: `summary` is shown. */
  readonly does?: string;
}

/** An argument, or a member of the objects in it. */
type Member<Name extends string> = Name | `${Name}.${string}`;

type Args = Readonly<Record<string, unknown>>;

/** Only the facts, from a tool that may have more members. */
export function factsOf(tool: ToolFacts): ToolFacts {
  const {reaches, quotes, runs, program, spawns, finds, cites, summary, does} = tool;
  return {
    ...(reaches === undefined ? {} : {reaches}),
    ...(quotes === undefined ? {} : {quotes}),
    ...placeFacts(tool),
    ...(runs ? {runs} : {}),
    ...(program ? {program} : {}),
    ...(spawns ? {spawns} : {}),
    ...(finds ? {finds} : {}),
    ...(cites === undefined ? {} : {cites}),
    ...(summary === undefined ? {} : {summary}),
    ...(does === undefined ? {} : {does}),
  };
}

function placeFacts({reads, lists, opens, writes, puts, replaces}: ToolFacts): ToolFacts {
  return {
    ...(reads ? {reads} : {}),
    ...(lists ? {lists} : {}),
    ...(opens ? {opens} : {}),
    ...(writes ? {writes} : {}),
    ...(puts === undefined ? {} : {puts}),
    ...(replaces === undefined ? {} : {replaces}),
  };
}

/** True if the tool declares its effects. Without `reaches`, its other facts are not reliable. */
export function isStated<Facts extends ToolFacts>(
  facts: Facts | undefined,
): facts is Facts & Required<Pick<ToolFacts, 'reaches'>> {
  return facts?.reaches !== undefined;
}

export function reachesNetwork(facts: ToolFacts | undefined): boolean {
  return (facts?.reaches ?? 'network') === 'network';
}

/** The texts of the named arguments, without empty ones. */
export function textsAt(args: Args, names: string | readonly string[] = []): string[] {
  return passagesAt(args, names).filter((text) => text !== '');
}

/** The texts of the named arguments, or of members of the objects in them, with empty ones. */
export function passagesAt(args: Args, names: string | readonly string[] = []): string[] {
  return [names].flat().flatMap((name) => {
    const path = Object.hasOwn(args, name) ? [name] : name.split('.');
    return membersAt(args, path).filter((value) => typeof value === 'string');
  });
}

function membersAt(value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path;
  const values = [value].flat();
  if (name === undefined) return values;
  return values.flatMap((each) =>
    typeof each === 'object' && each !== null && Object.hasOwn(each, name)
      ? membersAt(Reflect.get(each, name), rest)
      : [],
  );
}

/** The code that a call would run, if it is in this language. A program that it starts is a shell command of the same words. */
export function codeOf(
  {runs, program}: ToolFacts,
  args: Args,
  language: 'shell' | 'sql',
): string | undefined {
  if (language === 'shell' && program) return commandText(argvOf(program, args));
  return runs?.language === language ? textsAt(args, [runs.argument])[0] : undefined;
}

/** The argument with the folder in which a call runs its code, or that folder itself if it is fixed. Undefined: the workspace. */
export function folderOf({runs, program}: ToolFacts, args: Args): unknown {
  return program ? program.folder : args[runs?.folder ?? ''];
}

/** Usual names of the main argument, for tools without facts. */
const usualSubjects = ['path', 'command', 'pattern'];

/** A call in a few words, for screens and titles: `write_file README.md`, `run_command npm test`. */
export function callSummary(tool: string, args: JsonObject, facts: ToolFacts = {}): string {
  const {summary = ''} = facts;
  const filledSummary = fillTemplate(summary, args, (text) => text);
  const command = facts.program && codeOf(facts, args, 'shell');
  const [usualSubject] = textsAt(args, usualSubjects);
  const subject = [filledSummary.trim(), command, usualSubject].find(
    (text) => text !== undefined && text !== '',
  );
  return `${tool} ${subject ?? JSON.stringify(args)}`.trim();
}

/** A call as a sentence without its subject; undefined for a tool without `does`. */
export function callWords(args: JsonObject, {does}: ToolFacts = {}): string | undefined {
  return does === undefined ? undefined : fillTemplate(does, args, readableText);
}

function fillTemplate(template: string, args: Args, show: (text: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    textsAt(args, [name]).map(show).join(' '),
  );
}

/** In bytes, of the words of a pattern. */
const maxPatternWords = 40;

/** Names the words of a regular expression, which most people can't read, unless it is a word between boundaries. */
function readableText(text: string): string {
  const word = text.replaceAll('\\b', '');
  if (!/\\[A-Za-z]|\(\?/.test(word)) return word;
  const words = patternWords(word);
  return words === '' ? 'a pattern' : `a pattern with ${words}`;
}

/** The literal words of a regular expression, without case, control characters and repetitions: `def, class, cart`. */
function patternWords(pattern: string): string {
  const literal = pattern.replaceAll(/\\.|\[[^\]]*\]|\(\?(?:<\w+>|<?[=!]|:)?/gs, ' ');
  const words = literal.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const distinct = new Map(words.toReversed().map((word) => [word.toLowerCase(), word]));
  return lineOf([...distinct.values()].toReversed().join(', '), maxPatternWords);
}
