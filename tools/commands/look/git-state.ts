/** How git stands to files, without running git: its index, its ignore files, and the files themselves. */

import {createHash} from 'node:crypto';
import {lstatSync, readFileSync, readlinkSync, type Stats} from 'node:fs';
import {opendir} from 'node:fs/promises';
import {posix} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';

import {worstOf} from '../acts/makings.ts';
import type {PlaceState} from '../effect.ts';
import {createIgnoring, type Ignoring} from './git-ignore.ts';
import {readIndex, type GitIndex, type IndexEntry} from './git-index.ts';

const maxHashedBytes = 8 * 1024 * 1024;
const maxFiles = 20_000;
const lookMs = 1_800;
const sliceMs = 20;

export interface Asked {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly stat: Stats;
  /** Whether this run wrote it; `path` is absolute. */
  readonly isWritten: (path: string) => boolean;
}

export interface GitState {
  /** Never rejects. */
  readonly stateOf: (asked: Asked) => Promise<PlaceState>;
  /** Whether git would ignore what is created there. Never rejects. */
  readonly ignores: (path: string) => Promise<boolean>;
}

interface Repository {
  readonly root: string;
  readonly index: GitIndex;
  /** When the index was written: what changed then or later may be newer than it knows, ms. */
  readonly indexedMs: number;
  readonly ignoring: Ignoring;
}

export function createGitState(): GitState {
  const indexes = new Map<string, {readonly stamp: string; readonly index: GitIndex | undefined}>();
  const repositoryOf = async (folder: string): Promise<Repository | 'none' | 'odd'> => {
    const found = findGit(folder);
    if (!found) return 'none';
    const {root, gitFolder} = found;
    if (gitFolder === undefined || usesOtherHashes(gitFolder)) return 'odd';
    const file = posix.join(gitFolder, 'index');
    const stat = statOf(file);
    const stamp = stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : '';
    const cached = indexes.get(file);
    const index = cached?.stamp === stamp ? cached.index : await readIndex(file);
    indexes.set(file, {stamp, index});
    if (!index) return 'odd';
    return {root, index, indexedMs: stat?.mtimeMs ?? 0, ignoring: createIgnoring(root, gitFolder)};
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
    stateOf: async (asked) => {
      try {
        const {path, stat} = asked;
        if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return 'untracked';
        const repository = await repositoryOf(stat.isDirectory() ? path : posix.dirname(path));
        if (repository === 'odd') return 'unknown';
        const known = repository === 'none' ? undefined : repository;
        return stat.isDirectory() ? await stateOfFolder(known, asked) : stateOfFile(known, asked);
      } catch {
        return 'unknown';
      }
    },
  };
}

/** The repository that a folder belongs to; without `gitFolder` it is one that can't be read. */
function findGit(
  folder: string,
): {readonly root: string; readonly gitFolder: string | undefined} | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const path = posix.join(at, '.git');
    const stat = statOf(path);
    if (stat?.isDirectory()) return {root: at, gitFolder: path};
    if (stat) return {root: at, gitFolder: stat.isFile() ? pointedTo(at, path, stat) : undefined};
    if (at === '/') return undefined;
  }
}

/** Of a worktree or a submodule: `gitdir: PATH`. */
function pointedTo(root: string, path: string, {size}: Stats): string | undefined {
  if (size > 8_192) return undefined;
  const target = /^gitdir: ([^\n\0]+)\n?$/.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? undefined : posix.resolve(root, target);
}

/** Another kind of hash, or files that lie elsewhere. */
function usesOtherHashes(gitFolder: string): boolean {
  const stat = statOf(posix.join(gitFolder, 'config'));
  if (!stat) return false;
  if (!stat.isFile() || stat.size > 256 * 1024) return true;
  return /objectformat|\bworktree\s*=|splitindex|sparse/i.test(
    readFileSync(posix.join(gitFolder, 'config'), 'utf8').replaceAll(
      /^\s*worktreeconfig.*$/gim,
      '',
    ),
  );
}

function belowRoot({root}: Repository, path: string): string {
  return path.slice(root.length).replace(/^\//, '');
}

function stateOfFile(repository: Repository | undefined, asked: Asked): PlaceState {
  const {path, stat, isWritten} = asked;
  if (isWritten(path)) return 'written';
  if (!repository) return 'untracked';
  const below = belowRoot(repository, path);
  const entry = repository.index.entries.get(below);
  if (!entry) return repository.ignoring.isIgnored(below, false) ? 'ignored' : 'untracked';
  return isClean(entry, path, stat, repository.indexedMs) ? 'clean' : 'changed';
}

function isClean(entry: IndexEntry, path: string, stat: Stats, indexedMs: number): boolean {
  if (stat.isSymbolicLink() !== entry.isLink || entry.isSubmodule) return false;
  if (isUntouched(entry, stat, indexedMs)) return true;
  const isReadable = stat.isFile() || stat.isSymbolicLink();
  if (stat.size > maxHashedBytes || !isReadable) return false;
  const content = stat.isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path);
  const hash = createHash('sha1').update(`blob ${content.length}\0`).update(content);
  return hash.digest('hex') === entry.hash;
}

function isUntouched(entry: IndexEntry, stat: Stats, indexedMs: number): boolean {
  return (
    stat.size === entry.size &&
    sameTime(stat.mtimeMs, entry.modified) &&
    sameTime(stat.ctimeMs, entry.changed) &&
    Math.max(stat.mtimeMs, stat.ctimeMs) < indexedMs
  );
}

/** To the microsecond: that is what a double keeps of nanoseconds since 1970. */
function sameTime(ms: number, [seconds, nanoseconds]: readonly [number, number]): boolean {
  return Math.abs(ms - (seconds * 1_000 + nanoseconds / 1e6)) < 0.01;
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, {throwIfNoEntry: false});
}

/** Entries of a folder that are read at a time: others have their turn in between. */
const sliceLength = 1_000;

/** The worst of what it holds. A repository in it is more than its files. */
async function stateOfFolder(
  repository: Repository | undefined,
  asked: Asked,
): Promise<PlaceState> {
  const states = new Set<PlaceState>();
  const pause = createPause();
  const open = [asked.path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (isIgnoredWhole(repository, folder)) {
      states.add(asked.isWritten(folder) ? 'written' : 'ignored');
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, within a time
    for await (const entry of await opendir(folder, {bufferSize: sliceLength})) {
      if (entry.name.toLowerCase() === '.git') return 'untracked';
      const path = posix.join(folder, entry.name);
      if (!(await pause())) return 'unknown';
      if (entry.isDirectory()) open.push(path);
      else states.add(stateOfFile(repository, {...asked, path, stat: lstatSync(path)}));
    }
    if (states.has('untracked')) return 'untracked';
  }
  return states.size === 0 ? 'ignored' : worstOf([...states]);
}

/** Counts a file; false when there were too many, or it took too long. */
function createPause(): () => Promise<boolean> {
  const started = process.threadCpuUsage();
  let slice = performance.now() + sliceMs;
  let count = 0;
  return async () => {
    count += 1;
    if (count > maxFiles) return false;
    if (performance.now() > slice) {
      const {user, system} = process.threadCpuUsage(started);
      if ((user + system) / 1_000 > lookMs) return false;
      await breathe();
      slice = performance.now() + sliceMs;
    }
    return true;
  };
}

function isIgnoredWhole(repository: Repository | undefined, folder: string): boolean {
  if (!repository) return false;
  const {index, ignoring} = repository;
  const below = belowRoot(repository, folder);
  if (below === '' || !ignoring.isIgnored(below, true)) return false;
  if (statOf(posix.join(folder, '.git'))) return false;
  return !index.paths.some((path) => path.startsWith(`${below}/`));
}
