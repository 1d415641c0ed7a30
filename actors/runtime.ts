/** The composition root: builds a runtime from charts, models, tools and a journal. */

import {createEquipment, type Equipment, type RuntimeOptions} from './equipment.ts';
import {createLateHistory} from './history/history-api.ts';
import {createLateInspection} from './inspect/inspection-api.ts';
import type {Log} from './journal/journal.ts';
import type {Journal} from './journal/journal.ts';
import {createMeasuring} from './metrics/measuring.ts';
import type {FollowedRun, FollowOptions} from './run/followed-run.ts';
import {
  createLiveRuns,
  type LiveRuns,
  listenerFor,
  openRun,
  placeOf,
  recordRun,
} from './run/live-runs.ts';
import {movedTo, moveIn, openedIn} from './run/run-input.ts';
import {borrowed, resumeRun} from './run/takeover.ts';
import type {Run, Runtime} from './runtime-api.ts';
import {createRetention} from './sessions/retention.ts';
import {createCancel, resumeSession, sessionsIn} from './sessions/sessions.ts';

export type {RuntimeOptions};

/**
 * Throws AppError `config` for an option that cannot be used. `start` throws AppError `config` or `credentials` for a role
 * without a usable model. `resume` and `cancel` use the settings of the open run; they need no key of a model that they do not
 * call.
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const equipment = createEquipment(options);
  const {deps} = equipment;
  const {journal, snapshots} = deps;
  const runs = createLiveRuns(snapshots, deps.lends);

  const tracked = endingWith(equipment);
  const start: Runtime['start'] = ({onEvent, signal, ...given}) => {
    runs.requireOpen();
    const run = openRun(given, equipment, (id) => listenerFor(id, options, onEvent));
    return tracked(runs.track(run, signal));
  };
  const takeUp = createResume(equipment, runs, options);
  const resume: Runtime['resume'] = async (id, how) => tracked(await takeUp(id, how));
  const following = createFollowing(deps, runs.requireOpen);
  const interactions: Runtime['interactions'] = async () => await journal.log.list();
  const ready = createReady(equipment);
  return {
    ready,
    start,
    record: async (given) => await recordRun(given, equipment),
    resume,
    interactions,
    agent: (request, place) => start({form: 'agent', request, ...place}),
    ask: (request, place) => start({form: 'ask', request, ...place}),
    sessions: async (query) => sessionsIn(await journal.log.list(), query),
    resumeSession: async (id, listen) =>
      await resumeSession(id, {interactions, ready, resume}, listen),
    cancel: createCancel(deps, async (id, events) =>
      tracked(await runs.takeUp(async () => await resumeRun(id, deps, {events}))),
    ),
    follow: following.follow,
    relay: following.relay,
    ...createRetention(deps, snapshots.forget),
    undo: async (id, how) => {
      const {undoRun} = await import('./undo/undo.ts');
      return await undoRun(id, deps, how);
    },
    ...createLateHistory(async () => {
      const {createHistory} = await import('./history/history.ts');
      return createHistory(deps, {resume, ready});
    }),
    ...createMeasuring(deps),
    ...createLateInspection(async () => {
      const {createInspection} = await import('./inspect/inspection.ts');
      return createInspection({journal, priceOf: deps.priceOf, asSent: equipment.asSent});
    }),
    entries: async (id) => await journal.log.read(id),
    salvage: async (id) => await journal.log.salvage(id),
    verify: createVerify(journal.log),
    stateOf: createStateOf(journal),
    close: async () => {
      await following.close();
      await runs.close();
      await closeParts(equipment, options);
    },
  };
}

function createResume(
  {deps, check, warningsOf}: Equipment,
  runs: LiveRuns,
  options: RuntimeOptions,
): Runtime['resume'] {
  return async (id, {settings, prepare, workspace, onEvent, signal} = {}) => {
    const listener = listenerFor(id, options, onEvent);
    const how = {check, settings, prepare, workspace, warningsOf, onEvent: listener};
    const takeUp = async (): Promise<Run> =>
      await runs.takeUp(async () => await resumeRun(id, deps, how), signal);
    return deps.lends ? await borrowed(id, deps, takeUp) : await takeUp();
  };
}

/** The runs of other processes that this one follows. */
function createFollowing(
  deps: Equipment['deps'],
  requireOpen: () => void,
): Pick<Runtime, 'follow' | 'relay' | 'close'> {
  const followed = new Set<FollowedRun>();
  const follow = async (id: string, how?: FollowOptions): Promise<FollowedRun> => {
    requireOpen();
    const {followRun} = await import('./run/followed-run.ts');
    const run = await followRun(id, deps, how);
    followed.add(run);
    void run.result.then(() => followed.delete(run));
    return run;
  };
  return {
    follow,
    relay: async (id, event) => {
      const run = await follow(id, {from: Infinity});
      try {
        await run.relay(event);
      } finally {
        await run.suspend('interrupted');
      }
    },
    close: async () => {
      await Promise.all([...followed].map(async (run) => await run.suspend('interrupted')));
    },
  };
}

function createStateOf(journal: Journal): Runtime['stateOf'] {
  return async (id) => {
    const {runStateOf} = await import('./sessions/run-state.ts');
    return await runStateOf({id, status: undefined}, journal);
  };
}

async function closeParts({deps, servers}: Equipment, given: RuntimeOptions): Promise<void> {
  await servers.end();
  deps.snapshots.close();
  if (!given.journal) await deps.journal.close();
}

/** Servers of a run end with it. */
function endingWith({servers}: Equipment): (run: Run) => Run {
  return (run) => {
    void run.result.then(() => servers.end(run.id));
    return run;
  };
}

function createReady({config, deps, toolboxOf, toolingFor, servers}: Equipment): Runtime['ready'] {
  const {log} = deps.journal;
  const newTooling = async (workspace: string | null | undefined) => {
    const place = placeOf(workspace, config);
    if (place !== '') await servers.ready(place);
    return toolingFor(config, place);
  };
  return async ({workspace, run, entries} = {}) => {
    const read = entries ?? (run === undefined ? [] : (await log.salvage(run)).entries);
    const opened = openedIn(read);
    const folder = workspace ?? moveIn(read)?.to;
    const own = opened && (folder === undefined ? opened : movedTo(opened, folder)).tooling;
    await toolboxOf(own ?? (await newTooling(workspace))).ready();
  };
}

function createVerify(log: Log): Runtime['verify'] {
  return async (id, options = {}) => {
    const {requiredKeys, verifyInteraction} = await import('./verify/verify.ts');
    return await verifyInteraction(id, log, requiredKeys(options));
  };
}
