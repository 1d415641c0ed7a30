/** Finds the repository that contains a folder, without running git. */

import {lstatSync, readFileSync, type Stats} from 'node:fs';
import {posix} from 'node:path';

import {openable} from '../../containment/own-state.ts';

export interface FoundRepository {
  readonly root: string;
  /** Undefined: it can't be read as a repository. */
  readonly gitFolder: string | undefined;
}

/** Undefined: no repository contains it. */
export function findRepository(folder: string): FoundRepository | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const path = posix.join(at, '.git');
    const stat = statOf(path);
    if (stat && !isEmpty(path, stat)) {
      return {root: at, gitFolder: readable(gitFolderAt(at, path, stat))};
    }
    if (at === '/') return undefined;
  }
}

/** Git searches further up: an empty folder left by a crash is not a repository. */
function isEmpty(path: string, stat: Stats): boolean {
  return stat.isDirectory() && statOf(posix.join(path, 'HEAD')) === undefined;
}

function gitFolderAt(root: string, path: string, stat: Stats): string | undefined {
  if (stat.isDirectory()) return path;
  return stat.isFile() ? pointedTo(root, path, stat) : undefined;
}

/** The target of `gitdir: PATH` in a worktree or a submodule. */
function pointedTo(root: string, path: string, {size}: Stats): string | undefined {
  if (size > 8_192) return undefined;
  const target = /^gitdir: ([^\n\0]+)\n?$/.exec(readFileSync(openable(path), 'utf8'))?.[1];
  return target === undefined ? undefined : posix.resolve(root, target);
}

function readable(gitFolder: string | undefined): string | undefined {
  return gitFolder === undefined || usesOtherHashes(gitFolder) ? undefined : gitFolder;
}

/** The repository uses another hash, or its files lie elsewhere. */
function usesOtherHashes(gitFolder: string): boolean {
  const stat = statOf(posix.join(gitFolder, 'config'));
  if (!stat) return false;
  if (!stat.isFile() || stat.size > 256 * 1024) return true;
  return /objectformat|\bworktree\s*=|splitindex|sparse/i.test(
    readFileSync(openable(posix.join(gitFolder, 'config')), 'utf8').replaceAll(
      /^\s*worktreeconfig.*$/gim,
      '',
    ),
  );
}

export function statOf(path: string): Stats | undefined {
  return lstatSync(path, {throwIfNoEntry: false});
}
