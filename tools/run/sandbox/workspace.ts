/** What of a workspace a command may not change, as it is found when one is about to run. */

import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';

import {
  credentialFiles,
  credentialFolders,
  heldPlaces,
  isCredentialPlace,
  mayHoldProtected,
  protectedKind,
  repositories,
} from '../../../machines/domain/places.ts';
import {
  foldersBetween,
  type Guard,
  type Guarded,
  isBelow,
  merged,
  namesIn,
  realPathOf,
  statsOf,
} from './guarded.ts';
import {isLeftover} from './held-places.ts';
import {guardAt, guardLinked, guardRepository} from './repository.ts';

/**
 * Never rejects. `home`: the user's own, whose credentials are masked when it lies in the workspace. `holdsGit`: repositories
 * are read-only as a whole.
 */
export async function guardWorkspace(
  workspace: string,
  home: string | undefined,
  holdsGit = false,
): Promise<Guard> {
  const links: string[] = [];
  const top = protectedIn(workspace).flatMap((path) =>
    guardEntry(path, workspace, {links, holdsGit}),
  );
  const held = heldPlaces
    .map((path) => join(workspace, path))
    .filter((path) => !isThere(path) && isPlain(dirname(path)))
    .flatMap((path) => guardAt(path, workspace, 'folder'));
  const deep = await nestedIn(workspace);
  return {places: merged([...top, ...held, ...deep, ...credentialsIn(workspace, home)]), links};
}

/** Absolute paths of what is protected in the workspace itself, or in a folder that may hold such things. */
export function protectedIn(workspace: string): string[] {
  const names = namesIn(workspace).flatMap((name) =>
    mayHoldProtected.includes(name) && isPlain(join(workspace, name))
      ? namesIn(join(workspace, name)).map((part) => `${name}/${part}`)
      : [name],
  );
  return names
    .filter((path) => protectedKind(path) !== undefined)
    .map((path) => join(workspace, path))
    .filter((path) => !isLeftover(path));
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined && !isLeftover(path);
}

/** Nothing yet, or a folder: something can be held in it. */
function isPlain(path: string): boolean {
  const stats = statsOf(path);
  return stats === undefined || stats.isDirectory();
}

interface Terms {
  /** Takes what is found. */
  readonly links: string[];
  readonly holdsGit: boolean;
}

function guardEntry(path: string, workspace: string, terms: Terms): readonly Guarded[] {
  const stats = statsOf(path);
  if (stats?.isSymbolicLink() === true) {
    terms.links.push(path);
    const target = realPathOf(path);
    return target !== undefined && isBelow(workspace, target) ? guardAt(target, workspace) : [];
  }
  const name = basename(path);
  if (!Object.hasOwn(repositories, name)) return guardAt(path, workspace);
  const places =
    stats?.isDirectory() === true ? guardRepository(path, workspace) : guardLinked(path);
  return terms.holdsGit ? places.flatMap(heldAsAWhole(path, workspace)) : places;
}

/** What is elsewhere in the workspace, such as hooks, is guarded as it was. */
function heldAsAWhole(repository: string, workspace: string) {
  return (place: Guarded): Guarded[] => {
    const {path, held} = place;
    const isIn = isBelow(repository, path);
    if (isBelow(workspace, path) && path !== repository && !isIn) return [place];
    return isIn || held !== undefined ? [] : [{path, as: 'shut'}];
  };
}

/** Of a home folder that is worked in: the sandbox has a home of its own. */
function credentialsIn(workspace: string, home: string | undefined): Guarded[] {
  if (home === undefined || (home !== workspace && !isBelow(workspace, home))) return [];
  return [...credentialFolders, ...credentialFiles]
    .map((name) => realPathOf(join(home, name)))
    .filter((path) => path !== undefined)
    .filter((path) => isBelow(workspace, path))
    .map((path) => ({path, as: 'masked'}));
}

/** Folders that are looked through for repositories and sockets: the outermost first, and no package's. */
const maxFolders = 4_000;

/** Files of keys and passwords that stay as they are: nothing brings them back, for git does not know them. */
const maxSecrets = 20;
const secrets: ReadonlySet<string> = new Set(credentialFiles);

function isSecret(name: string): boolean {
  return secrets.has(name) || (name.startsWith('.env') && isCredentialPlace(name));
}

/**
 * Below the workspace: repositories, which are read-only as a whole, as are files of credentials; and sockets, behind which
 * somebody may listen.
 */
async function nestedIn(workspace: string): Promise<Guarded[]> {
  let secretsLeft = maxSecrets;
  return await lookThrough([workspace], maxFolders);

  async function lookThrough(folders: readonly string[], left: number): Promise<Guarded[]> {
    const read = await Promise.all(folders.slice(0, left).map(entriesOf));
    const entries = read.flat();
    const found = entries.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSocket()) return [{path, as: 'masked'} as const];
      if (entry.name === '.git') return nestedRepository(path, workspace);
      if (!entry.isFile() || !isSecret(entry.name) || secretsLeft === 0) return [];
      secretsLeft -= 1;
      return [{path, as: 'shut'} as const];
    });
    const next = entries
      .filter((entry) => entry.isDirectory() && !isPassedBy.has(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    if (next.length === 0 || left <= folders.length) return found;
    return [...found, ...(await lookThrough(next, left - folders.length))];
  }
}

const isPassedBy: ReadonlySet<string> = new Set(['.git', 'node_modules']);

function nestedRepository(path: string, workspace: string): Guarded[] {
  if (dirname(path) === workspace || statsOf(path)?.isSymbolicLink() === true) return [];
  const way = foldersBetween(workspace, path).map((at): Guarded => ({path: at, as: 'pinned'}));
  return [...way, {path, as: 'shut'}];
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}
