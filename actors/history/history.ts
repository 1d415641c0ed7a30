/** Reads, forks and rewinds recorded runs. Loaded when it is first used. */

import {resolve as resolvePath} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import type {Entry} from '../journal/journal.ts';
import {moveIn, openedIn, receivedIn, settingsAfter} from '../run/run-input.ts';
import type {TakeoverDeps} from '../run/takeover.ts';
import type {ResumeWith, Run, Runtime} from '../runtime-api.ts';
import {eraseRun} from '../sessions/erase.ts';
import type {UndoReport} from '../undo/undo-report.ts';
import {requireFolder, undoRun} from '../undo/undo.ts';
import {backupsAfter} from './changes-since.ts';
import {compareReplay} from './compare-replay.ts';
import {copyFolder} from './folder-copy.ts';
import {type ForkPoint, prepareFork, type PreparedFork, requireOpenAt} from './fork.ts';
import type {ForkOptions, History} from './history-api.ts';
import {momentAfter} from './moment.ts';
import {diffRun, entryOf, pointsOf, readRecord, readRun, type Recorded, upTo} from './read-run.ts';

type Continuing = Pick<Runtime, 'resume' | 'ready'>;

export function createHistory(deps: TakeoverDeps, continuing: Continuing): History {
  const {journal} = deps;
  const read: Read = async (id) => await readRun(id, journal);
  return {
    points: async (id) => await pointsOf(id, await read(id)),
    replay: async (id) => await compareReplay(id, await read(id)),
    at: async (id, point) => {
      const entries = await read(id);
      return await momentAfter(upTo(entries, await entryOf(point, 'after', id, entries)));
    },
    diff: async (id, from, to) => await diffRun(id, [from, to], journal),
    copyFolder: async (id, at, target) => {
      const entries = await read(id);
      const seq = await entryOf(at, 'before', id, entries);
      const later = backupsAfter((await journal.backups?.list(id)) ?? [], entries, seq);
      await copyFolder(folderOf(entries), resolvePath(target), later);
    },
    ...createForks(deps, continuing),
  };
}

type Read = (id: string) => Promise<readonly Entry[]>;

interface ForkGround {
  readonly recorded: Recorded;
  readonly settings: ForkOptions['settings'];
  readonly say: ForkOptions['say'];
}

function createForks(deps: TakeoverDeps, continuing: Continuing): Pick<History, 'fork' | 'rewind'> {
  const {journal} = deps;
  const prepareFrom = async (
    id: string,
    point: ForkPoint,
    {recorded, settings, say}: ForkGround,
  ): Promise<PreparedFork> =>
    await prepareFork(id, point, {
      journal,
      ...recorded,
      say: say === undefined ? undefined : deps.redactor.text(say),
      changeFor: (past) => changeFor(past, settings, deps),
    });
  const open = async (id: string, how: ResumeWith): Promise<Run> =>
    await openFork(id, how, continuing);
  return {
    fork: async (id, {at, settings, say, workspace, session, ...how}) => {
      const recorded = await readRecord(id, journal);
      const point = {at: await entryOf(at, 'before', id, recorded.entries), workspace, session};
      const fork = await prepareFrom(id, point, {recorded, settings, say});
      await fork.write();
      try {
        return await open(fork.id, how);
      } catch (error) {
        await eraseRun(fork.id, journal);
        throw error;
      }
    },
    rewind: async (id, {to, dryRun = false, settings, say, session, ...how}) => {
      const recorded = await readRecord(id, journal);
      const {entries, isImported} = recorded;
      const at = await entryOf(to, 'before', id, entries);
      requireOpenAt(entries, at);
      if (isImported) requireFolder(id, undefined, `quorate fork ${id} --at ${at} -C FOLDER`);
      const undoing = async (dry: boolean): Promise<UndoReport> =>
        await undoRun(id, deps, {dryRun: dry, after: at, isWhole: true});
      const preview = await undoing(true);
      if (dryRun || preview.isRefused === true) return {files: preview};
      const point = {at, workspace: folderOf(entries), session, isRestored: true};
      const fork = await prepareFrom(id, point, {recorded, settings, say});
      const files = await undoing(false);
      if (files.isRefused === true) return {files};
      // Last: a process that dies earlier leaves no run in a folder that is not as it was at the point.
      await fork.write();
      try {
        return {files, run: await open(fork.id, how)};
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
  settings: ForkOptions['settings'],
  {settingsEvent}: TakeoverDeps,
): JsonObject | undefined {
  const opened = openedIn(past);
  if (!settings || !opened) return undefined;
  return settingsEvent(settings, opened.form, settingsAfter(opened.settings, receivedIn(past)));
}

function folderOf(entries: readonly Entry[]): string {
  return moveIn(entries)?.to ?? openedIn(entries)?.workspace ?? '.';
}
