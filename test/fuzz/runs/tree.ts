/** The files of a world, and the differences between two states of it. */

import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

/** By path, relative to the folder: changes with every change of the entry. */
export type Tree = ReadonlyMap<string, string>;

export function lookAt(folder: string): Tree {
  const tree = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of namesIn(join(folder, path))) {
      const below = path === '' ? name : `${path}/${name}`;
      const status = lstatSync(join(folder, below), {bigint: true, throwIfNoEntry: false});
      if (!status) continue;
      if (status.isDirectory()) {
        tree.set(below, 'folder');
        visit(below);
      } else {
        tree.set(below, `${status.ino} ${status.mtimeNs} ${status.size} ${status.mode}`);
      }
    }
  };
  visit('');
  return tree;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Paths that were added, removed or changed. */
export function changedBetween(before: Tree, after: Tree): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/** The content of a file or the target of a link; undefined for anything else. */
export function contentOf(path: string): string | undefined {
  const status = lstatSync(path, {throwIfNoEntry: false});
  if (status?.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!status?.isFile()) return undefined;
  return readFileSync(path, 'latin1');
}
