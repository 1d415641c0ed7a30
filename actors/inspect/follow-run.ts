/** Reads the trace of a run from its journal, and follows it while any process writes to it. */

import {setTimeout as delay} from 'node:timers/promises';

import {requireUsable} from '../journal/chain.ts';
import type {Entry, Log} from '../journal/journal.ts';
import {openedIn} from '../run/run-input.ts';
import {noSuchRun} from '../sessions/run-errors.ts';
import type {TraceBatch, TraceOptions} from './inspection-api.ts';
import {ShownTrace} from './trace-privacy.ts';

type Reading = Pick<Log, 'salvage' | 'lengthOf'>;

const pauseMs = 200;

/** As `Inspection.trace`. */
export async function* traceRun(
  id: string,
  log: Reading,
  {signal = new AbortController().signal, isFollowed = true}: TraceOptions = {},
): AsyncGenerator<TraceBatch> {
  let read = await readRun(id, log);
  const trace = new ShownTrace(id, read.entries);
  for (;;) {
    const {entries, hasEnded} = read;
    yield* trace.add(entries);
    if (hasEnded || !isFollowed) return;
    yield {steps: [], gaps: [], isCurrent: true};
    // oxlint-disable-next-line no-await-in-loop -- one read after the other
    if (!(await hasGrown(id, read, log, signal))) return;
    // oxlint-disable-next-line no-await-in-loop
    read = await readRun(id, log);
  }
}

interface ReadRun {
  readonly entries: readonly Entry[];
  readonly hasEnded: boolean;
  /** As the journal counts the entries, also damaged ones. */
  readonly length: number;
  /** How long the reading took. */
  readonly ms: number;
}

async function readRun(id: string, log: Reading): Promise<ReadRun> {
  const began = performance.now();
  const length = await log.lengthOf(id);
  const entries = await usableEntries(id, log);
  const hasEnded = entries.at(-1)?.type === 'closed';
  return {entries, hasEnded, length, ms: performance.now() - began};
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
