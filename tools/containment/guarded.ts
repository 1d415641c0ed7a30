/**
 * Places of a workspace that a command may not change although the rest is writable, as data for the confinement; found in the depth of the
 * workspace, and set aside where a command has made one.
 */

import {
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, relative, sep} from 'node:path';

import {isCredentialPlace, protectedKind, repositories} from '../../machines/places/places.ts';
import {attempt} from './denial.ts';
import {openable} from './own-state.ts';

/** An empty folder, or a file of this text. */
export type Held = 'folder' | {readonly text: string};

export interface Guarded {
  /** Absolute. No component of it is a link. */
  readonly path: string;
  /**
   * `pinned`: writable, but it can't be moved away, removed or replaced. `shut`: also read-only, with all its content.
   * `masked`: it appears empty. `barred`: also, a file looks like a device, which git never adds.
   */
  readonly as: 'pinned' | 'shut' | 'masked' | 'barred';
  /** Nothing exists at the path: a placeholder of this kind is there while the command runs. */
  readonly held?: Held;
}

export interface Guard {
  /** Sorted by path, each path once: a folder comes before the places in it. */
  readonly places: readonly Guarded[];
  /** Absolute paths. A link itself can't be guarded: its target is, and the link is checked again afterwards. */
  readonly links: readonly string[];
  /** Absolute paths of folders of installed packages that are shut. */
  readonly packages: readonly string[];
  /** Absolute paths of files and folders with credentials that are masked: see `Program.closed`. */
  readonly closed: readonly string[];
}

const strength = {pinned: 0, shut: 1, masked: 2, barred: 3};

/** The strongest entry per path; none below a masked one, which appears empty. */
export function merged(places: readonly Guarded[]): readonly Guarded[] {
  const byPath = new Map<string, Guarded>();
  for (const place of places) {
    const known = byPath.get(place.path);
    if (known === undefined || strength[known.as] < strength[place.as])
      byPath.set(place.path, place);
  }
  const all = [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const masks = all.filter(({as}) => as === 'masked' || as === 'barred');
  return all.filter(({path}) => !masks.some((mask) => isBelow(mask.path, path)));
}

/** The folders between `root` and `path`, neither of them included. */
export function foldersBetween(root: string, path: string): string[] {
  const between: string[] = [];
  for (let at = dirname(path); isBelow(root, at); at = dirname(at)) between.push(at);
  return between;
}

/** `path` lies in the folder, and is not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !below.startsWith(sep);
}

/** Undefined when nothing exists, or when a folder of the path is a file. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** The real path; undefined when the path leads nowhere. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(openable(folder));
  } catch {
    return [];
  }
}

const maxTextBytes = 262_144;

/** Empty when there is no such file, or when it is larger than such files usually are. */
export function smallFileText(path: string): string {
  const stats = statsOf(path);
  if (stats?.isFile() !== true || stats.size > maxTextBytes) return '';
  try {
    return readFileSync(openable(path), 'utf8');
  } catch {
    return '';
  }
}

export const runsPrograms =
  'belongs to a repository that runs programs: only a person may make one';

const maxNames = 100;

function isAside(name: string): boolean {
  return /\.not-allowed\d*$/.test(name);
}

/** A free name beside `path`; undefined when too many are taken. */
export function nameAside(path: string): string | undefined {
  const names = Array.from(
    {length: maxNames},
    (_, at) => `${path}.not-allowed${at === 0 ? '' : at}`,
  );
  return names.find((name) => statsOf(name) === undefined);
}

/** Returns the report as lines, without line ends. `why`: a clause whose subject is the path. */
export function setAside(workspace: string, path: string, why: string): string[] {
  const shown = relative(workspace, path);
  if (statsOf(path) === undefined) return [`${shown} ${why}`];
  const other = nameAside(path);
  if (other === undefined || !attempt(path, () => renameSync(path, other)).ok) {
    return [`${shown} ${why}, and could not be reverted`];
  }
  return [`${shown} ${why}; the new version is now ${relative(workspace, other)}`];
}

export interface Nested {
  readonly places: readonly Guarded[];
  /** Folders of installed packages. */
  readonly packages: readonly string[];
  /** Paths that only a person may create or change; only the outermost of each tree. */
  readonly reserved: readonly string[];
  /** Files, links and folders that may contain credentials, judged by name: absolute paths. */
  readonly credentials: readonly string[];
  /** There are more folders than are searched. */
  readonly isPart: boolean;
}

/** The number of folders that are searched: the outermost first, none of packages. */
const maxFolders = 4_000;
const isPassedBy: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const maxCredentials = 1_000;

/** Repositories are read-only as a whole; a program may listen on a socket. Never rejects. */
export async function nestedIn(workspace: string): Promise<Nested> {
  const {found, isPart} = await entriesBelow(
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
    isPart,
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
