/** An option of the command line as data. */

import type {Texts} from '../language.ts';
/** One key that a flag sets. The value is checked again with all others when the configuration is put together. */
export interface Override {
  /** Dotted: `agent.hil_mode`. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[];
  /** The flag, for messages: `--hil`. */
  readonly source: string;
}

/** For the completion of shells: words, or what there is. */
export type Values = readonly string[] | 'file' | 'folder' | 'run' | 'topic';

/** What a global option says something about. */
export type Subject =
  | 'output'
  | 'log'
  | 'models'
  | 'rule'
  | 'panel'
  | 'phases'
  | 'plans'
  | 'tasks'
  | 'limits';

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What stands for its value in the help; absent: a switch. */
  readonly takes?: string;
  /** What its value may be, as far as that can be listed. Absent: anything. */
  readonly values?: Values;
  /** What the help says. A line end is one there. */
  readonly text: Texts;
  /** Of a global option: what it speaks of. Only commands that obey that take it. Absent: every command takes it. */
  readonly subject?: Subject;
  /** The keys that it sets. Throws AppError `usage` for a value that it does not take. */
  readonly override?: (values: readonly string[]) => readonly Override[];
}
