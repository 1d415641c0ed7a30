/** What a tool touches, as data: policies, evidence and screens judge these facts, never a tool's name. */

import type {SpawnableForm} from './interaction-form.ts';
import type {JsonObject} from './json.ts';

/**
 * Plain JSON, in the catalogue that a run is opened with. Arguments are named; each is a text or a list of texts. What
 * is absent was not said, and is read as whatever is more dangerous.
 */
export interface ToolFacts {
  /** How far the tool reaches. Absent: nobody knows, so perhaps over the network. */
  readonly reaches?: 'nothing' | 'workspace' | 'network';
  /**
   * Whether its text is what others wrote, such as files, pages and mail, and not what its arguments say. Absent: it
   * is.
   */
  readonly quotes?: boolean;
  /** Arguments that name a file to read, or a folder whose files are read. */
  readonly reads?: readonly string[];
  /** Arguments that name places, or patterns of places, whose content is not told. */
  readonly lists?: readonly string[];
  /** Arguments that name files with credentials, which are closed to the call's code unless they are named there. */
  readonly opens?: readonly string[];
  /** Arguments that name files to write. They are there when the call has succeeded. */
  readonly writes?: readonly string[];
  /** The argument that holds what is written. Absent: any text that names no place may be. */
  readonly puts?: string;
  /** The argument that holds the passage which gives way to `puts`. Absent: the whole file gives way. */
  readonly replaces?: string;
  /** The argument that holds code to run, and the one that names the folder to run it in. */
  readonly runs?: {
    readonly argument: string;
    readonly language: 'shell' | 'sql';
    readonly folder?: string;
  };
  /**
   * The form of the interaction that a call begins, with `request` as what it is asked. The call itself touches nothing:
   * what is done there is voted on there.
   */
  readonly spawns?: SpawnableForm;
  /** False when its sources merely matched: they stand for an answer only where it names them. */
  readonly cites?: boolean;
  /** One line that tells a call apart: `{query} in {folder}`, with the call's arguments in the braces. */
  readonly summary?: string;
  /** The same for people, as a sentence without its subject: `searches for {query}`. Absent: they read the summary. */
  readonly does?: string;
}

type Args = Readonly<Record<string, unknown>>;

/** Only the facts, of a tool that may be more. */
export function factsOf(tool: ToolFacts): ToolFacts {
  const {reaches, quotes, runs, spawns, cites, summary, does} = tool;
  return {
    ...(reaches === undefined ? {} : {reaches}),
    ...(quotes === undefined ? {} : {quotes}),
    ...placesOf(tool),
    ...(runs ? {runs} : {}),
    ...(spawns ? {spawns} : {}),
    ...(cites === undefined ? {} : {cites}),
    ...(summary === undefined ? {} : {summary}),
    ...(does === undefined ? {} : {does}),
  };
}

function placesOf({reads, lists, opens, writes, puts, replaces}: ToolFacts): ToolFacts {
  return {
    ...(reads ? {reads} : {}),
    ...(lists ? {lists} : {}),
    ...(opens ? {opens} : {}),
    ...(writes ? {writes} : {}),
    ...(puts === undefined ? {} : {puts}),
    ...(replaces === undefined ? {} : {replaces}),
  };
}

/** Whether the tool says what it touches. One that does not say how far it reaches has said nothing that holds. */
export function isStated<Facts extends ToolFacts>(
  facts: Facts | undefined,
): facts is Facts & Required<Pick<ToolFacts, 'reaches'>> {
  return facts?.reaches !== undefined;
}

export function reachesNetwork(facts: ToolFacts | undefined): boolean {
  return (facts?.reaches ?? 'network') === 'network';
}

/** The texts of the named arguments. Empty ones name nothing. */
export function textsAt(args: Args, names: readonly string[] = []): string[] {
  return names
    .flatMap((name): unknown[] => [args[name]].flat())
    .filter((value) => typeof value === 'string')
    .filter((text) => text !== '');
}

/** The code that a call would run, if it runs any of this language. */
export function codeOf(
  {runs}: ToolFacts,
  args: Args,
  language: 'shell' | 'sql',
): string | undefined {
  return runs?.language === language ? textsAt(args, [runs.argument])[0] : undefined;
}

/** What tools that say nothing usually call the one argument that matters. */
const usualSubjects = ['path', 'command', 'pattern'];

/** A call in a few words, for screens and titles: `write_file README.md`, `run_command npm test`. */
export function callSummary(tool: string, args: JsonObject, facts: ToolFacts = {}): string {
  const {summary = ''} = facts;
  const told = filled(summary, args, (text) => text);
  const [usual] = textsAt(args, usualSubjects);
  const subject = [told.trim(), usual].find((text) => text !== undefined && text !== '');
  return `${tool} ${subject ?? JSON.stringify(args)}`.trim();
}

/** What a call does, in words; absent of a tool that does not say so. */
export function callWords(args: JsonObject, {does}: ToolFacts = {}): string | undefined {
  return does === undefined ? undefined : filled(does, args, readable);
}

function filled(template: string, args: Args, show: (text: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    textsAt(args, [name]).map(show).join(' '),
  );
}

/** A regular expression means nothing to most people, unless it is a word between boundaries. */
function readable(text: string): string {
  const word = text.replaceAll('\\b', '');
  return /\\[A-Za-z]|\(\?/.test(word) ? 'a pattern' : word;
}
