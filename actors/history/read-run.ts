/** Reads a recorded run, finds the entries that its points mean, and compares a replay with the record. */

import {AppError} from '../../machines/domain/app-error.ts';
import {requireUsable, noSuchRun} from '../journal/chain.ts';
import type {Entry, Journal, Salvaged} from '../journal/journal.ts';
import {moveIn, openedIn, type OpenedInput} from '../run/run-input.ts';
import {equalReplay, readLaws} from '../verify/laws.ts';
import type {PointName, ReplayReport} from './history-api.ts';
import {diffMoments, type MomentsDiff} from './moments-diff.ts';
import {entryAt, namedPoints, type NamedPoint, type Side} from './points.ts';
import {momentsOf, readRecordedRun} from './record.ts';

/** A run that was opened. */
export interface Recorded extends Pick<Salvaged, 'imported'> {
  readonly entries: readonly Entry[];
  readonly opened: OpenedInput;
  /** In which it works now. */
  readonly folder: string;
}

/** Rejects with AppError `not_found` or `journal_corrupt`. */
export async function readRun(id: string, {log}: Pick<Journal, 'log'>): Promise<Recorded> {
  const salvaged = await log.salvage(id);
  const {entries} = requireUsable(salvaged);
  const opened = openedIn(entries);
  if (!opened) throw noSuchRun(id);
  const folder = moveIn(entries)?.to ?? opened.workspace;
  return {entries, opened, folder, ...(salvaged.imported ? {imported: true} : {})};
}

async function pointsOf(id: string, entries: readonly Entry[]): Promise<readonly NamedPoint[]> {
  const {replayed, divergence} = await readRecordedRun(id, entries);
  if (replayed) return namedPoints(entries, replayed.reports);
  throw divergence ?? noSuchRun(id);
}

/** The number of the entry that a point means. The run is replayed only for a name. Rejects with AppError `usage` or `divergence`. */
export async function entryOf(
  point: PointName,
  side: Side,
  id: string,
  entries: readonly Entry[],
): Promise<number> {
  const text = String(point);
  const names = /^\d+$/.test(text) ? [] : await pointsOf(id, entries);
  return entryAt(text, side, entries, names);
}

export function upTo(entries: readonly Entry[], seq: number): readonly Entry[] {
  return entries.slice(0, seq + 1);
}

/** Compares a run after two points, in either order. Rejects as {@link readRun} and {@link entryOf}. */
export async function diffRun(
  id: string,
  points: readonly [PointName, PointName],
  {log, backups}: Pick<Journal, 'log' | 'backups'>,
): Promise<MomentsDiff> {
  const {entries} = await readRun(id, {log});
  const ends = await Promise.all(
    points.map(async (point) => await entryOf(point, 'after', id, entries)),
  );
  const [first = 0, last = 0] = ends.toSorted((a, b) => a - b);
  const [before, after = before] = await Array.fromAsync(
    momentsOf(upTo(entries, last), (seq) => seq === first || seq === last),
  );
  if (!before || !after) throw noSuchRun(id);
  return diffMoments(before, after, {entries, backups: (await backups?.list(id)) ?? []});
}

/** Rejects with AppError `divergence` when these charts do not replay the entries, `not_found` without an opening. */
export async function compareReplay(id: string, entries: readonly Entry[]): Promise<ReplayReport> {
  if (entries[0]?.type !== 'opened')
    throw new AppError('not_found', `the run ${id} was never opened`);
  const began = performance.now();
  const run = await readRecordedRun(id, entries);
  const ms = performance.now() - began;
  const {divergence, replayed} = run;
  if (!replayed) throw divergence ?? new Error('a run without a replay has a divergence');
  const {violations} = readLaws(run, [equalReplay]);
  return {
    interaction: id,
    entries: entries.length,
    ms,
    points: namedPoints(entries, replayed.reports),
    differences: violations.map(({entry, message}) => ({entry, message})),
  };
}
