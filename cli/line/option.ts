/** An option of the command line as data. */
import type {Message} from '../../machines/message.ts';

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
