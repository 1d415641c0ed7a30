/** Finds the repository that contains a folder, without running git. */

import type {Stats} from 'node:fs';
import {posix} from 'node:path';

import type {Look} from './look.ts';

export interface FoundRepository {
  readonly root: string;
  /** Undefined: it can't be read as a repository. */
  readonly gitFolder: string | undefined;
}

/** Undefined: no repository contains it. */
export function findRepository(look: Look, folder: string): FoundRepository | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const path = posix.join(at, '.git');
    const stat = look.statOf(path);
    if (stat && !isEmpty(look, path, stat)) {
      return {root: at, gitFolder: readable(look, gitFolderAt(look, at, path, stat))};
    }
    if (at === '/') return undefined;
  }
}

/** Git searches further up: an empty folder left by a crash is not a repository. */
function isEmpty(look: Look, path: string, stat: Stats): boolean {
  return stat.isDirectory() && look.statOf(posix.join(path, 'HEAD')) === undefined;
}

function gitFolderAt(look: Look, root: string, path: string, stat: Stats): string | undefined {
  if (stat.isDirectory()) return path;
  return stat.isFile() ? pointedTo(look, root, path, stat) : undefined;
}

/** The target of `gitdir: PATH` in a worktree or a submodule. */
function pointedTo(look: Look, root: string, path: string, {size}: Stats): string | undefined {
  if (size > 8_192) return undefined;
  const target = /^gitdir: ([^\n\0]+)\n?$/.exec(look.bytesOf(path).toString())?.[1];
  return target === undefined ? undefined : posix.resolve(root, target);
}

function readable(look: Look, gitFolder: string | undefined): string | undefined {
  return gitFolder === undefined || usesOtherHashes(look, gitFolder) ? undefined : gitFolder;
}

/** The repository uses another hash, or its files lie elsewhere. */
function usesOtherHashes(look: Look, gitFolder: string): boolean {
  const path = posix.join(gitFolder, 'config');
  const stat = look.statOf(path);
  if (!stat) return false;
  if (!stat.isFile() || stat.size > 256 * 1024) return true;
  return /objectformat|\bworktree\s*=|splitindex|sparse/i.test(
    look
      .bytesOf(path)
      .toString()
      .replaceAll(/^\s*worktreeconfig.*$/gim, ''),
  );
}
