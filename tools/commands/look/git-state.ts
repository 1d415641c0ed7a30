/** The git state of files: from the index that git lists, the ignore files, and the files themselves. */

import {createHash} from 'node:crypto';
import type {Stats} from 'node:fs';
import {posix} from 'node:path';

import {type Exists, isMadeByTool, isRegenerable} from '../regenerable.ts';
import type {WorkspaceFiles} from '../surroundings.ts';
import type {PlaceState} from '../understanding.ts';
import {
  type Baseline,
  createIgnoring,
  ignoreTextsOf,
  type Ignoring,
  findRepository,
  type GitIndex,
  type Here,
  type IndexEntry,
  listIndex,
  objectsIn,
  parseIndex,
} from './git-baseline.ts';
import {createPause, type Look} from './look.ts';

const maxHashedBytes = 8 * 1024 * 1024;

export interface Asked {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly stat: Stats;
  /** This run wrote it; `path` is absolute. */
  readonly isWritten: (path: string) => boolean;
}

export interface GitState {
  /** Never rejects. */
  readonly stateOf: (asked: Asked) => Promise<PlaceState>;
  /** Git would ignore a file created there. Never rejects. */
  readonly ignores: (path: string) => Promise<boolean>;
  /** The repository that contains a folder; `odd`: it can't be read. */
  readonly repositoryOf: (folder: string) => Promise<Repository | 'none' | 'odd'>;
}

interface Repository {
  readonly look: Look;
  readonly root: string;
  readonly index: GitIndex;
  /** The blobs of the index that git has; those that it had when the run began may be left out. */
  readonly held: ReadonlySet<string>;
  /** When the index was written, ms: a file changed then or later may be newer than its entry. */
  readonly indexedMs: number;
  readonly ignoring: Ignoring;
  readonly before: Before;
}

/** The repository when the run began. `lost`: unknown. Absent: as it is now. */
type Before = Baseline | 'lost' | undefined;

export interface GitStateOptions {
  readonly look: Look;
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly baseline?: Before;
}

export function createGitState({look, workspace, baseline}: GitStateOptions): GitState {
  const indexes = new Map<string, {readonly stamp: string; readonly staged: Promise<Staged>}>();
  const repositoryOf: GitState['repositoryOf'] = async (folder) => {
    const found = findRepository(look, folder);
    if (!found) return 'none';
    const {root, gitFolder} = found;
    if (gitFolder === undefined) return 'odd';
    const before = beforeIn(root, baseline);
    const stat = look.statOf(posix.join(gitFolder, 'index'));
    const stamp = stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : '';
    const known = indexes.get(gitFolder);
    const staged = known?.stamp === stamp ? known.staged : stagedIn({root, gitFolder, before});
    indexes.set(gitFolder, {stamp, staged});
    const {index, held} = await staged;
    if (!index) return 'odd';
    const ignoring = createIgnoring(ignoreTextsOf(look, root, gitFolder));
    return {look, root, index, held, indexedMs: stat?.mtimeMs ?? 0, ignoring, before};
  };
  return {
    ignores: async (path) => {
      try {
        const repository = await repositoryOf(posix.dirname(path));
        if (typeof repository === 'string') return false;
        return repository.ignoring.isIgnored(belowRoot(repository, path), false);
      } catch {
        return false;
      }
    },
    repositoryOf,
    stateOf: async (asked) => {
      try {
        const {path, stat} = asked;
        if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return 'untracked';
        const repository = await repositoryOf(stat.isDirectory() ? path : posix.dirname(path));
        if (repository === 'odd') return 'unknown';
        const exists = existsIn(look, repository === 'none' ? workspace : repository.root, asked);
        const held =
          repository === 'none'
            ? unversioned({look, workspace, baseline}, exists)
            : keptBy(repository, exists);
        return stat.isDirectory()
          ? await stateOfFolder(look, held, asked)
          : stateOfFile(held, asked);
      } catch {
        return 'unknown';
      }
    },
  };
}

interface Staged {
  /** Undefined: git can't read it. */
  readonly index: GitIndex | undefined;
  readonly held: Repository['held'];
}

async function stagedIn({before, ...here}: Here & Pick<Repository, 'before'>): Promise<Staged> {
  const listed = await listIndex(here);
  const index = listed === undefined ? undefined : await parseIndex(listed);
  if (!index || before === undefined) return {index, held: new Set()};
  const then = before === 'lost' ? undefined : before.index.entries;
  const added = [...index.entries.values()].filter(
    ({path, hash}) => then?.get(path)?.hash !== hash,
  );
  const ids = added.map(({hash}) => hash);
  return {index, held: await objectsIn(here, ids)};
}

/** The earlier state of a nested repository is unknown. Where there was none, the table of names decides. */
function beforeIn(root: string, baseline: Before): Before {
  if (baseline === undefined || baseline === 'lost') return baseline;
  return baseline.root === undefined || baseline.root === root ? baseline : 'lost';
}

function belowRoot({root}: Repository, path: string): string {
  return path.slice(root.length).replace(/^\//, '');
}

/** The states of a folder's files, according to the repository or the table of names. Paths are absolute. */
interface Keeping {
  readonly stateOf: (path: string, stat: Stats) => PlaceState;
  /** Everything in the folder has this state; undefined: its files must be looked at. */
  readonly wholeStateOf: (folder: string) => PlaceState | undefined;
}

/** Without a repository the table of names decides, unless there was a repository when the run began. */
function unversioned({look, workspace, baseline}: GitStateOptions, exists: Exists): Keeping {
  const hadGit = typeof baseline === 'object' && baseline.root !== undefined;
  const below = (path: string) => path.slice(workspace.length + 1);
  const isOutput = (path: string) => !hadGit && isRegenerable(below(path), Infinity, exists);
  return {
    stateOf: (path) => (isOutput(path) ? 'ignored' : 'untracked'),
    wholeStateOf: (folder) => {
      if (folder === workspace || !isOutput(folder)) return undefined;
      return look.statOf(posix.join(folder, '.git')) ? undefined : 'ignored';
    },
  };
}

/** A file that this run wrote shows nothing. */
function existsIn(look: Look, root: string, {isWritten}: Asked): Exists {
  return (path) => {
    const whole = posix.join(root, path);
    return look.statOf(whole) !== undefined && !isWritten(whole);
  };
}

function keptBy(repository: Repository, exists: Exists): Keeping {
  return {
    stateOf: (path, stat) => stateInRepository(repository, path, stat, exists),
    wholeStateOf: (folder) => {
      if (!isIgnoredWhole(repository, folder)) return undefined;
      // The run may have made a part of the data, or all of it.
      const state = ignoredState(repository, belowRoot(repository, folder), true, exists);
      return state === 'ignored' ? state : undefined;
    },
  };
}

function stateOfFile({stateOf}: Keeping, {path, stat, isWritten}: Asked): PlaceState {
  return isWritten(path) ? 'written' : stateOf(path, stat);
}

function stateInRepository(
  repository: Repository,
  path: string,
  stat: Stats,
  exists: Exists,
): PlaceState {
  const {look, index, indexedMs, held, before} = repository;
  const below = belowRoot(repository, path);
  const then = typeof before === 'object' ? before.index.entries.get(below) : undefined;
  const now = index.entries.get(below);
  if (!then && !now) return ignoredState(repository, below, false, exists);
  if (
    typeof before === 'object' &&
    then &&
    isClean(look, then, {path, stat, indexedMs: before.indexedMs})
  ) {
    return 'clean';
  }
  // An entry that the run has added may name a blob that git does not have.
  const isHeld = (entry: IndexEntry) =>
    before === undefined || entry.hash === then?.hash || held.has(entry.hash);
  return now && isClean(look, now, {path, stat, indexedMs}) && isHeld(now) ? 'clean' : 'changed';
}

/** It counts as build output only if git ignored it when the run began, or if its name is typical of a tool's output. */
function ignoredState(
  {ignoring, before}: Repository,
  below: string,
  isFolder: boolean,
  exists: Exists,
): 'ignored' | 'data' | 'untracked' {
  const names = ignoring.ignoredNames(below, isFolder);
  if (names === 0) return 'untracked';
  if (isMadeByTool(below, exists)) return 'ignored';
  return isRegenerable(below, names, exists) && wasIgnored(before, below, isFolder)
    ? 'ignored'
    : 'data';
}

function wasIgnored(before: Before, below: string, isFolder: boolean): boolean {
  if (before === undefined) return true;
  if (before === 'lost') return false;
  return before.root === undefined || before.isIgnored(below, isFolder);
}

interface Found extends Pick<Asked, 'path' | 'stat'> {
  readonly indexedMs: number;
}

function isClean(look: Look, entry: IndexEntry, {path, stat, indexedMs}: Found): boolean {
  if (stat.isSymbolicLink() !== entry.isLink || entry.isSubmodule) return false;
  if (isUntouched(entry, stat, indexedMs)) return true;
  const isReadable = stat.isFile() || stat.isSymbolicLink();
  if (stat.size > maxHashedBytes || !isReadable) return false;
  const content = stat.isSymbolicLink() ? Buffer.from(look.linkAt(path)) : look.bytesOf(path);
  return blobHash(content, entry.hash.length) === entry.hash;
}

function blobHash(content: Buffer, length: number): string {
  const hash = createHash(length > 40 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}

function isUntouched(entry: IndexEntry, stat: Stats, indexedMs: number): boolean {
  return (
    stat.size === entry.size &&
    sameTime(stat.mtimeMs, entry.modifiedMs) &&
    sameTime(stat.ctimeMs, entry.changedMs) &&
    Math.max(stat.mtimeMs, stat.ctimeMs) < indexedMs
  );
}

/** To the microsecond: a double holds no more of the nanoseconds since 1970. */
function sameTime(ms: number, indexedMs: number): boolean {
  return Math.abs(ms - indexedMs) < 0.01;
}

/** The worst state of its files. A nested repository counts for more than its files. */
async function stateOfFolder(look: Look, keeping: Keeping, asked: Asked): Promise<PlaceState> {
  const states = new Set<PlaceState>();
  const pause = createPause();
  const open = [asked.path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const whole = keeping.wholeStateOf(folder);
    if (whole) {
      states.add(asked.isWritten(folder) ? 'written' : whole);
      continue;
    }
    for (const entry of look.entriesOf(folder)) {
      if (entry.name.toLowerCase() === '.git') return 'untracked';
      const path = posix.join(folder, entry.name);
      // oxlint-disable-next-line no-await-in-loop -- other work gets its turn
      if (!(await pause())) return 'unknown';
      if (entry.isDirectory()) open.push(path);
      else states.add(stateOfEntry(look, keeping, {...asked, path}));
    }
    if (states.has('untracked')) return 'untracked';
  }
  return worstOf(states);
}

function isIgnoredWhole(repository: Repository, folder: string): boolean {
  const {look, index, ignoring, before} = repository;
  const below = belowRoot(repository, folder);
  if (below === '' || !ignoring.isIgnored(below, true)) return false;
  if (look.statOf(posix.join(folder, '.git'))) return false;
  const isAbove = (path: string) => path.startsWith(`${below}/`);
  return (
    !index.paths.some(isAbove) && !(typeof before === 'object' && before.index.paths.some(isAbove))
  );
}

function stateOfEntry(look: Look, keeping: Keeping, asked: Omit<Asked, 'stat'>): PlaceState {
  const stat = look.statOf(asked.path);
  return stat ? stateOfFile(keeping, {...asked, stat}) : 'absent';
}

const fromWorst: readonly PlaceState[] = [
  'unknown',
  'untracked',
  'data',
  'changed',
  'clean',
  'written',
  'ignored',
  'absent',
];

/** An empty folder is lost without a loss. */
function worstOf(states: ReadonlySet<PlaceState>): PlaceState {
  return fromWorst.find((state) => states.has(state)) ?? 'ignored';
}

// Lists the names of a repository's files: those known to git, and those neither known nor ignored.

const maxUntracked = 5_000;

interface Finder extends Pick<Look, 'entriesOf'>, Pick<GitState, 'repositoryOf'> {}

interface Open {
  readonly folder: string;
  readonly repository: Repository;
}

/** Names only, relative to the folder. Undefined: there are too many, or git's index can't be read. */
export async function listRepository(
  start: string,
  finder: Finder,
): Promise<WorkspaceFiles | undefined> {
  const repository = await finder.repositoryOf(start);
  if (repository === 'none') return {tracked: [], untracked: []};
  if (repository === 'odd') return undefined;
  const untracked: string[] = [];
  const pause = createPause();
  const open: Open[] = [{folder: start, repository}];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, within a time
    const listed = (await pause()) ? await listFolder(one, start, finder) : undefined;
    if (!listed) return undefined;
    untracked.push(...listed.untracked);
    open.push(...listed.open);
    if (untracked.length > maxUntracked) return undefined;
  }
  return {tracked: trackedBelow(start, repository), untracked};
}

function trackedBelow(start: string, repository: Repository): readonly string[] {
  const {paths} = repository.index;
  const below = belowRoot(repository, start);
  if (below === '') return paths;
  return paths
    .filter((path) => path.startsWith(`${below}/`))
    .map((path) => path.slice(below.length + 1));
}

interface Listed {
  readonly untracked: readonly string[];
  readonly open: readonly Open[];
}

async function listFolder(
  {folder, repository: outer}: Open,
  start: string,
  {entriesOf, repositoryOf}: Finder,
): Promise<Listed | undefined> {
  const entries = entriesOf(folder);
  const has = (name: string) => entries.some((entry) => entry.name === name);
  const found = folder !== start && has('.git') ? await repositoryOf(folder) : outer;
  if (found === 'odd') return undefined;
  const repository = found === 'none' ? outer : found;
  if (has('pyvenv.cfg')) return {untracked: [], open: []};
  const folders = entries.filter((entry) => entry.isDirectory() && !passedBy.test(entry.name));
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name !== '.git');
  return {
    untracked: files
      .map(({name}) => `${folder}/${name}`)
      .filter((path) => isUntracked(repository, path))
      .map((path) => path.slice(start.length + 1)),
    open: folders
      .map(({name}) => ({folder: `${folder}/${name}`, repository}))
      .filter((one) => !isIgnoredWhole(repository, one.folder)),
  };
}

/** Git's own folder, and packages, even where git does not ignore them. */
const passedBy = /^(?:\.git|node_modules)$/i;

function isUntracked(repository: Repository, path: string): boolean {
  const below = belowRoot(repository, path);
  return !repository.index.entries.has(below) && !repository.ignoring.isIgnored(below, false);
}
