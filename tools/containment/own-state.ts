/**
 * The files of Quorate itself: its data folder, its journals and locks. No tool opens them: on POSIX systems, closing any
 * descriptor of a file drops every lock that the process holds on it, those of SQLite included.
 */

import {lstatSync, readdirSync, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';

import {escapeLine} from '../escape.ts';
import {Denied, refused} from './denial.ts';

/** The times of files are this much coarser than the clock, at most. */
const coarseMs = 50;
/** Files are looked up again after this time, in case the clock was set back. */
const restMs = 1_000;

const claimed = new Set<string>();
let known:
  | {readonly ids: ReadonlySet<string>; readonly at: number; readonly untilMs: number}
  | undefined;

/** A file of ours, under any name. For callers that judge by the system's error, it is a file without permission. */
export class OwnState extends Denied {
  readonly code = 'EACCES';

  constructor(path: string) {
    super(refused('own_state', `${escapeLine(path)} belongs to the data of Quorate itself`));
  }
}

/** Absolute paths of files, and of folders with all that is in them, which need not exist. For the life of the process. */
export function claimState(places: readonly string[]): void {
  for (const place of places) claimed.add(place);
  known = undefined;
}

/** The path itself. Throws `OwnState` for a file or folder of ours, also when it is reached by a link or a mount. */
export function openable(path: string): string {
  if (claimed.size === 0) return path;
  const stats = statOf(path, statSync);
  const folder = isOwn(stats) ? stats : statOf(dirname(path), statSync);
  if (isOwn(folder)) throw new OwnState(path);
  return path;
}

/** True for a file or folder of ours: it has the same device and inode. Of a new file, its folder must be judged. */
export function isOwn(stats: Stats | undefined): boolean {
  if (stats === undefined || claimed.size === 0) return false;
  if (!identitiesFor(stats).has(idOf(stats))) return false;
  // The inode of a file of ours that was removed meanwhile may be used again.
  known = undefined;
  return identitiesFor(stats).has(idOf(stats));
}

/** A file that was made after the last lookup is looked up again. */
function identitiesFor({ctimeMs}: Stats): ReadonlySet<string> {
  const isFresh = known && ctimeMs < known.at - coarseMs && performance.now() < known.untilMs;
  if (known && isFresh) return known.ids;
  const at = Date.now();
  const ids = new Set<string>();
  for (const place of claimed) collect(place, statOf(place, statSync), ids);
  known = {ids, at, untilMs: performance.now() + restMs};
  return ids;
}

/** Links in the folder are not followed: they may lead to the files of the user. */
function collect(path: string, stats: Stats | undefined, ids: Set<string>): void {
  if (!stats || stats.isSymbolicLink()) return;
  ids.add(idOf(stats));
  if (!stats.isDirectory()) return;
  for (const name of namesIn(path)) {
    const below = `${path}/${name}`;
    collect(below, statOf(below, lstatSync), ids);
  }
}

function idOf({dev, ino}: Stats): string {
  return `${dev}:${ino}`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined when nothing is there, or when it can't be reached. */
function statOf(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}
