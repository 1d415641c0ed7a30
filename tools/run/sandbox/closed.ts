/** The files with credentials that a confined command can't read: all of them, except those opened for the call. */

import {readdir} from 'node:fs/promises';
import {join, relative} from 'node:path';

import {holdsNoSecret} from '../../commands/look/credential-settings.ts';
import {createLook} from '../../commands/look/look.ts';
import {createSurroundings} from '../../commands/surroundings.ts';
import {isBelow, nestedIn, realPathOf, statsOf} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';

export interface Opening {
  /** Files with credentials that the call may read: absolute, links resolved. Absent: none. */
  readonly opened?: readonly string[];
  /** Files that git tracks stay readable: to git a closed file looks deleted, and would be committed as deleted. Absent: false. */
  readonly leavesTracked?: boolean;
}

export interface Closing {
  /** Absolute paths of files and folders, links resolved. */
  readonly closed: readonly string[];
  /** Those of them that git would add: for git they must not look like files. */
  readonly barred: readonly string[];
  /** The files that may contain credentials but stay readable. */
  readonly readable: readonly string[];
}

/** Never rejects. */
export async function closedIn(workspace: string, opening: Opening): Promise<Closing> {
  const {credentials} = await nestedIn(workspace);
  return await closedAmong(credentials, workspace, opening);
}

/** `credentials`: absolute paths. A target elsewhere is not visible from inside. Never rejects. */
export async function closedAmong(
  credentials: readonly string[],
  workspace: string,
  {opened = [], leavesTracked = false}: Opening,
): Promise<Closing> {
  const targets = credentials.flatMap((path) => realPathOf(path) ?? []);
  const inside = outermost([...new Set(targets)].filter((path) => isBelow(workspace, path)));
  const isSplit = (path: string) => leavesTracked || opened.some((one) => isBelow(path, one));
  const parts = await Promise.all(
    inside.map(async (path) => (isSplit(path) ? await filesAt(path) : [path])),
  );
  const {placeOf} = createSurroundings(workspace);
  const stateOf = async (path: string) =>
    leavesTracked ? (await placeOf(relative(workspace, path))).state : 'unknown';
  const places = await Promise.all(
    parts.flat().map(async (path) => {
      const state = await stateOf(path);
      const isReadable = opened.includes(path) || isBare(path) || isKnownToGit({state});
      return {path, state, isReadable};
    }),
  );
  const closed = places.filter(({isReadable}) => !isReadable);
  return {
    closed: closed.map(({path}) => path),
    barred: closed.filter(({state}) => state === 'untracked').map(({path}) => path),
    readable: places.filter(({isReadable}) => isReadable).map(({path}) => path),
  };
}

function outermost(paths: readonly string[]): string[] {
  const folders = paths.filter((path) => statsOf(path)?.isDirectory() === true);
  return paths.filter((path) => !folders.some((folder) => isBelow(folder, path)));
}

/** Git has the content of the file, current or earlier. */
export function isKnownToGit({state}: {readonly state: string}): boolean {
  return state === 'clean' || state === 'changed';
}

/** Settings without a secret, such as an `.npmrc` that names a registry. */
function isBare(path: string): boolean {
  const stats = statsOf(path);
  return stats !== undefined && holdsNoSecret(createLook(), path, stats);
}

const maxFiles = 1_000;

/** The files of a folder one by one; the folder itself if there are too many. */
async function filesAt(path: string): Promise<readonly string[]> {
  if (statsOf(path)?.isDirectory() !== true) return [path];
  try {
    const entries = await readdir(openable(path), {recursive: true, withFileTypes: true});
    const files = entries.filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink());
    return files.length > maxFiles
      ? [path]
      : files.map(({parentPath, name}) => join(parentPath, name));
  } catch {
    return [path];
  }
}
