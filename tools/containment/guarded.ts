/** What of a workspace a command may not change although the rest is writable: data for whatever confines it. */

import {lstatSync, readdirSync, readFileSync, realpathSync, type Stats} from 'node:fs';
import {dirname, relative, sep} from 'node:path';

/** An empty folder, or a file of this text. */
export type Held = 'folder' | {readonly text: string};

export interface Guarded {
  /** Absolute. No component of it is a link. */
  readonly path: string;
  /**
   * `pinned`: writable, but it can't be moved away, removed or replaced. `shut`: that, and read-only with all that it holds.
   * `masked`: it is empty. `barred`: that, and a file looks like a device, which git never adds.
   */
  readonly as: 'pinned' | 'shut' | 'masked' | 'barred';
  /** There is nothing: what stands there for as long as the command runs. */
  readonly held?: Held;
}

export interface Guard {
  /** Sorted by path, each path once: what holds others comes before them. */
  readonly places: readonly Guarded[];
  /** Absolute paths. A link can't be guarded as such: what it leads to is; it itself is looked at again afterwards. */
  readonly links: readonly string[];
  /** Absolute paths of files and folders with credentials that are masked: see `Program.closed`. */
  readonly closed: readonly string[];
}

const strength = {pinned: 0, shut: 1, masked: 2, barred: 3};

/** One entry a path, the strongest; none below what is masked: there is nothing. */
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

/** Whether `path` lies in the folder, and is not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !below.startsWith(sep);
}

/** Undefined when there is nothing, or a file where a folder of the path should be. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Where a path leads; undefined when it leads nowhere. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const maxTextBytes = 262_144;

/** Empty when there is no such file, or it is larger than what such files are. */
export function textOf(path: string): string {
  const stats = statsOf(path);
  if (stats?.isFile() !== true || stats.size > maxTextBytes) return '';
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
