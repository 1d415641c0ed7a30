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

/**
 * Private answers of interviews are masked; an interview that is followed is shown up to its open question. An empty batch: there
 * is no more for now. Rejects with AppError `not_found` or `journal_corrupt`.
 */
export async function* traceRun(
  id: string,
  log: Reading,
  {signal = new AbortController().signal, isFollowed = true}: TraceOptions = {},
): AsyncGenerator<TraceBatch> {
  let read = await readRun(id, log, isFollowed);
  const trace = new RunTrace(read.entries);
  let next = 0;
  for (;;) {
    const {entries, end, privacy, isOver} = read;
    yield* batchesOf(trace, entries.slice(next, end), privacy);
    if (isOver) return;
    yield {steps: [], gaps: []};
    next = Math.max(next, end);
    // oxlint-disable-next-line no-await-in-loop -- one read after the other
    if (!(await isLonger(id, entries.length, log, signal))) return;
    // oxlint-disable-next-line no-await-in-loop
    read = await readRun(id, log, isFollowed);
  }
}

interface Read {
  readonly entries: readonly Entry[];
  /** The number of entries that may be shown now. */
  readonly end: number;
  readonly privacy: Privacy | undefined;
  /** No more entries are awaited. */
  readonly isOver: boolean;
}

/** Rejects with AppError `not_found` for a run that was never opened. */
async function readRun(id: string, log: Reading, isFollowed: boolean): Promise<Read> {
  const {entries} = requireUsable(await log.salvage(id));
  if (!openedIn(entries)) throw noSuchRun(id);
  const isOver = !isFollowed || entries.at(-1)?.type === 'closed';
  const {privacy, shown} = (await tracePrivacy(id, entries)) ?? {shown: entries.length};
  return {entries, end: isOver ? entries.length : shown, privacy, isOver};
}

async function* batchesOf(
  trace: RunTrace,
  entries: readonly Entry[],
  privacy: Privacy | undefined,
): AsyncGenerator<TraceBatch> {
  if (privacy) trace.toJson = (context) => privacy.data(context);
  for (let from = 0; from < entries.length; from += most) {
    const batch = trace.add(entries.slice(from, from + most));
    yield privacy ? privacy.data(batch) : batch;
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    await nextTurn();
  }
}

/** Waits for more entries. False: the signal was aborted first. */
async function isLonger(
  id: string,
  length: number,
  log: Reading,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return false;
  if ((await log.lengthOf(id)) > length) return true;
  await delay(pauseMs, undefined, {signal}).catch(() => {});
  return await isLonger(id, length, log, signal);
}
