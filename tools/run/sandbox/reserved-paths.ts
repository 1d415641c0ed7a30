/**
 * Placeholders for places of a workspace that do not exist while a command runs: a mount needs an existing target.
 *
 * A placeholder exists only while the command runs, and its sticky bit distinguishes it from other files: an empty folder or one of our
 * texts with that bit was left by a crash, and the next command takes it over.
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
import {type Guard, type Guarded, isBelow, statsOf} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';

const folderMode = 0o1755;
const fileMode = 0o1644;
const usualFolderMode = 0o755;

const texts: ReadonlySet<string> = new Set(
  Object.values(repositories)
    .flat()
    .flatMap(({held}) => (typeof held === 'object' ? [held.text] : [])),
);

/** The number of running commands that need the placeholder at a path: one process may run several. */
const holders = new Map<string, number>();

/** A crashed command has left it, or a running one needs it. */
export function isLeftover(path: string): boolean {
  const stats = statsOf(path);
  if (stats === undefined) return false;
  const mode = stats.mode & 0o7777;
  try {
    if (stats.isDirectory()) return mode === folderMode && readdirSync(path).length === 0;
    return stats.isFile() && mode === fileMode && texts.has(readFileSync(openable(path), 'utf8'));
  } catch {
    return false;
  }
}

/** Judges a folder by its permissions, so that most folders need no further check. */
export function mayBeLeftover({mode}: Stats): boolean {
  return (mode & 0o7777) === folderMode;
}

export interface ReservedPaths {
  /** The paths that were missing. */
  readonly paths: readonly string[];
  /** The places that can be mounted: the existing ones, and the placeholders. */
  readonly places: readonly Guarded[];
  /** Removes the placeholders, unless something was put into them. Never throws. */
  readonly release: () => void;
}

/** Makes the missing places. One that can't be made can't be made by the command either, and is left out. */
export function reservePaths(places: readonly Guarded[], workspace: string): ReservedPaths {
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

/** The mounts that git must not try to remove. */
export function unremovable(
  {places, closed}: Guard,
  {paths}: Pick<ReservedPaths, 'paths'>,
  {leavesGuarded = false}: {readonly leavesGuarded?: boolean},
): readonly string[] {
  if (!leavesGuarded) return paths;
  const shut = places.flatMap(({path, as}) => (as === 'shut' ? [path] : []));
  return [...new Set([...paths, ...closed, ...shut])];
}

/** Each folder on the way is opened through the previous one, so that none of them is a link. */
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

/** Another program has begun to use it. */
function unmark(path: string): void {
  const stats = statsOf(path);
  if (stats?.isDirectory() === true && (stats.mode & 0o7777) === folderMode) {
    attempt(path, () => chmodSync(path, usualFolderMode));
  }
}
