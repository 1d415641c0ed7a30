/**
 * The regular files of a workspace's folder: a contained walk that follows no link and skips what nobody searches,
 * which includes what `.gitignore` files name.
 */

import {lstatSync, readdirSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';

import {type Attempt, attempt} from '../containment/denial.ts';
import {type Folder, openFolder} from '../containment/folder.ts';
import {followInside} from '../containment/follow.ts';
import {partsOf} from '../containment/path-text.ts';
import {isTemporary} from '../write/leftovers.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from './ignored.ts';
import {readIn} from './read.ts';

export interface Listed {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
}

/** What one walk does not go beyond. */
export const maxListed = 100_000;
const maxDepth = 100;
const sliceMs = 25;

const ignoreFile = '.gitignore';
const maxIgnoreBytes = 100_000;

const skipped: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** The components of a folder inside the workspace, links resolved. */
export function folderInside(workspace: string, path: string): Attempt<readonly string[]> {
  const parts = partsOf(workspace, path);
  if (!parts.ok) return parts;
  return attempt(path, () =>
    followInside(workspace, parts.value, (current) => {
      openFolder(workspace, current).close();
      return current;
    }),
  );
}

export interface Listing {
  readonly files: readonly Listed[];
  /** The walk ended at its limit: there are more. */
  readonly cut: boolean;
  /** Folders that could not be read. */
  readonly unreadable: number;
}

/** All files below a folder, by path in code unit order. Gives way to the event loop; ends early on abort. */
export async function listFiles(
  workspace: string,
  base: readonly string[],
  signal: AbortSignal,
): Promise<Listing> {
  const files: Listed[] = [];
  let unreadable = 0;
  let cut = false;
  await paced(walk(workspace, base), signal, (found) => {
    if (found === 'unreadable') unreadable += 1;
    else if (found === 'cut') cut = true;
    else for (const file of found) files.push(file);
    return files.length < maxListed;
  });
  const kept = files.slice(0, maxListed);
  return {
    files: kept.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    cut: cut || files.length >= maxListed,
    unreadable,
  };
}

/** Takes one step after the other until `take` says false, giving way to the event loop between slices of 25 ms. */
export async function paced<T>(
  steps: Iterator<T>,
  signal: AbortSignal,
  take: (step: T) => boolean,
): Promise<void> {
  const until = performance.now() + sliceMs;
  do {
    const step = steps.next();
    if (step.done === true || signal.aborted || !take(step.value)) return;
  } while (performance.now() < until);
  await setImmediate();
  return paced(steps, signal, take);
}

/** Yields the files of one folder after the other. */
function* walk(
  workspace: string,
  base: readonly string[],
): Generator<readonly Listed[] | 'unreadable' | 'cut'> {
  const open: Place[] = [{parts: base, ignore: rulesAbove(workspace, base)}];
  for (let place = open.pop(); place; place = open.pop()) {
    const found = tryList(workspace, place);
    yield found ? found.files : 'unreadable';
    if (place.parts.length - base.length >= maxDepth) {
      if (found && found.folders.length > 0) yield 'cut';
      continue;
    }
    for (const folder of found?.folders ?? []) open.push(folder);
  }
}

/** A folder to list, with the rules of the folders above it. */
interface Place {
  readonly parts: readonly string[];
  readonly ignore: readonly RuleSet[];
}

interface Contents {
  readonly files: readonly Listed[];
  readonly folders: readonly Place[];
}

function tryList(workspace: string, place: Place): Contents | undefined {
  try {
    return listFolder(workspace, place);
  } catch {
    return undefined;
  }
}

function listFolder(workspace: string, {parts, ignore: above}: Place): Contents {
  const folder = openFolder(workspace, parts);
  try {
    const entries = readdirSync(folder.self, {withFileTypes: true});
    const ignore = [...above, ...rulesIn(folder, parts.length)];
    const isKept = (name: string, isFolder: boolean): boolean =>
      !isIgnored([...parts, name], isFolder, ignore);
    const folders = entries.filter(
      (entry) => entry.isDirectory() && !skipped.has(entry.name) && isKept(entry.name, true),
    );
    const files = entries.flatMap((entry): Listed[] => {
      if (!entry.isFile() || isTemporary(entry.name) || !isKept(entry.name, false)) return [];
      const stats = lstatSync(folder.reach(entry.name), {throwIfNoEntry: false});
      return stats?.isFile() ? [{path: [...parts, entry.name].join('/'), bytes: stats.size}] : [];
    });
    return {files, folders: folders.map(({name}) => ({parts: [...parts, name], ignore}))};
  } finally {
    folder.close();
  }
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

/** The names directly in the workspace, sorted; folders end with `/`. Links are named, not followed. */
export function topLevel(workspace: string): Attempt<readonly string[]> {
  return attempt('.', () => {
    const folder = openFolder(workspace, []);
    try {
      return readdirSync(folder.self, {withFileTypes: true})
        .filter(({name}) => !isTemporary(name))
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .toSorted();
    } finally {
      folder.close();
    }
  });
}
