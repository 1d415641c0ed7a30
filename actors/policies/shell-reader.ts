/** What the readers of shell text share: the text, where they are in it, and what they have found. */

export interface Word {
  /** Without quotes; expansions stay as they are written. */
  readonly text: string;
  /** Part of it is known only when it runs: `$name`, `$(…)`, backticks. */
  readonly computed: boolean;
  /** Part of it is the output of another command. */
  readonly substituted: boolean;
  /** Holds an unquoted wildcard or a brace list. */
  readonly pattern: boolean;
  readonly quoted: boolean;
}

export interface Redirect {
  /** `>`, `>>`, `>|`, `&>`, `<`, `<<<` … without the number of the descriptor. */
  readonly operator: string;
  readonly target: Word;
}

export type WordDraft = {-readonly [K in keyof Word]: Word[K]};

export interface CommandDraft {
  words: Word[];
  redirects: Redirect[];
  input: string | undefined;
  piped: boolean;
  background: boolean;
}

export interface Found {
  readonly commands: CommandDraft[];
  readonly functions: string[];
  problem: string | undefined;
}

export interface Reader {
  readonly text: string;
  at: number;
  depth: number;
  readonly found: Found;
  readonly heredocs: Heredoc[];
  /** Reads commands up to the parenthesis that closes them, or to the end of the text. */
  readonly readList: (reader: Reader, inGroup: boolean, piped: boolean) => void;
}

interface Heredoc {
  readonly command: CommandDraft;
  readonly delimiter: Word;
  readonly stripTabs: boolean;
}

const maxDepth = 25;

/** Goes one level deeper, unless that is too deep to be honest. */
export function enter(reader: Reader): void {
  reader.depth += 1;
  if (reader.depth > maxDepth) stop(reader, `is nested more than ${maxDepth} levels deep`);
}

/** Reads a list of commands one level deeper. */
export function readNested(reader: Reader, inGroup: boolean, piped: boolean): void {
  enter(reader);
  reader.readList(reader, inGroup, piped);
  reader.depth -= 1;
}

/** Gives up: the first problem counts, the rest of the text is not read. */
export function stop(reader: Reader, problem: string): void {
  reader.found.problem ??= problem;
  reader.at = reader.text.length;
}
