/** Reads the trace of a run from its journal, and follows it while any process writes to it. */

import {setTimeout as delay} from 'node:timers/promises';

import type {Privacy} from '../../machines/questionnaire/private-answers.ts';
import {nextTurn} from '../engine/slices.ts';
import {requireUsable} from '../journal/chain.ts';
import type {Entry, Log} from '../journal/journal.ts';
import {openedIn} from '../run/run-input.ts';
import {noSuchRun} from '../sessions/run-errors.ts';
import type {TraceBatch, TraceOptions} from './inspection-api.ts';
import {RunTrace} from './run-trace.ts';
import {tracePrivacy} from './trace-privacy.ts';

type Reading = Pick<Log, 'salvage' | 'lengthOf'>;

/** Entries of a batch: few enough to leave time for others. */
const most = 200;
const pauseMs = 200;

/** As `Inspection.trace`. */
export async function* traceRun(
  id: string,
  log: Reading,
  {signal = new AbortController().signal, isFollowed = true}: TraceOptions = {},
): AsyncGenerator<TraceBatch> {
  let read = await readRun(id, log);
  const trace = new RunTrace(read.entries);
  let next = 0;
  for (;;) {
    const {entries, shown, privacy, hasEnded} = read;
    yield* batchesOf(trace, entries.slice(next, shown), privacy);
    next = Math.max(next, shown);
    if (hasEnded || !isFollowed) return;
    yield {steps: [], gaps: [], isCurrent: true};
    // oxlint-disable-next-line no-await-in-loop -- one read after the other
    if (!(await hasGrown(id, read, log, signal))) return;
    // oxlint-disable-next-line no-await-in-loop
    read = await readRun(id, log);
  }
}

interface ReadRun extends Shown {
  readonly entries: readonly Entry[];
  readonly hasEnded: boolean;
  /** As the journal counts the entries, also damaged ones. */
  readonly length: number;
  /** How long the reading took. */
  readonly ms: number;
}

interface Shown {
  /** The number of entries that may be shown now. */
  readonly shown: number;
  readonly privacy: Privacy | undefined;
}

async function readRun(id: string, log: Reading): Promise<ReadRun> {
  const began = performance.now();
  const length = await log.lengthOf(id);
  const entries = await usableEntries(id, log);
  const shown = await shownOf(id, entries);
  const hasEnded = entries.at(-1)?.type === 'closed';
  return {...shown, entries, hasEnded, length, ms: performance.now() - began};
}

/** Rejects with AppError `not_found` for a run that was never opened, or `journal_corrupt`. */
export async function usableEntries(
  id: string,
  log: Pick<Log, 'salvage'>,
): Promise<readonly Entry[]> {
  const {entries} = requireUsable(await log.salvage(id));
  if (!openedIn(entries)) throw noSuchRun(id);
  return entries;
}

/** The part of a run that may be shown, and the mask of its private answers. */
export async function shownOf(id: string, entries: readonly Entry[]): Promise<Shown> {
  const found = await tracePrivacy(id, entries);
  return {shown: found?.shown ?? entries.length, privacy: found?.privacy};
}

export async function* batchesOf(
  trace: RunTrace,
  entries: readonly Entry[],
  privacy: Privacy | undefined,
): AsyncGenerator<TraceBatch> {
  for (let from = 0; from < entries.length; from += most) {
    const batch = trace.add(entries.slice(from, from + most), privacy?.data);
    yield privacy ? privacy.data(batch) : batch;
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    await nextTurn();
  }
}

/**
 * Waits for more entries, longer after a longer reading: a run is read as a whole. False: the signal was aborted first. Rejects
 * with AppError `not_found` for a run that was erased.
 */
async function hasGrown(
  id: string,
  {length, ms}: Pick<ReadRun, 'length' | 'ms'>,
  log: Reading,
  signal: AbortSignal,
): Promise<boolean> {
  const pause = Math.max(pauseMs, 3 * ms);
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const current = await log.lengthOf(id);
    if (current < length) throw noSuchRun(id);
    if (current > length) return true;
    // oxlint-disable-next-line no-await-in-loop
    await delay(pause, undefined, {signal}).catch(() => {});
  }
  return false;
}
