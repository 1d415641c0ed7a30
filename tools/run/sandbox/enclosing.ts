/** The repository that contains the workspace: shown read-only, because neither git nor many builds work without it. */

import {dirname, join, resolve} from 'node:path';

import {isBelow, realPathOf, statsOf, smallFileText} from '../../containment/guarded.ts';

const shared: ReadonlySet<string> = new Set([
  '/',
  '/tmp',
  '/var/tmp',
  '/dev/shm',
  '/home',
  '/root',
]);

/** Absolute paths; none when the workspace is a repository, or when no folder above it, below the home folder, is one. */
export function enclosingRepository(workspace: string, home: string | undefined): string[] {
  if (statsOf(join(workspace, '.git'))) return [];
  for (let at = dirname(workspace); !shared.has(at) && !holds(at, home); at = dirname(at)) {
    const own = statsOf(join(at, '.git'));
    if (own && own.uid !== process.getuid?.()) return [];
    if (own?.isDirectory() === true) return [at];
    if (own) return [at, ...elsewhere(at)];
  }
  return [];
}

function holds(folder: string, home: string | undefined): boolean {
  return home !== undefined && (folder === home || isBelow(folder, home));
}

/** The repository of a linked worktree, if it names the worktree in turn. */
function elsewhere(workspace: string): string[] {
  const file = join(workspace, '.git');
  const gitFile = /^gitdir: (?<path>.+?)\r?\n?$/.exec(smallFileText(file))?.groups?.['path'];
  const folder = gitFile === undefined ? undefined : realPathOf(resolve(workspace, gitFile));
  if (folder === undefined) return [];
  if (realPathOf(smallFileText(join(folder, 'gitdir')).trim()) !== file) return [];
  const common = realPathOf(resolve(folder, smallFileText(join(folder, 'commondir')).trim()));
  return common === undefined ? [] : [common];
}
