/** Places of a workspace that a command may not change although the rest is writable, as data for the confinement. */

import {lstatSync, readdirSync, readFileSync, realpathSync, type Stats} from 'node:fs';
import {dirname, relative, sep} from 'node:path';

import {openable} from './own-state.ts';

/** An empty folder, or a file of this text. */
export type Held = 'folder' | {readonly text: string};

export interface Guarded {
  /** Absolute. No component of it is a link. */
  readonly path: string;
  /**
   * `pinned`: writable, but it can't be moved away, removed or replaced. `shut`: also read-only, with all its content.
   * `masked`: it appears empty. `barred`: also, a file looks like a device, which git never adds.
   */
  readonly as: 'pinned' | 'shut' | 'masked' | 'barred';
  /** Nothing exists at the path: a placeholder of this kind is there while the command runs. */
  readonly held?: Held;
}

export interface Guard {
  /** Sorted by path, each path once: a folder comes before the places in it. */
  readonly places: readonly Guarded[];
  /** Absolute paths. A link itself can't be guarded: its target is, and the link is checked again afterwards. */
  readonly links: readonly string[];
  /** Absolute paths of folders of installed packages that are shut. */
  readonly packages: readonly string[];
  /** Absolute paths of files and folders with credentials that are masked: see `Program.closed`. */
  readonly closed: readonly string[];
}

const strength = {pinned: 0, shut: 1, masked: 2, barred: 3};

/** The strongest entry per path; none below a masked one, which appears empty. */
export function merged(places: readonly Guarded[]): readonly Guarded[] {
  const byPath = new Map<string, Guarded>();
  for (const place of places) {
    const known = byPath.get(place.path);
    if (known === undefined || strength[known.as] < strength[place.as])
      byPath.set(place.path, place);
  }
  const all = [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const masks = all.filter(({as}) => as === 'masked' || as === 'barred');
  return all.filter(({path}) => !masks.some((mask) => isBelow(mask.path, path)));
}

/** The folders between `root` and `path`, neither of them included. */
export function foldersBetween(root: string, path: string): string[] {
  const between: string[] = [];
  for (let at = dirname(path); isBelow(root, at); at = dirname(at)) between.push(at);
  return between;
}

/** `path` lies in the folder, and is not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !below.startsWith(sep);
}

/** Undefined when nothing exists, or when a folder of the path is a file. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** The real path; undefined when the path leads nowhere. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(openable(folder));
  } catch {
    return [];
  }
}

const maxTextBytes = 262_144;

/** Empty when there is no such file, or when it is larger than such files usually are. */
export function smallFileText(path: string): string {
  const stats = statsOf(path);
  if (stats?.isFile() !== true || stats.size > maxTextBytes) return '';
  try {
    return readFileSync(openable(path), 'utf8');
  } catch {
    return '';
  }
}
