/** The part of a runtime that counts and rates runs. */

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import type {SeatRecord} from '../../machines/panel/recorded-votes.ts';
import {noSuchRun} from '../journal/chain.ts';
import type {Journal} from '../journal/journal.ts';
import type {Masking} from '../secrets/redact.ts';
import type {CallCounts, RunCounts} from './meter.ts';

export interface StatsOptions {
  /** Runs that ended at or after this time, epoch ms. Absent: all. */
  readonly since?: number;
  /** The maximum number of runs, the newest first. Absent: all. */
  readonly limit?: number;
  /** Only runs of this folder. Absolute or relative to the current one. */
  readonly workspace?: string;
}

export interface ModelFigures extends CallCounts {
  /** `provider/model`. */
  readonly model: string;
}

export interface Figures extends RunCounts {
  readonly runs: number;
  /** Runs by the status of their result. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Runs of an earlier version, or ended without a replay: their plans and calls are not known. */
  readonly partial: number;
  readonly plannedRuns: number;
  readonly ratedUp: number;
  readonly ratedDown: number;
  /** Runs whose file changes were taken back. */
  readonly undone: number;
  /** The most called first. */
  readonly models: readonly ModelFigures[];
  /** Of all panels, in the order in which they first sat. */
  readonly seats: readonly SeatRecord[];
}

export interface Statistics {
  readonly since?: number;
  /** End of the first counted run, epoch ms. Absent: none is counted. */
  readonly first?: number;
  /** Runs that are not counted, because they have not ended, or because of the limit. */
  readonly open: number;
  readonly older: number;
  readonly total: Figures;
}

export interface RateOptions {
  readonly rating: 'up' | 'down';
  /** The person's own words. They stay in the journal: no model receives them, and no export holds them. */
  readonly words?: string;
}

export interface Measuring {
  /**
   * Figures of the runs that have ended: how many completed, plans and their changes, calls, costs, failures, ratings, seats of
   * panels. Only the last entry of each is read. A fork counts from its point on.
   */
  readonly stats: (options?: StatsOptions) => Promise<Statistics>;
  /**
   * Keeps what a person thinks of the result of a run; the last rating counts. Rejects with AppError `not_found`, or `usage` for a
   * run that has not ended, for words over 2,000 characters and for a journal that keeps no ratings.
   */
  readonly rate: (id: string, how: RateOptions) => Promise<void>;
}

interface MeasuringDeps {
  readonly journal: Journal;
  readonly redactor: Pick<Masking, 'text'>;
}

export function createMeasuring(deps: MeasuringDeps): Measuring {
  return {
    stats: async (options) => {
      const {collectStats} = await import('./stats.ts');
      return await collectStats(deps.journal, options);
    },
    rate: async (id, how) => await rateRun(id, how, deps),
  };
}

const maxWords = 2_000;

/** Known secrets in the words are masked. Rejects as {@link Measuring.rate}. */
async function rateRun(
  id: string,
  {rating, words = ''}: RateOptions,
  {journal, redactor}: MeasuringDeps,
): Promise<void> {
  const {log, reactions} = journal;
  const [row] = await log.list({id});
  if (!row) throw noSuchRun(id);
  if (row.status === undefined) throw notEnded(id);
  if (words.length > maxWords) throw tooLong(words.length);
  if (!reactions) throw new AppError('usage', 'this journal keeps no ratings');
  const said = redactor.text(words.toWellFormed().trim());
  const reaction = {kind: rating, at: Date.now(), ...(said === '' ? {} : {words: said})};
  await reactions.add(id, reaction);
}

function notEnded(id: string): AppError {
  return new AppError(
    'usage',
    t`run ${id} has not ended: rate it when it has a result; quorate resume ${id} continues it`,
  );
}

function tooLong(length: number): AppError {
  return new AppError('usage', t`a rating takes up to ${maxWords} characters, not ${length}`);
}
