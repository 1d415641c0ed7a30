/** What a command is: its words, its options and its help as data, and what it does. */

import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import type {Texts} from '../language.ts';
import type {Level} from '../render/screen.ts';
import type {Terminal} from '../terminal.ts';
import type {Option, Override, Subject, Values} from './option.ts';

export type OutputFormat = 'text' | 'json' | 'jsonl';

/** A command module is imported when its help or its name is wanted, so it imports what is heavy only in `run`. */
export interface Command {
  readonly operands?: Operands;
  /** One line of `quorate help`. */
  readonly summary: Texts;
  /** What `quorate help NAME` says below the usage; absent: the summary. */
  readonly detail?: Texts;
  /** Its own options, which stand after its name. */
  readonly options?: readonly Option[];
  /** The global options that it obeys, beside `-C`, `-q` and `-v`. It refuses the others. */
  readonly obeys: readonly Subject[];
  /** Of `-m ROLE=MODEL`. Absent: every role. */
  readonly roles?: readonly string[];
  /** Command lines that work as they stand. */
  readonly examples?: readonly string[];
  /** The form of the result that it ends with on stdout, where a failure is told, too, if JSON is wanted. Absent: none. */
  readonly endsWithResult?: InteractionForm;
  /** Resolves with the exit code. Rejects with AppError `usage` for words or flags that it does not take, and others. */
  readonly run: (parsed: Parsed, terminal: Terminal) => Promise<number>;
}

export interface Operands {
  /** As the help shows them: `ID`, `[TOPIC]`, `QUESTION…`. */
  readonly usage: string;
  /** As a sentence names them: `the ID of a run`. */
  readonly what: Texts;
  /** For the completion of shells. Absent: anything. */
  readonly values?: Values;
  readonly least: number;
  readonly most: number;
}

/** What the command line says to every command. */
export interface Globals {
  /** `-C`: the folder to work in. */
  readonly cwd?: string;
  /** `--log`: the file that the log goes to. */
  readonly log?: string;
  readonly output: OutputFormat;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** What the flags say about the configuration. */
  readonly overrides: readonly Override[];
}

/** The values of each option that was given, by its name. A switch has an empty one. */
export type Flags = Readonly<Record<string, readonly string[]>>;

export interface Parsed extends Globals {
  readonly operands: readonly string[];
  /** Of the command's own options. */
  readonly flags: Flags;
}

/** Without an ID: the newest run of the folder. */
export const oneOrNewest: Operands = {
  usage: '[ID]',
  what: {en: 'the ID of a run', ja: '実行の ID'},
  values: 'run',
  least: 0,
  most: 1,
};

export const oneRun: Operands = {
  usage: 'ID',
  what: {en: 'the ID of a run', ja: '実行の ID'},
  values: 'run',
  least: 1,
  most: 1,
};

export function levelOf({quiet, verbose}: Globals): Level {
  if (verbose) return 'verbose';
  return quiet ? 'quiet' : 'normal';
}
