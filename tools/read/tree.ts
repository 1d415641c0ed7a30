/**
 * A folder of the workspace as the library that walks sees it: each folder is opened without following any link, and
 * holds only what is to be listed. What the library asks for cannot lead it out, and no name can mislead it.
 */

import {type Dirent, lstatSync, readdirSync} from 'node:fs';
import {posix, resolve} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import type glob from 'fast-glob';

import {type Folder, openFolder} from '../containment/folder.ts';
import {isTemporary} from '../write/leftovers.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from './ignored.ts';
import {paced} from './pace.ts';
import {readIn} from './read.ts';

export interface Listed {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
}

/** What one walk does not go beyond. */
export const maxListed = 100_000;
const maxDepth = 100;

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 100_000;

/** The library's patterns don't match line ends, and take a backslash for a separator in some places. */
const misread = /[\n\r\u2028\u2029\\]/;

export interface Tree {
  /** Where the walk begins: an absolute path. */
  readonly root: string;
  readonly fs: Partial<glob.FileSystemAdapter>;
  /** The file that an entry of the walk stands for. */
  readonly fileOf: (entry: object) => Listed | undefined;
  /** Whether the walk ended at a limit, and how many folders could not be read. */
  readonly gaps: () => {readonly cut: boolean; readonly unreadable: number};
}

/** A folder to list, with the rules of the folders above it. */
interface Place {
  readonly parts: readonly string[];
  readonly ignore: readonly RuleSet[];
}

type Asked =
  | [options: {withFileTypes: true}, callback: (error: null, entries: Dirent[]) => void]
  | [callback: (error: Error, names: string[]) => void];

/** Throws when `base` is no folder of the workspace. After an abort everything in it is empty. */
export function createTree(workspace: string, base: readonly string[], signal: AbortSignal): Tree {
  const root = resolve(workspace, ...base);
  const places = new Map<string, Place>([
    [root, {parts: base, ignore: rulesAbove(workspace, base)}],
  ]);
  const files = new Map<object, Listed>();
  let cut = false;
  let unreadable = 0;
  let renamed = 0;

  const read = async (path: string): Promise<Dirent[]> => {
    const place = places.get(path);
    if (!place || signal.aborted || files.size >= maxListed) return [];
    const isDeepest = place.parts.length - base.length >= maxDepth;
    const found: Dirent[] = [];
    const steps = contents(workspace, place);
    try {
      await paced(steps, signal, ({entry, file, folder}) => {
        if (misread.test(entry.name)) entry.name = `\0${(renamed += 1)}`;
        if (file) files.set(entry, file);
        if (folder) places.set(posix.join(path, entry.name), folder);
        if (folder && isDeepest) cut = true;
        else found.push(entry);
        return files.size < maxListed;
      });
    } catch {
      unreadable += 1;
    } finally {
      steps.return();
    }
    return found;
  };
  return {
    root,
    fs: {readdir: readdirBy(read), lstat: refuse, stat: refuse},
    fileOf: (entry) => files.get(entry),
    gaps: () => ({cut: cut || files.size >= maxListed, unreadable}),
  };
}

function readdirBy(read: (path: string) => Promise<Dirent[]>): glob.FileSystemAdapter['readdir'] {
  return (path: string, ...asked: Asked): void => {
    if (asked.length === 1) asked[0](notOffered, []);
    else void answer(read(path), asked[1]);
  };
}

/** One turn of the event loop for each folder: the library itself goes on at once. */
async function answer(
  entries: Promise<Dirent[]>,
  callback: (error: null, entries: Dirent[]) => void,
): Promise<void> {
  const found = await entries;
  await setImmediate();
  callback(null, found);
}

const notOffered = new Error('not offered to the library that walks');

function refuse(): never {
  throw notOffered;
}

interface Found {
  readonly entry: Dirent;
  readonly file?: Listed;
  readonly folder?: Place;
}

function* contents(
  workspace: string,
  {parts, ignore: above}: Place,
): Generator<Found, void, undefined> {
  const folder = openFolder(workspace, parts);
  try {
    const entries = readdirSync(folder.self, {withFileTypes: true});
    const ignore = [...above, ...rulesIn(folder, parts.length)];
    for (const entry of entries) {
      const path = [...parts, entry.name];
      const isFolder = entry.isDirectory();
      if (!isFolder && (!entry.isFile() || isTemporary(entry.name))) continue;
      if (isIgnored(path, isFolder, ignore)) continue;
      if (isFolder) yield {entry, folder: {parts: path, ignore}};
      else yield* measured(folder, entry, path);
    }
  } finally {
    folder.close();
  }
}

function* measured(folder: Folder, entry: Dirent, path: readonly string[]): Generator<Found> {
  const stats = lstatSync(folder.reach(entry.name), {throwIfNoEntry: false});
  if (stats?.isFile()) yield {entry, file: {path: path.join('/'), bytes: stats.size}};
}

/** The rules of one folder's own `.gitignore`; one that can't be read ignores nothing. */
function rulesIn(folder: Folder, depth: number): RuleSet[] {
  try {
    const {bytes} = readIn(folder, ignoreFile, depth, maxIgnoreBytes);
    return [parseIgnoreFile(bytes.toString('utf8'), depth)];
  } catch {
    return [];
  }
}

/** The rules of the folders above a place. Who names an ignored folder means to look into it: none, then. */
function rulesAbove(workspace: string, base: readonly string[]): RuleSet[] {
  const sets: RuleSet[] = [];
  for (let depth = 0; depth < base.length; depth += 1) {
    const folder = openFolder(workspace, base.slice(0, depth));
    try {
      sets.push(...rulesIn(folder, depth));
    } finally {
      folder.close();
    }
    if (isIgnored(base.slice(0, depth + 1), true, sets)) return [];
  }
  return sets;
}
