/** Reads, forks and rewinds recorded runs. Loaded when it is first used. */

import {AppError} from '../../machines/domain/app-error.ts';
import {requireUsable} from '../journal/chain.ts';
import type {Entry} from '../journal/journal.ts';
import {moveIn, openedIn, receivedIn, settingsAfter} from '../run/run-input.ts';
import type {TakeoverDeps} from '../run/takeover.ts';
import type {Runtime} from '../runtime-api.ts';
import {eraseRun} from '../sessions/erase.ts';
import type {UndoReport} from '../undo/undo-report.ts';
import {undoRun} from '../undo/undo.ts';
import {readRecordedRun} from '../verify/recorded-run.ts';
import {compareReplay} from './compare-replay.ts';
import {type ForkPoint, type Forked, forkRun} from './fork.ts';
import type {ForkOptions, History, PointName} from './history-api.ts';
import {momentAfter} from './moment.ts';
import {diffMoments} from './moments-diff.ts';
import {entryAt, namedPoints, type NamedPoint} from './points.ts';

interface ForkGround {
  readonly entries: readonly Entry[];
  readonly settings: ForkOptions['settings'];
}

export function createHistory(deps: TakeoverDeps, resume: Runtime['resume']): History {
  const {journal} = deps;
  const read = async (id: string): Promise<readonly Entry[]> =>
    requireUsable(await journal.log.salvage(id)).entries;

  const forkFrom = async (
    id: string,
    point: ForkPoint,
    {entries, settings}: ForkGround,
  ): Promise<Forked> =>
    await forkRun(id, point, {
      journal,
      entries,
      changeFor: (past) => {
        const opened = openedIn(past);
        if (!settings || !opened) return undefined;
        const now = settingsAfter(opened.settings, receivedIn(past));
        return deps.settingsEvent(settings, opened.form, now);
      },
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
    points: async (id) => await pointsOf(id, await read(id)),
    replay: async (id) => await compareReplay(id, await read(id)),
    at: async (id, point) => {
      const entries = await read(id);
      return await momentAfter(upTo(entries, await entryOf(point, 'after', id, entries)));
    },
    diff: async (id, from, to) => {
      const entries = await read(id);
      const ends = await Promise.all(
        [from, to].map(async (point) => await entryOf(point, 'after', id, entries)),
      );
      const [first = 0, last = 0] = ends.toSorted((a, b) => a - b);
      const backups = (await journal.backups?.list(id)) ?? [];
      const moments = [
        await momentAfter(upTo(entries, first)),
        await momentAfter(upTo(entries, last)),
      ] as const;
      return diffMoments(...moments, {entries, backups});
    },
    fork: async (id, {at, settings, workspace, session, ...how}) => {
      const entries = await read(id);
      const point = {at: await entryOf(at, 'before', id, entries), workspace, session};
      const {id: fork} = await forkFrom(id, point, {entries, settings});
      return await open(fork, how);
    },
    rewind: async (id, {to, dryRun = false, settings, session, ...how}) => {
      const entries = await read(id);
      const after = await entryOf(to, 'before', id, entries);
      const undoing = async (dry: boolean): Promise<UndoReport> =>
        await undoRun(id, deps, {dryRun: dry, after, isWhole: true});
      const preview = await undoing(true);
      if (dryRun || preview.files.some(({outcome}) => outcome === 'left')) return {files: preview};
      const workspace = moveIn(entries)?.to ?? openedIn(entries)?.workspace;
      const {id: fork} = await forkFrom(id, {at: after, workspace, session}, {entries, settings});
      const files = await undoing(false);
      if (files.isRefused === true) {
        await eraseRun(fork, journal);
        return {files};
      }
      return {files, run: await open(fork, how)};
    },
  };
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
