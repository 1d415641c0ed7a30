/** Reads, forks and rewinds recorded runs. Loaded when it is first used. */

import {resolve as resolvePath} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Entry} from '../journal/journal.ts';
import {receivedIn, settingsAfter} from '../run/run-input.ts';
import type {TakeoverDeps} from '../run/takeover.ts';
import type {ResumeWith, Run, Runtime} from '../runtime-api.ts';
import {eraseRun} from '../sessions/retention.ts';
import {requireOwnRun} from '../sessions/run-errors.ts';
import {undoRun} from '../undo/undo.ts';
import {backupsAfter} from './changes-since.ts';
import {copyFolder} from './folder-copy.ts';
import {type ForkPoint, prepareFork, type PreparedFork, requireOpenAt} from './fork.ts';
import type {ForkOptions, History} from './history-api.ts';
import {compareReplay, diffRun, entryOf, readRun, upTo, type Recorded} from './read-run.ts';
import {momentAfter} from './record.ts';

type Continuing = Pick<Runtime, 'resume' | 'ready'>;

export function createHistory(deps: TakeoverDeps, continuing: Continuing): History {
  const {journal} = deps;
  return {
    replay: async (id) => await compareReplay(id, (await readRun(id, journal)).entries),
    at: async (id, point) => {
      const {entries} = await readRun(id, journal);
      return await momentAfter(upTo(entries, await entryOf(point, 'after', id, entries)));
    },
    diff: async (id, from, to) => await diffRun(id, [from, to], journal),
    copyFolder: async (id, at, target) => {
      const {entries, folder} = await readRun(id, journal);
      const seq = await entryOf(at, 'before', id, entries);
      const later = backupsAfter((await journal.backups?.list(id)) ?? [], entries, seq);
      await copyFolder(folder, resolvePath(target), later);
    },
    ...createForks(deps, continuing),
  };
}

interface ForkGround {
  readonly original: Recorded;
  readonly settings: ForkOptions['settings'];
  readonly say: ForkOptions['say'];
}

function createForks(deps: TakeoverDeps, continuing: Continuing): Pick<History, 'fork' | 'rewind'> {
  const {journal} = deps;
  const prepareFrom = async (
    id: string,
    point: ForkPoint,
    {original, settings, say}: ForkGround,
  ): Promise<PreparedFork> =>
    await prepareFork(id, point, {
      journal,
      original,
      say: say === undefined ? undefined : deps.redactor.text(say),
      changeFor: (past) => settings && changeFor(past, original, {settings, deps}),
    });
  return {
    fork: async (id, {at, settings, say, workspace, session, ...how}) => {
      const original = await readRun(id, journal);
      requireOwnRun(id, original);
      const point = {at: await entryOf(at, 'before', id, original.entries), workspace, session};
      const fork = await prepareFrom(id, point, {original, settings, say});
      await fork.write();
      try {
        return await openFork(fork.id, how, continuing);
      } catch (error) {
        await eraseRun(fork.id, journal);
        throw error;
      }
    },
    rewind: async (id, {to, dryRun = false, settings, say, session, ...how}) => {
      const original = await readRun(id, journal);
      requireOwnRun(id, original);
      const {entries, folder} = original;
      const at = await entryOf(to, 'before', id, entries);
      requireOpenAt(entries, at);
      const point = {at, workspace: folder, session, isRestored: true};
      const fork = await prepareFrom(id, point, {original, settings, say});
      const files = await undoRun(id, deps, {dryRun, after: at, isWhole: true});
      if (dryRun || files.isRefused === true) return {files};
      // Last: a process that dies earlier leaves no run in a folder that is not as it was at the point.
      await fork.write();
      try {
        return {files, run: await openFork(fork.id, how, continuing)};
      } catch (error) {
        throw takenBack(fork.id, error);
      }
    },
  };
}

async function openFork(
  id: string,
  {prepare, ...how}: ResumeWith,
  {resume, ready}: Continuing,
): Promise<Run> {
  return await resume(id, {
    ...how,
    prepare: async (entries) => {
      await ready({run: id, entries});
      await prepare?.(entries);
    },
  });
}

/** The files are as they were at the point, and the new run is open. */
function takenBack(id: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = `the files are taken back, but the run could not continue: ${error.message}; then: quorate resume ${id}`;
  return new AppError(error.code, message, {cause: error});
}

function changeFor(
  past: readonly Entry[],
  {opened: {form, settings: before}}: Recorded,
  {settings, deps}: {readonly settings: ConfigInput; readonly deps: TakeoverDeps},
): JsonObject {
  return deps.settingsEvent(settings, form, settingsAfter(before, receivedIn(past)));
}
