/** What is known of a proposal's commands before a reviewer by rule looks at it. */

import type {Address} from '../../../machines/places/address.ts';
import type {Place, Unknown} from '../../../tools/commands/effect.ts';
import type {Understanding} from '../../../tools/commands/understanding.ts';
import type {Unkept} from '../../../tools/run/snapshot/entry.ts';

/** Plain data. */
export interface Study {
  /** By index of the proposal's calls; undefined: it runs no command. */
  readonly calls: readonly (Understanding | undefined)[];
  /** By index of the proposal's calls: what the scripts would do that a call writes down. */
  readonly scripts: readonly (readonly Understanding[])[];
  /** By index of the proposal's evidence: what a command that ran is understood to do. */
  readonly done: readonly (Understanding | undefined)[];
  /** What a second look at the workspace has found that keeps from judging. */
  readonly found: readonly Unknown[];
  /** The places of the files that a result says were written or deleted, by the names it gives them. */
  readonly claimed: Readonly<Record<string, Place>>;
  /** Addresses that the project's manifests name; looked up if a command reaches other computers. */
  readonly addresses: readonly Address[];
  /** Addresses in manifests that this run has changed; looked up if a command installs packages. */
  readonly declared: readonly Address[];
  /** Git keeps nothing of the workspace: what it does not know there may be anybody's own. */
  readonly isUnversioned: boolean;
  /** What runs is confined to the workspace. */
  readonly isConfined: boolean;
  /** What commands change in the workspace can be taken back. */
  readonly isRestorable: boolean;
  /** Files and folders of which nothing can be brought back. */
  readonly unkept: readonly Unkept[];
}

/** Of a proposal that runs no command. */
export const nothingToStudy: Study = {
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
