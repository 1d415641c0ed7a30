/** Reads, forks and rewinds recorded runs. Loaded when it is first used. */

import {resolve as resolvePath} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {requireUsable} from '../journal/chain.ts';
import type {Entry, Journal} from '../journal/journal.ts';
import {moveIn, openedIn, receivedIn, settingsAfter} from '../run/run-input.ts';
import type {TakeoverDeps} from '../run/takeover.ts';
import type {Runtime} from '../runtime-api.ts';
import {eraseRun} from '../sessions/erase.ts';
import type {UndoReport} from '../undo/undo-report.ts';
import {undoRun} from '../undo/undo.ts';
import {readRecordedRun} from '../verify/recorded-run.ts';
import {backupsAfter} from './changes-since.ts';
import {compareReplay} from './compare-replay.ts';
import {copyFolder} from './folder-copy.ts';
import {type ForkPoint, type Forked, forkRun} from './fork.ts';
import type {ForkOptions, History, PointName} from './history-api.ts';
import {momentAfter} from './moment.ts';
import {diffMoments} from './moments-diff.ts';
import {entryAt, namedPoints, type NamedPoint} from './points.ts';

export function createHistory(deps: TakeoverDeps, resume: Runtime['resume']): History {
  const {journal} = deps;
  const read: Read = async (id) => requireUsable(await journal.log.salvage(id)).entries;
  return {
    points: async (id) => await pointsOf(id, await read(id)),
    replay: async (id) => await compareReplay(id, await read(id)),
    at: async (id, point) => {
      const entries = await read(id);
      return await momentAfter(upTo(entries, await entryOf(point, 'after', id, entries)));
    },
    diff: createDiff(journal, read),
    copyFolder: async (id, at, target) => {
      const entries = await read(id);
      const seq = await entryOf(at, 'before', id, entries);
      const later = backupsAfter((await journal.backups?.list(id)) ?? [], entries, seq);
      await copyFolder(folderOf(entries), resolvePath(target), later);
    },
    ...createForks(deps, read, resume),
  };
}

type Read = (id: string) => Promise<readonly Entry[]>;

function createDiff({backups}: Journal, read: Read): History['diff'] {
  return async (id, from, to) => {
    const entries = await read(id);
    const ends = await Promise.all(
      [from, to].map(async (point) => await entryOf(point, 'after', id, entries)),
    );
    const [first = 0, last = 0] = ends.toSorted((a, b) => a - b);
    const before = await momentAfter(upTo(entries, first));
    const after = await momentAfter(upTo(entries, last));
    return diffMoments(before, after, {entries, backups: (await backups?.list(id)) ?? []});
  };
}

interface ForkGround {
  readonly entries: readonly Entry[];
  readonly settings: ForkOptions['settings'];
  readonly say: ForkOptions['say'];
}

function createForks(
  deps: TakeoverDeps,
  read: Read,
  resume: Runtime['resume'],
): Pick<History, 'fork' | 'rewind'> {
  const {journal} = deps;
  const forkFrom = async (id: string, point: ForkPoint, how: ForkGround): Promise<Forked> =>
    await forkRun(id, point, {
      journal,
      entries: how.entries,
      say: how.say === undefined ? undefined : deps.redactor.text(how.say),
      changeFor: (past) => changeFor(past, how.settings, deps),
    });
  const open: typeof resume = async (id, how) => {
    try {
      return await resume(id, how);
    } catch (error) {
      await eraseRun(id, journal);
      throw error;
    }
  };
  return {
    fork: async (id, {at, settings, say, workspace, session, ...how}) => {
      const entries = await read(id);
      const point = {at: await entryOf(at, 'before', id, entries), workspace, session};
      const {id: fork} = await forkFrom(id, point, {entries, settings, say});
      return await open(fork, how);
    },
    rewind: async (id, {to, dryRun = false, settings, say, session, ...how}) => {
      const entries = await read(id);
      const at = await entryOf(to, 'before', id, entries);
      const undoing = async (dry: boolean): Promise<UndoReport> =>
        await undoRun(id, deps, {dryRun: dry, after: at, isWhole: true});
      const preview = await undoing(true);
      if (dryRun || preview.isRefused === true) return {files: preview};
      const point = {at, workspace: folderOf(entries), session};
      const {id: fork} = await forkFrom(id, point, {entries, settings, say});
      const files = await undoing(false);
      if (files.isRefused !== true) return {files, run: await open(fork, how)};
      await eraseRun(fork, journal);
      return {files};
    },
  };
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

function upTo(entries: readonly Entry[], seq: number): readonly Entry[] {
  return entries.slice(0, seq + 1);
}

async function pointsOf(id: string, entries: readonly Entry[]): Promise<readonly NamedPoint[]> {
  const {replayed, divergence} = await readRecordedRun(id, entries);
  if (replayed) return namedPoints(entries, replayed.reports);
  throw divergence ?? new AppError('not_found', `the run ${id} was never opened`);
}

/** The number of the entry that a point means. The run is replayed only for a name. */
async function entryOf(
  point: PointName,
  side: 'before' | 'after',
  id: string,
  entries: readonly Entry[],
): Promise<number> {
  const text = String(point);
  const names = /^\d+$/.test(text) ? [] : await pointsOf(id, entries);
  return entryAt(text, side, entries, names);
}
