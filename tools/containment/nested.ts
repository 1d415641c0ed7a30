/** Places deep in a workspace that are guarded: other repositories, sockets, files that may hold credentials. */

import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname} from 'node:path';

import {isCredentialPlace, protectedKind, repositories} from '../../machines/places/places.ts';
import {foldersBetween, type Guarded, statsOf} from './guarded.ts';
import {openable} from './own-state.ts';
import {isAside} from './set-aside.ts';

export interface Nested {
  readonly places: readonly Guarded[];
  /** Folders of installed packages. */
  readonly packages: readonly string[];
  /** Paths that only a person may create or change; only the outermost of each tree. */
  readonly reserved: readonly string[];
  /** Files, links and folders that may contain credentials, judged by name: absolute paths. */
  readonly credentials: readonly string[];
}

/** The number of folders that are searched: the outermost first, none of packages. */
const maxFolders = 4_000;
const isPassedBy: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const maxCredentials = 1_000;

/** Repositories are read-only as a whole; a program may listen on a socket. Never rejects. */
export async function nestedIn(workspace: string): Promise<Nested> {
  const {found} = await entriesBelow(
    [workspace],
    maxFolders,
    (entry) =>
      isPlace(entry) ||
      isOfPackages(entry) ||
      isReserved(entry, workspace) ||
      mayHoldCredentials(entry, pathBelow(entry, workspace)),
  );
  return {
    places: found.filter(isPlace).flatMap((entry) => placeOf(entry, workspace)),
    packages: found.filter(isOfPackages).map(packagesAt),
    reserved: reservedAmong(found, workspace),
    credentials: found
      .filter((entry) => !isPlace(entry))
      .filter((entry) => mayHoldCredentials(entry, pathBelow(entry, workspace)))
      .slice(0, maxCredentials)
      .map(pathOf),
  };
}

/** `node_modules`, or the file that marks an environment of Python. */
function isOfPackages(entry: Dirent): boolean {
  return entry.isDirectory() ? entry.name === 'node_modules' : entry.name === 'pyvenv.cfg';
}

function packagesAt(entry: Dirent): string {
  return entry.isDirectory() ? pathOf(entry) : entry.parentPath;
}

/** Only a person may make or change the entry, and it is not set aside already. Repositories have rules of their own. */
export function isReserved(entry: Dirent, workspace: string): boolean {
  if (isAside(entry.name) || ofRepositories.has(entry.name)) return false;
  return protectedKind(pathBelow(entry, workspace)) !== undefined;
}

/** Names that the checks of repositories judge. */
const ofRepositories: ReadonlySet<string> = new Set([
  ...Object.keys(repositories),
  '.gitmodules',
  '.gitattributes',
]);

const maxReserved = 1_000;

/** Absolute paths, without any that lies in another one. */
export function reservedAmong(found: readonly Dirent[], workspace: string): readonly string[] {
  const paths = found.filter((entry) => isReserved(entry, workspace)).map(pathOf);
  const all = new Set(paths);
  return paths
    .filter((path) => !foldersBetween(workspace, path).some((folder) => all.has(folder)))
    .slice(0, maxReserved);
}

export interface Below {
  readonly found: readonly Dirent[];
  /** There are more folders than may be searched. */
  readonly isPart: boolean;
}

export async function entriesBelow(
  folders: readonly string[],
  left: number,
  isWanted: (entry: Dirent) => boolean,
): Promise<Below> {
  const entries = (await Promise.all(folders.slice(0, left).map(entriesOf))).flat();
  const found = entries.filter(isWanted);
  const next = entries
    .filter((entry) => entry.isDirectory() && !isPassedBy.has(entry.name))
    .map(pathOf);
  if (next.length === 0 || left <= folders.length) {
    return {found, isPart: next.length > 0 || left < folders.length};
  }
  const below = await entriesBelow(next, left - folders.length, isWanted);
  return {found: [...found, ...below.found], isPart: below.isPart};
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(openable(folder), {withFileTypes: true});
  } catch {
    return [];
  }
}

export function pathOf({parentPath, name}: Dirent): string {
  return `${parentPath}/${name}`;
}

/** Relative to the workspace. Thousands of entries are checked before each command, so no path is parsed. */
function pathBelow({parentPath, name}: Dirent, workspace: string): string {
  return parentPath === workspace ? name : `${parentPath.slice(workspace.length + 1)}/${name}`;
}

function isPlace(entry: Dirent): boolean {
  return entry.isSocket() || entry.name === '.git';
}

function placeOf(entry: Dirent, workspace: string): Guarded[] {
  const path = pathOf(entry);
  if (entry.isSocket()) return [{path, as: 'masked'}];
  if (dirname(path) === workspace || statsOf(path)?.isSymbolicLink() === true) return [];
  const way = foldersBetween(workspace, path).map((at): Guarded => ({path: at, as: 'pinned'}));
  return [...way, {path, as: 'shut'}];
}

/** A file or a link is judged by its own name, a folder by all its content. */
function mayHoldCredentials(entry: Dirent, path: string): boolean {
  return isCredentialPlace(entry.isDirectory() ? `${path}/x` : path);
}
