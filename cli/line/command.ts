/** The interface of a command: its words, its options and its help as data, and the function that performs it. */

import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Level} from '../render/style.ts';
import type {Terminal} from '../terminal.ts';

export type OutputFormat = 'text' | 'json' | 'jsonl';

/** A command module is imported for its help or its name, so it imports heavy modules only in `run`. */
export interface Command {
  readonly operands?: Operands;
  /** One line of `quorate help`. */
  readonly summary: Message;
  /** The text of `quorate help NAME` below the usage; absent: the summary. */
  readonly detail?: Message;
  /** Its own options, which follow its name. */
  readonly options?: readonly Option[];
  /** The global options that it obeys, beside `-C`, `-q` and `-v`. It refuses the others. */
  readonly obeys: readonly Subject[];
  /** Of `-m ROLE=MODEL`. Absent: every role. */
  readonly roles?: readonly string[];
  /** Working examples of command lines. */
  readonly examples?: readonly string[];
  /** The form of the result on stdout; with a JSON format, a failure is printed there, too. Absent: no result. */
  readonly endsWithResult?: InteractionForm;
  /** Resolves with the exit code. Rejects with AppError `usage` for invalid words or flags, and with others. */
  readonly run: (parsed: Parsed, terminal: Terminal) => Promise<number>;
}

export interface Operands {
  /** As the help shows them: `ID`, `[TOPIC]`, `QUESTION…`. */
  readonly usage: string;
  /** As a sentence names them: `the ID of a run`. */
  readonly what: Message;
  readonly least: number;
  readonly most: number;
}

/** The global options, which every command receives. */
export interface Globals {
  /** `-C`: the folder to work in. */
  readonly cwd?: string;
  /** `--log`: the path of the log. */
  readonly log?: string;
  /** `--journal`: the address of the journal. */
  readonly journal?: string;
  /** `--plan`: the file of a plan to run. */
  readonly plan?: string;
  readonly output: OutputFormat;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** `--plain`: nothing is redrawn, as on a dumb terminal. */
  readonly plain?: true;
  /** `--detach`: the run is left to a worker. */
  readonly detach?: true;
  /** The configuration keys that the flags set. */
  readonly overrides: readonly Override[];
}

/** The values of each given option, by its name. A switch has an empty one. */
export type Flags = Readonly<Record<string, readonly string[]>>;

export interface Parsed extends Globals {
  readonly operands: readonly string[];
  /** Of the command's own options. */
  readonly flags: Flags;
}

/** Without an ID: the newest run of the folder. */
export const oneOrNewest: Operands = {
  usage: '[ID]',
  what: t`the ID of a run`,
  least: 0,
  most: 1,
};

export const oneRun: Operands = {
  usage: 'ID',
  what: t`the ID of a run`,
  least: 1,
  most: 1,
};

export function levelOf({quiet, verbose}: Globals): Level {
  if (verbose) return 'verbose';
  return quiet ? 'quiet' : 'normal';
}

// An option of the command line as data.

/** One key that a flag sets. The merged configuration is validated again. */
export interface Override {
  /** Dotted: `agent.hil_mode`. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[];
  /** The flag, for messages: `--hil`. */
  readonly source: string;
}

/** The subjects of global options. */
export type Subject =
  | 'output'
  | 'log'
  | 'detach'
  | 'models'
  | 'rule'
  | 'panel'
  | 'phases'
  | 'plan'
  | 'plans'
  | 'tasks'
  | 'limits';

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** The placeholder of its value in the help; absent: a switch. */
  readonly takes?: string;
  /** The text of the help, with its line breaks. Absent: hidden, neither in help nor in the completion. */
  readonly text?: Message;
  /** Of a global option: its subject. Only commands that obey the subject take it. Absent: every command takes it. */
  readonly subject?: Subject;
  /** Converts a value to keys. Throws AppError `usage` for an invalid value. */
  readonly override?: (values: readonly string[]) => readonly Override[];
}
