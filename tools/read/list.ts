/** What is in a folder of the workspace: its regular files, far down, or the names at the top. */

import {readdirSync} from 'node:fs';

import {type Attempt, attempt} from '../containment/denial.ts';
import {openFolder} from '../containment/folder.ts';
import {followInside} from '../containment/follow.ts';
import {partsOf} from '../containment/path-text.ts';
import {isTemporary} from '../write/leftovers.ts';
import {createTree, type Listed} from './tree.ts';

/** Folders that nobody searches, and no snapshot holds. */
export const skipped = ['.git', '.hg', '.svn', 'node_modules'];

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
  const {default: glob} = await import('fast-glob');
  const tree = createTree(workspace, base, signal);
  // The pattern is ours and matches everything: those of models and of ignore files are matched in linear time.
  const entries = await glob('**', {
    cwd: tree.root,
    fs: tree.fs,
    ignore: skipped.map((name) => `**/${name}/**`),
    concurrency: 1,
    dot: true,
    followSymbolicLinks: false,
    objectMode: true,
    unique: false,
  });
  const files = entries.flatMap(({dirent}) => tree.fileOf(dirent) ?? []);
  return {files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), ...tree.gaps()};
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
