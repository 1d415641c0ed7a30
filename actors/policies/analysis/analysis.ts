/** The analysis of a proposal's commands, which policy reviewers receive. */

import type {Place, Understanding} from '../../../tools/commands/understanding.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';

/** Plain data. */
export interface CommandAnalysis {
  /** By index of the proposal's calls. Undefined: the call runs no command. */
  readonly calls: readonly (Understanding | undefined)[];
  /** By index of the proposal's evidence: the analysis of the command that ran. */
  readonly done: readonly (Understanding | undefined)[];
  /** Places of files that a result claims to have written or deleted, by the name in the claim. */
  readonly claimed: Readonly<Record<string, Place>>;
  /** The command of the proposal runs confined. */
  readonly isConfined: boolean;
  /** All changes that a command makes in the workspace can be undone. */
  readonly isRestorable: boolean;
  /** Files and folders that undo cannot restore. */
  readonly unkept: readonly Unkept[];
}

/** The analysis of a proposal without commands. */
export const emptyAnalysis: CommandAnalysis = {
  calls: [],
  done: [],
  claimed: {},
  isConfined: false,
  isRestorable: false,
  unkept: [],
};
