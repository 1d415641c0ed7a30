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
  const {files, folders} = contentOf(path, stats);
  for (const id of files) ids.add(id);
  for (const name of folders) {
    const below = `${path}/${name}`;
    collect(below, statOf(below, lstatSync), ids);
  }
}

interface Content {
  /** The folder that was read, in the state in which it was read. */
  readonly state: string;
  readonly at: number;
  /** Identities of its files. */
  readonly files: readonly string[];
  /** Names of its folders. */
  readonly folders: readonly string[];
}

const contents = new Map<string, Content>();

/** Read again only when the folder has changed: no name in it gets another file without a change of the folder's time. */
function contentOf(path: string, stats: Stats): Content {
  const state = `${idOf(stats)} ${stats.mtimeMs} ${stats.ctimeMs}`;
  const last = contents.get(path);
  if (last?.state === state && stats.ctimeMs < last.at - coarseMs) return last;
  const at = Date.now();
  const found = namesIn(path).map((name) => ({
    name,
    stats: statOf(`${path}/${name}`, lstatSync),
  }));
  const files = found.flatMap(({stats: each}) =>
    each && !each.isSymbolicLink() && !each.isDirectory() ? [idOf(each)] : [],
  );
  const folders = found.flatMap(({name, stats: each}) => (each?.isDirectory() ? [name] : []));
  const content = {state, at, files, folders};
  contents.set(path, content);
  return content;
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
function statOf(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path, {throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}
