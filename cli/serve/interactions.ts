/**
 * The owner's runs of forms other than interviews. Every run of the journal is followed. Those that this server began, and in a
 * journal that several share all of them, are answered, wherever they are performed; the former are continued after a restart.
 */

import type {PointName, ReplayReport} from '../../actors/history/history-api.ts';
import {privacyOf} from '../../actors/history/peek.ts';
import type {Moment} from '../../actors/history/record.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import type {SubmissionRecords} from '../../actors/journal/submissions.ts';
import type {Logger} from '../../actors/logger.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import {resultIn} from '../../actors/run/run-result.ts';
import type {OpenGate, Run, RunEvent, Runtime} from '../../actors/runtime-api.ts';
import {isOfAnother, isResumable, tryPeekRun} from '../../actors/sessions/run-state.ts';
import type {UndoReport} from '../../actors/undo/undo-steps.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ServedForm} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Frame} from './event-stream.ts';
import {createFollowers} from './followers.ts';

export interface InteractionState {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  /** Its state as for {@link Runtime.stateOf}, or the status of its result. */
  readonly status: string;
  /** The open gates. */
  readonly gates: readonly OpenGate[];
  /** Of an ended run. */
  readonly result?: RunResult;
}

export interface Interactions {
  /** `folder` is false: the run has none. Rejects with AppError `usage` for a form that needs one. */
  readonly begin: (given: {
    readonly form: ServedForm;
    readonly request: string;
    readonly folder?: boolean | undefined;
  }) => Promise<InteractionState>;
  /** The runs that this server has begun, the newest first. */
  readonly list: () => Promise<readonly InteractionState[]>;
  /** Any run of the journal. Rejects with AppError `not_found` for an unknown one. */
  readonly look: (id: string) => Promise<InteractionState>;
  /** Its progress events; from the one after `last`, an id of any server of the journal. Rejects as `look` does. */
  readonly follow: (id: string, last: string | undefined) => Promise<AsyncGenerator<Frame>>;
  /**
   * Continues the run if it is suspended; one that another process performs is handed over if it waits, else the event is left for
   * it. Rejects with AppError `not_found` for a run that can't be answered here, and with the errors of `Run.send`; for an ended run a decision with `nothing_waiting`, another event with `not_found`.
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
  /** Other machines share the journal. */
  readonly isShared: boolean;
}

/** Number of listed runs. */
const listed = 100;

export function createInteractions(deps: InteractionsDeps): Interactions {
  const {runtime, records, logger, workspace, isShared} = deps;
  const live = new Map<string, Run>();
  const followers = createFollowers(runtime, live);
  const keep = (run: Run): Run => {
    live.set(run.id, run);
    followers.onLive(run.id);
    void run.result.then(() => live.delete(run.id));
    return run;
  };
  const requireBegun = async (id: string): Promise<void> => {
    if (isShared) return;
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
  const pass = createPassing(deps, live, wake);
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
    begin: async ({form, request, folder = true}) => {
      const place = {workspace: folder ? workspace : null};
      await runtime.ready(place);
      return await adopt(runtime.start({form, request, ...place}));
    },
    list: async () => await Promise.all((await records.interactions()).slice(0, listed).map(look)),
    follow: async (id, last) => {
      await entriesOf(id, runtime);
      return followers.frames(id, last);
    },
    send: async (id, event) => {
      await requireBegun(id);
      if (event.type === 'human.decided') await requireOpen(id);
      await pass(id, event);
      return await look(id);
    },
    continueOpen: async () => {
      const begun = await records.interactions();
      await Promise.all(begun.map(async (id) => await continueOpen(id, runtime, {keep, logger})));
    },
  };
}

/** Passes an event to a run: here, or where it is performed. */
function createPassing(
  {runtime, isShared}: InteractionsDeps,
  live: ReadonlyMap<string, Run>,
  wake: (id: string) => Promise<Run>,
): (id: string, event: RunEvent) => Promise<void> {
  const wakeFor = async (id: string, event: RunEvent, isAsking: boolean): Promise<void> => {
    try {
      const run = await wake(id);
      // A run that was just resumed does not ask yet.
      if (isAsking) await run.quiet();
      await passTo(run, event);
    } catch (error) {
      if (!isShared || !isOfAnother(error)) throw error;
      await runtime.relay(id, event);
    }
  };
  return async (id, event) => {
    const here = live.get(id);
    if (here) return await passTo(here, event);
    if (isShared && event.type === 'user.cancel') return void (await runtime.cancel(id));
    const view = await tryPeekRun(id, await entriesOf(id, runtime));
    const isAtWork = view?.isAtWork === true;
    if (isShared && isAtWork && (await runtime.stateOf(id)) === 'running')
      return await runtime.relay(id, event);
    await wakeFor(id, event, !isAtWork);
  };
}

async function passTo(run: Run, event: RunEvent): Promise<void> {
  run.send(event);
  if (event.type === 'user.cancel') await run.result;
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
  const about = {id, form, request};
  if (result) return {...about, gates: [], status: result.status, result};
  const gates = run?.gates() ?? (await tryPeekRun(id, entries))?.gates ?? [];
  return {...about, gates, status: run ? liveStatus(run) : await runtime.stateOf(id)};
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
