/** The part of a runtime that counts and rates runs. */

import type {Figures, ModelFigures} from './statistics.ts';

export type {Figures, ModelFigures};

export const groupings = ['model', 'form', 'folder'] as const;

export interface StatsOptions {
  /** Runs that ended at or after this time, epoch ms. Absent: all. */
  readonly since?: number;
  /** Groups by form or folder; models are always listed each. Absent: no groups. */
  readonly by?: (typeof groupings)[number];
  /** Only runs of this folder. Absolute or relative to the current one. */
  readonly workspace?: string;
  /** Called before the figures of so many runs are computed from their entries, which is done once. */
  readonly onBacklog?: (runs: number) => void;
}

export interface Statistics {
  readonly since?: number;
  /** End of the first counted run, epoch ms. Absent: none is counted. */
  readonly first?: number;
  /** Runs that are not counted, because they have not ended, or are damaged from their first entry. */
  readonly open: number;
  readonly unread: number;
  readonly total: Figures;
  /** The group with the most runs first. */
  readonly groups: readonly (Figures & {readonly key: string})[];
}

export interface RateOptions {
  readonly rating: 'up' | 'down';
  /** The person's own words. They stay in the journal: no model receives them, and no export holds them. */
  readonly words?: string;
}

export interface Measuring {
  /**
   * Figures of the runs that have ended: of how many completed, plans revised, votes, decisions, calls and costs. They are kept when
   * a run ends; those of other runs are computed once, in slices. A fork counts from its point on.
   */
  readonly stats: (options?: StatsOptions) => Promise<Statistics>;
  /**
   * Keeps what a person thinks of the result of a run; the last rating counts. Rejects with AppError `not_found`, or `usage` for a
   * run that has not ended, for words over 2,000 characters and for a journal that keeps no ratings.
   */
  readonly rate: (id: string, how: RateOptions) => Promise<void>;
}
