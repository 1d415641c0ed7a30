/** The owner's runs of the other forms: begun here, followed, answered, and gone on with after a restart. */

import type {Logger} from '../../actors/logger.ts';
import {peekRun} from '../../actors/peek.ts';
import type {OpenGate} from '../../actors/person.ts';
import {openedIn} from '../../actors/run-input.ts';
import {resultIn} from '../../actors/run-result.ts';
import type {Run, RunEvent, Runtime} from '../../actors/runtime-api.ts';
import type {SubmissionRepository} from '../../actors/submissions/repository.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {createEventIds, type EventIds} from './event-ids.ts';
import type {Frame} from './event-stream.ts';

export interface InteractionState {
  readonly id: string;
  readonly form: string;
  readonly request: string;
  /** `running`, `waiting` for a person, `suspended`, or what it came to. */
  readonly status: string;
  /** That wait for a person. */
  readonly gates: readonly OpenGate[];
  /** Of one that has ended. */
  readonly result?: RunResult;
}

export interface Interactions {
  readonly begin: (form: 'agent' | 'ask' | 'discuss', request: string) => Promise<InteractionState>;
  /** Those that this server has begun, the newest first. */
  readonly list: () => Promise<readonly InteractionState[]>;
  /** All of these reject with AppError `not_found` for one that this server has not begun. */
  readonly look: (id: string) => Promise<InteractionState>;
  /** Its progress events; from the one after `last`, if that is of this process. */
  readonly follow: (id: string, last: string | undefined) => Promise<AsyncGenerator<Frame>>;
  /**
   * Goes on with it if it is suspended. Rejects with what `Run.send` throws; for one that
   * has ended with `nothing_waiting` a decision, with `not_found` what else is sent.
   */
  readonly send: (id: string, event: RunEvent) => Promise<InteractionState>;
  /** Goes on with all that were at work when an earlier process left them. Never rejects. */
  readonly goOn: () => Promise<void>;
}

export interface InteractionsDeps {
  readonly runtime: Runtime;
  readonly repository: SubmissionRepository;
  readonly logger: Logger;
  /** Absolute. */
  readonly workspace: string;
}

/** How many are listed. */
const listed = 100;

export function createInteractions(deps: InteractionsDeps): Interactions {
  const {runtime, repository, logger, workspace} = deps;
  const live = new Map<string, Run>();
  const ids = createEventIds();
  const keep = (run: Run): Run => {
    live.set(run.id, run);
    void run.result.then(() => live.delete(run.id));
    return run;
  };
  const requireBegun = async (id: string): Promise<void> => {
    const begun = await repository.interactions();
    if (!begun.includes(id)) throw new AppError('not_found', `there is no interaction ${id}`);
  };
  const requireOpen = async (id: string): Promise<void> => {
    const {result} = await look(id);
    if (result) throw new AppError('nothing_waiting', `${id} has ended: ${result.status}`);
  };
  const look = async (id: string): Promise<InteractionState> => {
    await requireBegun(id);
    return await stateOf(id, runtime, live.get(id));
  };
  const wake = async (id: string): Promise<Run> => {
    await requireBegun(id);
    return live.get(id) ?? keep(await runtime.resume(id));
  };
  return {
    look,
    begin: async (form, request) => {
      await runtime.ready({workspace});
      const run = keep(runtime.start({form, request, workspace}));
      await run.opened;
      await repository.addInteraction(run.id, Date.now());
      return await look(run.id);
    },
    list: async () => {
      const begun = (await repository.interactions()).slice(0, listed);
      return await Promise.all(begun.map(async (id) => await stateOf(id, runtime, live.get(id))));
    },
    follow: async (id, last) => {
      await requireBegun(id);
      const run = live.get(id);
      return run ? liveFrames(run, ids, last) : pastFrames(id, runtime);
    },
    send: async (id, event) => {
      if (event.type === 'human.decided') await requireOpen(id);
      const run = await wake(id);
      run.send(event);
      if (event.type === 'user.cancel') await run.result;
      return await look(id);
    },
    goOn: async () => {
      const begun = await repository.interactions();
      await Promise.all(begun.map(async (id) => await goOn(id, runtime, {keep, logger})));
    },
  };
}

async function goOn(
  id: string,
  runtime: Runtime,
  {keep, logger}: {readonly keep: (run: Run) => Run; readonly logger: Logger},
): Promise<void> {
  try {
    const {status} = await stateOf(id, runtime, undefined);
    if (status === 'suspended') keep(await runtime.resume(id));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    logger.warn('an interaction can not go on', {sessionId: id, error: why});
  }
}

async function stateOf(
  id: string,
  runtime: Runtime,
  run: Run | undefined,
): Promise<InteractionState> {
  const {entries} = await runtime.salvage(id);
  const {form = '', request = ''} = openedIn(entries) ?? {};
  const result = resultIn(entries);
  const gates = run?.gates() ?? [];
  const about = {id, form, request, gates};
  if (result) return {...about, status: result.status, result};
  if (!run) return {...about, status: 'suspended'};
  const isWaiting = gates.length > 0 && run.atWork().length === 0;
  return {...about, status: isWaiting ? 'waiting' : 'running'};
}

async function* liveFrames({events}: Run, ids: EventIds, last?: string): AsyncGenerator<Frame> {
  const seen = ids.seenBy(last);
  for await (const event of events) {
    if (event.seq > seen) yield toFrame(event, ids.idOf(event.seq));
  }
}

/** What the charts reported, and what it came to. */
async function* pastFrames(id: string, runtime: Runtime): AsyncGenerator<Frame> {
  const {entries} = await runtime.salvage(id);
  const {reports} = await peekRun(id, entries);
  for (const event of reports) yield toFrame(event, undefined);
  const result = resultIn(entries);
  if (result) yield {event: 'result', data: result};
}

function toFrame(event: ProgressEvent, id: string | undefined): Frame {
  return {event: event.type, data: event, ...(id === undefined ? {} : {id})};
}
