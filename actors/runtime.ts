/** The composition root: builds a runtime from charts, models, tools and a journal. */

import {createEquipment, type Equipment} from './equipment.ts';
import {createLateHistory} from './history/late-history.ts';
import {createLateInspection} from './inspect/late-inspection.ts';
import type {Log} from './journal/journal.ts';
import {toolingOf} from './performers/tooling.ts';
import {listenerFor} from './run/listening.ts';
import {createLiveRuns} from './run/live-runs.ts';
import {openRun, placeOf} from './run/open-run.ts';
import {movedTo, moveIn, openedIn} from './run/run-input.ts';
import {resumeRun} from './run/takeover.ts';
import type {Runtime} from './runtime-api.ts';
import type {RuntimeOptions} from './runtime-options.ts';
import {createCancel} from './sessions/cancel.ts';
import {createRetention} from './sessions/retention.ts';
import {resumeSession, sessionsIn} from './sessions/sessions.ts';

export type {RuntimeOptions};

/**
 * Throws AppError `config` for an option that cannot be used. `start` throws AppError `config` or `credentials` for a role
 * without a usable model. `resume` and `cancel` use the settings of the open run; they need no key of a model that they do not
 * call.
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const equipment = createEquipment(options);
  const {deps, check, warningsOf} = equipment;
  const {journal, snapshots} = deps;
  const {log, owners} = journal;
  const runs = createLiveRuns(snapshots);

  const start: Runtime['start'] = ({onEvent, signal, ...given}) => {
    runs.requireOpen();
    const run = openRun(given, equipment, (id) => listenerFor(id, options, onEvent));
    return runs.track(run, signal);
  };
  const resume: Runtime['resume'] = async (
    id,
    {settings, prepare, workspace, onEvent, signal} = {},
  ) => {
    const listener = listenerFor(id, options, onEvent);
    const how = {check, settings, prepare, workspace, warningsOf, onEvent: listener};
    return await runs.takeUp(async () => await resumeRun(id, deps, how), signal);
  };
  const interactions: Runtime['interactions'] = async () => await log.list();
  const ready = createReady(equipment);
  return {
    ready,
    start,
    resume,
    interactions,
    agent: (request, place) => start({form: 'agent', request, ...place}),
    ask: (request, place) => start({form: 'ask', request, ...place}),
    sessions: async (query) => sessionsIn(await log.list(), query),
    resumeSession: async (id, listen) =>
      await resumeSession(id, {interactions, ready, resume}, listen),
    cancel: createCancel(
      journal,
      async (id, events) => await runs.takeUp(async () => await resumeRun(id, deps, {events})),
    ),
    ...createRetention(journal, (id) => snapshots.forget(id)),
    undo: async (id, how) => {
      const {undoRun} = await import('./undo/undo.ts');
      return await undoRun(id, deps, how);
    },
    ...createLateHistory(async () => {
      const {createHistory} = await import('./history/history.ts');
      return createHistory(deps, {resume, ready});
    }),
    ...createLateInspection(async () => {
      const {createInspection} = await import('./inspect/inspection.ts');
      return createInspection({journal, priceOf: deps.priceOf, asSent: equipment.asSent});
    }),
    entries: async (id) => await log.read(id),
    salvage: async (id) => await log.salvage(id),
    verify: createVerify(log),
    isAtWork: async (id) => (await owners.tenureOf(id)) === 'owned',
    close: async () => {
      await runs.close();
      snapshots.close();
      if (!options.journal) await journal.close();
    },
  };
}

function createReady({config, deps, toolboxOf}: Equipment): Runtime['ready'] {
  const {log} = deps.journal;
  return async ({workspace, run, entries} = {}) => {
    const read = entries ?? (run === undefined ? [] : (await log.salvage(run)).entries);
    const opened = openedIn(read);
    const folder = workspace ?? moveIn(read)?.to;
    const own = opened && (folder === undefined ? opened : movedTo(opened, folder)).tooling;
    await toolboxOf(own ?? toolingOf(config, placeOf(workspace, config))).ready();
  };
}

function createVerify(log: Log): Runtime['verify'] {
  return async (id, options = {}) => {
    const {requiredKeys, verifyInteraction} = await import('./verify/verify.ts');
    return await verifyInteraction(id, log, requiredKeys(options));
  };
}
