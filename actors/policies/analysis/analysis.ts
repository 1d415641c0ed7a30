/** The analysis of a proposal's commands, which policy reviewers receive. */

import type {Address} from '../../../machines/places/address.ts';
import type {Place, Unknown} from '../../../tools/commands/effect.ts';
import type {Understanding} from '../../../tools/commands/understanding.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';

/** Plain data. */
export interface CommandAnalysis {
  /** By index of the proposal's calls. Undefined: the call runs no command. */
  readonly calls: readonly (Understanding | undefined)[];
  /** By index of the proposal's calls: the analyses of the scripts that the call writes. */
  readonly scripts: readonly (readonly Understanding[])[];
  /** By index of the proposal's evidence: the analysis of the command that ran. */
  readonly done: readonly (Understanding | undefined)[];
  /** Doubts from checks of the effects against the workspace. */
  readonly found: readonly Unknown[];
  /** Places of files that a result claims to have written or deleted, by the name in the claim. */
  readonly claimed: Readonly<Record<string, Place>>;
  /** Addresses in manifests that this run has not changed. Looked up for commands that reach other computers or install. */
  readonly addresses: readonly Address[];
  /** Addresses in manifests that this run has changed. Looked up if a command installs packages. */
  readonly declared: readonly Address[];
  /** The workspace has no git repository: an untracked file may be the user's own code. */
  readonly isUnversioned: boolean;
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
  scripts: [],
  done: [],
  found: [],
  claimed: {},
  addresses: [],
  declared: [],
  isUnversioned: false,
  isConfined: false,
  isRestorable: false,
  unkept: [],
};
