/** Replays a recorded run, and compares it with its record. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Entry} from '../journal/journal.ts';
import {equalReplay} from '../verify/laws-replay.ts';
import {readLaws} from '../verify/laws.ts';
import {namedPoints} from './points.ts';
import {readRecordedRun} from './record.ts';
import type {ReplayReport} from './replay-report.ts';

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
