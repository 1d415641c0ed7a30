/** The regular files of a workspace's folder: a contained walk that follows no link and skips what nobody searches. */

import {lstatSync, readdirSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';

import {type Attempt, attempt} from './denial.ts';
import {openFolder} from './folder.ts';
import {followInside} from './follow.ts';
import {partsOf} from './path-text.ts';

export interface Listed {
  /** Relative to the workspace. */
  readonly path: string;
  readonly bytes: number;
}

/** What one walk does not go beyond. */
export const maxListed = 100_000;
const maxDepth = 100;
const sliceMs = 25;

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
  const open: (readonly string[])[] = [base];
  for (let parts = open.pop(); parts; parts = open.pop()) {
    const entries = tryList(workspace, parts);
    yield entries ? entries.files : 'unreadable';
    if (parts.length - base.length >= maxDepth) {
      if (entries && entries.folders.length > 0) yield 'cut';
      continue;
    }
    for (const name of entries?.folders ?? []) open.push([...parts, name]);
  }
}

function tryList(
  workspace: string,
  parts: readonly string[],
): {files: Listed[]; folders: string[]} | undefined {
  try {
    return listFolder(workspace, parts);
  } catch {
    return undefined;
  }
}

function listFolder(
  workspace: string,
  parts: readonly string[],
): {files: Listed[]; folders: string[]} {
  const folder = openFolder(workspace, parts);
  try {
    const files: Listed[] = [];
    const folders: string[] = [];
    for (const entry of readdirSync(folder.self, {withFileTypes: true})) {
      if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(entry.name);
      if (!entry.isFile()) continue;
      const stats = lstatSync(folder.reach(entry.name), {throwIfNoEntry: false});
      if (stats?.isFile()) files.push({path: [...parts, entry.name].join('/'), bytes: stats.size});
    }
    return {files, folders};
  } finally {
    folder.close();
  }
}

/** The names directly in the workspace, sorted; folders end with `/`. Links are named, not followed. */
export function topLevel(workspace: string): Attempt<readonly string[]> {
  return attempt('.', () => {
    const folder = openFolder(workspace, []);
    try {
      return readdirSync(folder.self, {withFileTypes: true})
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .toSorted();
    } finally {
      folder.close();
    }
  });
}
