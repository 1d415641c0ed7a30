/** Declared facts about the effects of a tool: policies, evidence and screens judge these facts, never a tool's name. */

import type {SpawnableForm} from './interaction-form.ts';
import type {JsonObject} from './json.ts';
import {argvOf, commandText, type ProgramFact} from './program.ts';
import {lineOf} from './text-limits.ts';

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
