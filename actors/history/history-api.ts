/** The part of a runtime that reads, forks and rewinds recorded runs. */

import {once} from '../../machines/domain/once.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {ListenOptions, ResumeWith, Run} from '../runtime-api.ts';
import type {UndoReport} from '../undo/undo-steps.ts';
import type {MomentsDiff} from './moments-diff.ts';
import type {NamedPoint} from './points.ts';
import type {Moment} from './record.ts';

/** An entry by its number, or a point by its name: `plan.N`, `vote.N`, `gate.N`, `task:ID`, or a time. */
export type PointName = number | string;

export interface ForkOptions extends ListenOptions, Pick<ResumeWith, 'prepare'> {
  /** The last entry that both runs share. A named point: the moment before it, so that it happens anew. */
  readonly at: PointName;
  /** Settings with which the new run continues, as for `resume`. */
  readonly settings?: ConfigInput;
  /** A message to it at this point: in an interview, the reply to the open question. */
  readonly say?: string;
  /** A copy of the folder as it was. Absent: the folder of the original, if the run has not changed it since. */
  readonly workspace?: string;
  /** The session of the new run. Absent: one of its own. */
  readonly session?: string;
}

export interface RewindOptions extends Omit<ForkOptions, 'at' | 'workspace'> {
  readonly to: PointName;
  /** Changes nothing: reports which files would be taken back. */
  readonly dryRun?: boolean;
}

export interface Rewound {
  readonly files: UndoReport;
  /** The new run; absent after a dry run, and when a file could not be taken back: nothing was changed then. */
  readonly run?: Run;
}

/** Each rejects with AppError `not_found`, `journal_corrupt`, `divergence`, and `usage` for a point that is not in the run. */
export interface History {
  /** Recomputes a run: no model is called, no tool runs. Resolves with its named points and the differences from its record. */
  readonly replay: (id: string) => Promise<ReplayReport>;
  /** The actors of a run as they were after an entry. A named point: after it. */
  readonly at: (id: string, point: PointName) => Promise<Moment>;
  /** The actors of a run after each of its entries, from one replay. */
  readonly moments: (id: string) => AsyncIterable<Moment>;
  readonly diff: (id: string, from: PointName, to: PointName) => Promise<MomentsDiff>;
  /**
   * A new run with the same past and another future; it is at work when this resolves. Rejects with AppError `usage` when the
   * run has ended at the entry, or its folder has changed since.
   */
  readonly fork: (id: string, options: ForkOptions) => Promise<Run>;
  /**
   * Copies the folder of a run as it was at a point (a named one: before it) to a folder that does not exist yet, for a fork.
   * Rejects also with AppError `io`.
   */
  readonly copyFolder: (id: string, at: PointName, target: string) => Promise<void>;
  /** As `fork`, and the file changes that the run made after the entry are taken back. Rejects also as `undo`. */
  readonly rewind: (id: string, options: RewindOptions) => Promise<Rewound>;
}

/** Loads the implementation when it is first used. */
export function createLateHistory(load: () => Promise<History>): History {
  const history = once(load);
  return {
    replay: async (id) => await (await history()).replay(id),
    at: async (id, point) => await (await history()).at(id, point),
    moments: async function* moments(id) {
      yield* (await history()).moments(id);
    },
    diff: async (id, from, to) => await (await history()).diff(id, from, to),
    fork: async (id, how) => await (await history()).fork(id, how),
    copyFolder: async (id, at, target) => await (await history()).copyFolder(id, at, target),
    rewind: async (id, how) => await (await history()).rewind(id, how),
  };
}

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
