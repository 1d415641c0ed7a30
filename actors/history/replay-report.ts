/** The report of a replay. */

import type {NamedPoint} from './points.ts';

export interface ReplayReport {
  readonly interaction: string;
  /** The number of replayed entries. */
  readonly entries: number;
  readonly ms: number;
  /** The named points of the run. */
  readonly points: readonly NamedPoint[];
  /** Entries that the replay contradicts. None: the same states and results. */
  readonly differences: readonly {readonly entry: number; readonly message: string}[];
}
