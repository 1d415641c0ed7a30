/**
 * The owner's runs of forms other than interviews. Runs that this server began are followed, answered and continued after a
 * restart; every other run of the journal is read-only.
 */

import {nanoid} from 'nanoid';

import type {PointName, ReplayReport} from '../../actors/history/history-api.ts';
import {peekRun, privacyOf} from '../../actors/history/peek.ts';
import type {Moment} from '../../actors/history/record.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import type {Logger} from '../../actors/logger.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import {resultIn} from '../../actors/run/run-result.ts';
import type {OpenGate, Run, RunEvent, Runtime} from '../../actors/runtime-api.ts';
import {isResumable} from '../../actors/sessions/run-state.ts';
import type {UndoReport} from '../../actors/undo/undo-steps.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ServedForm} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {Frame} from './event-stream.ts';

export interface InteractionState {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  /** Its state as for {@link Runtime.stateOf}, or the status of its result. */
  readonly status: string;
  /** Of a run in this process: the open gates. */
  readonly gates: readonly OpenGate[];
  /** Of an ended run. */
  readonly result?: RunResult;
}

export interface Interactions {
  readonly begin: (form: ServedForm, request: string) => Promise<InteractionState>;
  /** The runs that this server has begun, the newest first. */
  readonly list: () => Promise<readonly InteractionState[]>;
  /** Any run of the journal. Rejects with AppError `not_found` for an unknown one. */
  readonly look: (id: string) => Promise<InteractionState>;
  /**
   * Its progress events; from the one after `last`, if that is an id of this process. For a run that is not in this process:
   * the recorded ones. Rejects as `look` does.
   */
  readonly follow: (id: string, last: string | undefined) => Promise<AsyncGenerator<Frame>>;
  /**
   * Continues the run if it is suspended. Rejects with AppError `not_found` for a run that this server did not begin, and with
   * the errors of `Run.send`; for an ended run a decision with `nothing_waiting`, another event with `not_found`.
   */
  readonly send: (id: string, event: RunEvent) => Promise<InteractionState>;
  /** Replays a run. Rejects as `Runtime.replay` does. */
  readonly points: (id: string) => Promise<ReplayReport>;
  /** With private answers masked. Rejects as `Runtime.at` does. */
  readonly momentAt: (id: string, point: string) => Promise<Moment>;
  /** Rejects as `send` does for a run that this server did not begin, and as `Runtime.fork`. */
  readonly fork: (id: string, given: GivenFork) => Promise<InteractionState>;
  /** Rejects as `fork` does, and as `Runtime.rewind`. */
  readonly rewind: (
    id: string,
    given: Omit<GivenFork, 'at'> & {readonly to: PointName; readonly dryRun?: boolean},
  ) => Promise<{readonly files: UndoReport; readonly interaction?: InteractionState}>;
  /** Continues all runs that were open when an earlier process ended. Never rejects. */
  readonly continueOpen: () => Promise<void>;
}

interface GivenFork {
  readonly at: PointName;
  readonly settings?: object;
  readonly say?: string;
}

export interface InteractionsDeps {
  readonly runtime: Runtime;
  readonly records: SubmissionRecords;
  readonly logger: Logger;
  /** Absolute. */
  readonly workspace: string;
}

/** Number of listed runs. */
const listed = 100;

export function createInteractions(deps: InteractionsDeps): Interactions {
  const {runtime, records, logger, workspace} = deps;
  const live = new Map<string, Run>();
  const ids = createEventIds();
  const keep = (run: Run): Run => {
    live.set(run.id, run);
    void run.result.then(() => live.delete(run.id));
    return run;
  };
  const requireBegun = async (id: string): Promise<void> => {
    const begun = await records.interactions();
    if (begun.includes(id)) return;
    const {form} = await look(id);
    throw new AppError(
      'not_found',
      `this server did not begin ${id} (${form}) and only shows it; continue it with: quorate resume ${id}`,
    );
  };
  const requireOpen = async (id: string): Promise<void> => {
    const {result} = await look(id);
    if (result) throw new AppError('nothing_waiting', `${id} has ended: ${result.status}`);
  };
  const look = async (id: string): Promise<InteractionState> =>
    await stateOf(id, runtime, live.get(id));
  const wake = async (id: string): Promise<Run> => live.get(id) ?? keep(await runtime.resume(id));
  const adopt = async (run: Run): Promise<InteractionState> => {
    keep(run);
    await run.opened;
    await records.addInteraction(run.id, Date.now());
    return await look(run.id);
  };
  return {
    look,
    ...pastOf(runtime),
    ...forksOf(runtime, requireBegun, adopt),
    begin: async (form, request) => {
      await runtime.ready({workspace});
      return await adopt(runtime.start({form, request, workspace}));
    },
    list: async () => await Promise.all((await records.interactions()).slice(0, listed).map(look)),
    follow: async (id, last) => {
      const run = live.get(id);
      return run ? liveFrames(run, ids, last) : pastFrames(id, await entriesOf(id, runtime));
    },
    send: async (id, event) => {
      await requireBegun(id);
      if (event.type === 'human.decided') await requireOpen(id);
      const run = await wake(id);
      run.send(event);
      if (event.type === 'user.cancel') await run.result;
      return await look(id);
    },
    continueOpen: async () => {
      const begun = await records.interactions();
      await Promise.all(begun.map(async (id) => await continueOpen(id, runtime, {keep, logger})));
    },
  };
}

function forksOf(
  runtime: Runtime,
  requireBegun: (id: string) => Promise<void>,
  adopt: (run: Run) => Promise<InteractionState>,
): Pick<Interactions, 'fork' | 'rewind'> {
  return {
    fork: async (id, given) => {
      await requireBegun(id);
      return await adopt(await runtime.fork(id, given));
    },
    rewind: async (id, given) => {
      await requireBegun(id);
      const {files, run} = await runtime.rewind(id, given);
      return {files, ...(run ? {interaction: await adopt(run)} : {})};
    },
  };
}

function pastOf(runtime: Runtime): Pick<Interactions, 'points' | 'momentAt'> {
  return {
    points: async (id) => await runtime.replay(id),
    momentAt: async (id, point) => {
      const [moment, {entries}] = await Promise.all([runtime.at(id, point), runtime.salvage(id)]);
      return (await privacyOf(id, entries, moment)).data(moment);
    },
  };
}

async function continueOpen(
  id: string,
  runtime: Runtime,
  {keep, logger}: {readonly keep: (run: Run) => Run; readonly logger: Logger},
): Promise<void> {
  try {
    if (isResumable(await runtime.stateOf(id))) keep(await runtime.resume(id));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    logger.warn('an interaction cannot continue', {sessionId: id, error: why});
  }
}

async function stateOf(
  id: string,
  runtime: Runtime,
  run: Run | undefined,
): Promise<InteractionState> {
  const entries = await entriesOf(id, runtime);
  const {form = '', request = ''} = openedIn(entries) ?? {};
  const result = resultIn(entries);
  const gates = run?.gates() ?? [];
  const about = {id, form, request, gates};
  if (result) return {...about, status: result.status, result};
  return {...about, status: run ? liveStatus(run) : await runtime.stateOf(id)};
}

function liveStatus(run: Run): string {
  return run.gates().length > 0 && run.atWork().length === 0 ? 'waiting' : 'running';
}

/** Rejects with AppError `not_found` for an unknown run. */
async function entriesOf(id: string, runtime: Runtime): Promise<readonly Entry[]> {
  const {entries} = await runtime.salvage(id);
  if (entries.length === 0) throw new AppError('not_found', `there is no interaction ${id}`);
  return entries;
}

async function* liveFrames({events}: Run, ids: EventIds, last?: string): AsyncGenerator<Frame> {
  const seen = ids.seenBy(last);
  for await (const event of events) {
    if (event.seq > seen) yield toFrame(event, ids.idOf(event.seq));
  }
}

/** The events of a replay, then the result. A run that can't be replayed has a warning instead of events. */
async function* pastFrames(id: string, entries: readonly Entry[]): AsyncGenerator<Frame> {
  try {
    const {reports} = await peekRun(id, entries);
    for (const event of reports) yield toFrame(event, undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield {event: 'warning', data: {type: 'warning', message: error.message}};
  }
  const result = resultIn(entries);
  if (result) yield {event: 'result', data: result};
}

function toFrame(event: ProgressEvent, id: string | undefined): Frame {
  return {event: event.type, data: event, ...(id === undefined ? {} : {id})};
}

// IDs of events, which a reconnecting client sends as `Last-Event-ID`.

interface EventIds {
  readonly idOf: (seq: number) => string;
  /** The number of the last event that the client has; 0 for an id of another process, and for an invalid one. */
  readonly seenBy: (id: string | undefined) => number;
}

/** Events count from 1 in each process: the process's name distinguishes its ids from those of others. */
export function createEventIds(process: string = nanoid(6)): EventIds {
  const before = `${process}-`;
  return {
    idOf: (seq) => before + String(seq),
    seenBy: (id = '') => {
      const seq = id.startsWith(before) ? id.slice(before.length) : '';
      return /^\d+$/.test(seq) ? Number(seq) : 0;
    },
  };
}
