/** Reads, forks and rewinds recorded runs. Loaded when it is first used. */

import {constants, lstatSync} from 'node:fs';
import {cp, rm} from 'node:fs/promises';
import {resolve as resolvePath, join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {isOwn} from '../../tools/containment/own-state.ts';
import {isGitPlace} from '../../tools/run/snapshot/entry.ts';
import {settingsAfter} from '../config/change.ts';
import type {ConfigInput} from '../config/schema.ts';
import {requireOwnRun} from '../journal/chain.ts';
import type {Entry, Backup} from '../journal/journal.ts';
import {openedIn, receivedIn, requireHere} from '../run/run-input.ts';
import type {TakeoverDeps} from '../run/takeover.ts';
import type {ResumeWith, Run, Runtime} from '../runtime-api.ts';
import {eraseRun} from '../sessions/retention.ts';
import {backupsAfter} from '../undo/backups.ts';
import {chainsOf, stepsFor, takeAll} from '../undo/undo-steps.ts';
import {undoRun} from '../undo/undo.ts';
import {type ForkPoint, prepareFork, type PreparedFork, requireOpenAt} from './fork.ts';
import type {ForkOptions, History} from './history-api.ts';
import {compareReplay, diffRun, entryOf, readRun, upTo, type Recorded} from './read-run.ts';
import {momentAfter, momentsOf} from './record.ts';

type Continuing = Pick<Runtime, 'resume' | 'ready'>;

export function createHistory(deps: TakeoverDeps, continuing: Continuing): History {
  const {journal} = deps;
  return {
    replay: async (id) => await compareReplay(id, (await readRun(id, journal)).entries),
    at: async (id, point) => {
      const {entries} = await readRun(id, journal);
      return await momentAfter(upTo(entries, await entryOf(point, 'after', id, entries)));
    },
    moments: async function* moments(id) {
      yield* momentsOf((await readRun(id, journal)).entries);
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
      requireHere(openedIn(original.entries), deps.host);
      const point = {at: await entryOf(at, 'before', id, original.entries), workspace, session};
      const fork = await prepareFrom(id, point, {original, settings, say});
      await fork.write();
      try {
        return await openFork(fork.id, how, continuing);
      } catch (error) {
        await eraseRun(fork.id, deps);
        throw error;
      }
    },
    rewind: async (id, {to, dryRun = false, settings, say, session, ...how}) => {
      const original = await readRun(id, journal);
      requireOwnRun(id, original);
      requireHere(openedIn(original.entries), deps.host);
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
  {opened}: Recorded,
  {settings, deps}: {readonly settings: ConfigInput; readonly deps: TakeoverDeps},
): JsonObject {
  const now = settingsAfter(opened, receivedIn(past));
  return deps.settingsEvent(settings, opened.form, now);
}

// Copies the folder of a run as it was after an entry.

/**
 * `target` must not exist. `later`: backups of the changes since the entry, which are taken back in the copy. Rejects with AppError
 * `io` when the folder can't be copied, `usage` when a change can't be taken back.
 */
export async function copyFolder(
  source: string,
  target: string,
  later: readonly Backup[],
): Promise<void> {
  try {
    await cp(source, target, {
      recursive: true,
      filter: (path) => !isOwn(lstatSync(path, {throwIfNoEntry: false})),
      force: false,
      errorOnExist: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `${source} can't be copied to ${target}: ${why}`, {cause: error});
  }
  // Another repository's data is not a part of the copy.
  const hasGit = lstatSync(join(target, '.git'), {throwIfNoEntry: false})?.isDirectory() === true;
  const chains = chainsOf(later.filter(({path}) => hasGit || !isGitPlace(path)));
  const steps = await stepsFor({workspace: target, foldersSince: 0}, chains);
  const first = (await takeAll(steps)).find(({outcome}) => outcome === 'left');
  if (!first) return;
  await rm(target, {recursive: true});
  throw new AppError(
    'usage',
    `the folder can't be copied as it was: ${first.path}: ${first.why ?? 'it was changed since'}`,
  );
}
