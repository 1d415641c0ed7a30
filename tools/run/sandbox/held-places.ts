/**
 * What holds places of a workspace that do not exist while a command runs: nothing can be mounted where there is nothing.
 *
 * It is there for that long only, and told apart from what others make by its sticky bit: an empty folder or one of our
 * texts with that bit is what a crash has left, and the next command takes it over.
 */

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import {basename, dirname, relative, sep} from 'node:path';

import {repositories} from '../../../machines/places/places.ts';
import {attempt} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {type Guarded, isBelow, statsOf} from '../../containment/guarded.ts';

const folderMode = 0o1755;
const fileMode = 0o1644;
const usualFolderMode = 0o755;

const texts: ReadonlySet<string> = new Set(
  Object.values(repositories)
    .flat()
    .flatMap(({held}) => (typeof held === 'object' ? [held.text] : [])),
);

/** How many commands that run are held by what stands at a path: several may, in one process. */
const holders = new Map<string, number>();

/** Whether it is what a command that crashed has left, or one that still runs holds. */
export function isLeftover(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  const mode = stats.mode & 0o7777;
  try {
    if (stats.isDirectory()) return mode === folderMode && readdirSync(path).length === 0;
    return stats.isFile() && mode === fileMode && texts.has(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

/** Of a folder: by its permissions, which are all that most folders are asked for. */
export function mayBeLeftover({mode}: Stats): boolean {
  return (mode & 0o7777) === folderMode;
}

export interface Holding {
  /** What was missing. */
  readonly paths: readonly string[];
  /** What can be mounted: all that exists, and what is held. */
  readonly places: readonly Guarded[];
  /** Removes what is held, unless somebody has put something into it. Never throws. */
  readonly release: () => void;
}

/** Makes what is missing. A place that can't be made can't be made by the command either, and is left out. */
export function holdPlaces(places: readonly Guarded[], workspace: string): Holding {
  const held: string[] = [];
  const roots = [workspace, ...places.filter((one) => !one.held).map(({path}) => path)];
  const present = places.filter((place) => {
    if (place.held === undefined) return true;
    const root = roots.find((one) => isBelow(one, place.path));
    if (root === undefined || !make(place, root)) return false;
    holders.set(place.path, (holders.get(place.path) ?? 0) + 1);
    held.push(place.path);
    return true;
  });
  return {paths: held, places: present, release: () => held.toReversed().forEach(letGo)};
}

/** Each folder on the way is opened by the one before, so that none of them is a link by now. */
function make({path, held = 'folder'}: Guarded, root: string): boolean {
  const parts = relative(root, dirname(path))
    .split(sep)
    .filter((part) => part !== '');
  const made = attempt(path, () => {
    const folder = openFolder(root, parts);
    try {
      const place = folder.reach(basename(path));
      if (held === 'folder') makeFolder(place);
      else makeFile(place, held.text);
    } finally {
      folder.close();
    }
  });
  return made.ok || isLeftover(path);
}

function makeFolder(path: string): void {
  mkdirSync(path);
  chmodSync(path, folderMode);
}

function makeFile(path: string, text: string): void {
  const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY} = constants;
  const fd = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    writeSync(fd, text);
    fchmodSync(fd, fileMode);
  } finally {
    closeSync(fd);
  }
}

function letGo(path: string): void {
  const others = (holders.get(path) ?? 1) - 1;
  if (others > 0) {
    holders.set(path, others);
    return;
  }
  holders.delete(path);
  if (!isLeftover(path)) {
    unmark(path);
    return;
  }
  attempt(path, () => (statsOf(path)?.isDirectory() === true ? rmdirSync(path) : unlinkSync(path)));
}

/** Somebody outside has begun to use it. */
function unmark(path: string): void {
  const stats = statsOf(path);
  if (stats?.isDirectory() === true && (stats.mode & 0o7777) === folderMode) {
    attempt(path, () => chmodSync(path, usualFolderMode));
  }
}
