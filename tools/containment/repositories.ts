/**
 * Repositories that an effect (a command, a write, an undo) has made, or has changed while they were unguarded. They stay
 * if none of their settings runs a program; otherwise the one file without which git or hg ignores them is renamed.
 */

import type {Dirent} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';

import {isBelow, realPathOf, statsOf, smallFileText} from './guarded.ts';
import {type Below, entriesBelow, pathOf} from './nested.ts';
import {type Danger, dangersIn, isRepository, stampOf} from './repository-dangers.ts';
import {runsPrograms, setAside} from './set-aside.ts';

export const maxFolders = 20_000;

interface Mark {
  /** Absolute: without this file git and hg do not treat the folder as a repository. */
  readonly path: string;
  readonly dangers: readonly Danger[];
}

/** Repositories that may run a program, at one point in time. */
export interface Repositories {
  readonly marks: readonly Mark[];
  /** Of all their dangers at that time. */
  readonly stamps: ReadonlySet<string>;
  /** There are more folders than were searched. */
  readonly isPart: boolean;
  /** The `.git` and `.hg` of the workspace itself: they are not renamed. */
  readonly own: ReadonlyMap<string, number>;
  /** The text of the workspace's own git configuration; empty: there is none. */
  readonly config: string;
}

/** Never rejects. */
export async function findRepositories(workspace: string): Promise<Repositories> {
  return repositoriesAmong(await entriesBelow([workspace], maxFolders, mayMark), workspace);
}

/** Only entries that `mayMark` accepts are looked at. */
export function repositoriesAmong({found, isPart}: Below, workspace: string): Repositories {
  const own = ownRepository(workspace);
  const marks = found
    .filter(mayMark)
    .map(pathOf)
    .flatMap((path) => markAt(path, workspace, own));
  const byPath = new Map(marks.map((mark) => [mark.path, mark]));
  const stamps = new Set(marks.flatMap(({dangers}) => dangers.map(stampOf)));
  const config = smallFileText(join(workspace, '.git', 'config'));
  return {marks: [...byPath.values()], stamps, isPart, own: inodesOf(workspace), config};
}

export function mayMark({name}: Dirent): boolean {
  return name === '.git' || name === '.hg' || name === 'HEAD';
}

function inodesOf(workspace: string): ReadonlyMap<string, number> {
  const paths = ['.git', '.hg'].map((name) => join(workspace, name));
  return new Map(paths.flatMap((path) => (statsOf(path) ? [[path, statsOf(path)?.ino ?? 0]] : [])));
}

/** Absolute paths of git's folder for the workspace or for a folder above it, and of the folder that it shares. */
function ownRepository(workspace: string): readonly string[] {
  const path = join(workspace, '.git');
  if (statsOf(path) === undefined) {
    return dirname(workspace) === workspace ? [] : ownRepository(dirname(workspace));
  }
  const folder = statsOf(path)?.isDirectory() === true ? path : targetOf(path);
  if (folder === undefined) return [];
  const common = smallFileText(join(folder, 'commondir')).trim();
  const shared = common === '' ? undefined : realPathOf(resolve(folder, common));
  return shared === undefined ? [folder] : [folder, shared];
}

function markAt(path: string, workspace: string, own: readonly string[]): readonly Mark[] {
  const name = basename(path);
  if (name === 'HEAD') return markIn(dirname(path), {own});
  if (name === '.hg') return hgMark(path);
  if (statsOf(path)?.isDirectory() === true) {
    return markIn(path, {own, worktree: dirname(path)});
  }
  return linkMark(path, workspace, own);
}

function markIn(
  folder: string,
  terms: {readonly own: readonly string[]; readonly worktree?: string},
): readonly Mark[] {
  const dangers = isRepository(folder) ? dangersIn({folder, ...terms}) : [];
  return dangers.length === 0 ? [] : [{path: join(folder, 'HEAD'), dangers}];
}

function linkMark(path: string, workspace: string, own: readonly string[]): readonly Mark[] {
  const folder = targetOf(path);
  const isIn = folder !== undefined && [workspace, ...own].some((root) => isBelow(root, folder));
  const dangers = isIn ? dangersIn({folder, own, worktree: dirname(path)}) : [{path}];
  return dangers.length === 0 ? [] : [{path, dangers}];
}

/** The folder to which a link or a file `.git` leads. */
function targetOf(path: string): string | undefined {
  if (statsOf(path)?.isSymbolicLink() === true) return realPathOf(path);
  const named = /^gitdir: (?<path>.+?)\r?\n?$/.exec(smallFileText(path))?.groups?.['path'];
  return named === undefined ? undefined : realPathOf(resolve(dirname(path), named));
}

function hgMark(path: string): readonly Mark[] {
  const files = ['hgrc', 'sharedpath'].map((name) => join(path, name));
  const dangers = files.filter((file) => statsOf(file)).map((file) => ({path: file}));
  return dangers.length === 0 ? [] : [{path, dangers}];
}

export interface Effect {
  readonly workspace: string;
  readonly before: Repositories;
  /** Epoch ms. */
  readonly since: number;
  /** The danger may stay, for example because a person has approved it by name. `mark`: the path that would be renamed. */
  readonly mayStay: (danger: Danger, mark: string) => boolean;
}

/** Renames the repositories that the effect has made. Returns a line for each, without a line end. Never throws. */
export function disarmRepositories(after: Repositories, effect: Effect): string[] {
  const {workspace, before, since} = effect;
  const made = after.marks
    .filter((mark) => !isOwn(mark, before, after))
    .filter((mark) => mark.dangers.some((one) => isNew(one, mark, effect)))
    .filter((mark) => !before.isPart || isSince(mark, since));
  const lines = made.flatMap(({path}) => setAside(workspace, path, runsPrograms));
  return [...lines, ...(after.isPart ? [notAll] : [])];
}

const notAll =
  'the workspace has more folders than are searched for repositories that may have been made';

function isNew(danger: Danger, {path}: Mark, {before, mayStay}: Effect): boolean {
  return !before.stamps.has(stampOf(danger)) && !mayStay(danger, path);
}

/** The same `.git` as before, in the workspace itself. */
function isOwn({path}: Mark, before: Repositories, after: Repositories): boolean {
  return [...before.own].some(
    ([at, inode]) => after.own.get(at) === inode && (path === at || path === join(at, 'HEAD')),
  );
}

/** Clocks of file systems may lag by this many ms. */
const lagMs = 50;

/** The change time of a file's state (ctime) can't be set. */
function isSince({path, dangers}: Mark, since: number): boolean {
  const places = [dirname(path), path, ...dangers.map((one) => one.path)];
  return places.some((place) => (statsOf(place)?.ctimeMs ?? 0) >= since - lagMs);
}
