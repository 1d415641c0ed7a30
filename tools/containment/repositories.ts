/**
 * Repositories that an effect (a command, a write, an undo) has made, or has changed while they were unguarded. They stay
 * if none of their settings runs a program; otherwise the one file without which git or hg ignores them is renamed.
 */

import {createHash} from 'node:crypto';
import {type Dirent, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';

import {configuredIn} from '../run/sandbox/repository.ts';
import type {OnReplace} from '../tool.ts';
import {attempt} from './denial.ts';
import {
  type Below,
  entriesBelow,
  foldersBetween,
  isBelow,
  nameAside,
  namesIn,
  pathOf,
  realPathOf,
  runsPrograms,
  setAside,
  smallFileText,
  statsOf,
} from './guarded.ts';
import {openable} from './own-state.ts';

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

const why = 'makes git run programs: only a person may allow that';

/** Returns a line for each change, without a line end. Never throws. */
export function disarmOwn(workspace: string, before: Repositories, after: Repositories): string[] {
  const mark = join(workspace, '.git', 'HEAD');
  const dangers = after.marks.find(({path}) => path === mark)?.dangers ?? [];
  return dangers
    .filter((danger) => !before.stamps.has(stampOf(danger)))
    .flatMap((danger) => disarmDanger(workspace, danger, before.config));
}

function disarmDanger(workspace: string, {path}: Danger, config: string): string[] {
  const isConfig = basename(path) === 'config' && basename(dirname(path)) === '.git';
  return isConfig ? restoreConfig(workspace, path, config) : setAside(workspace, path, why);
}

/** The new file stays beside it. */
function restoreConfig(workspace: string, path: string, text: string): string[] {
  const other = nameAside(path);
  const shown = relative(workspace, path);
  const restored =
    other !== undefined &&
    attempt(path, () => {
      renameSync(path, other);
      writeFileSync(path, text, {flag: 'wx'});
    }).ok;
  return restored
    ? [`${shown} ${why}; it is restored, and the new version is now ${relative(workspace, other)}`]
    : [`${shown} ${why}, and could not be reverted`];
}

/** The reason why only a person may allow a file of the workspace to get this text; undefined when others may. */
export function repositoryReason(
  workspace: string,
  path: string,
  after: string,
): string | undefined {
  const full = join(workspace, path);
  const [folder] = foldersObeying(workspace, full, {path: full, text: after});
  if (folder !== undefined) {
    const shown = relative(workspace, folder) || 'the workspace';
    return `${path} makes ${shown} a repository that runs programs: only a person may allow that`;
  }
  return isConfigured(workspace, full)
    ? `${path} is named in git's configuration as hooks or settings: only a person may allow a change`
    : undefined;
}

/** Only the folders above a file can become a repository by its write. */
function foldersObeying(workspace: string, path: string, draft?: Draft): readonly string[] {
  return [...foldersBetween(workspace, path), workspace].filter(
    (folder) =>
      isObeyedIn(folder, path) &&
      isRepository(folder, draft) &&
      dangersIn({folder}, draft).length > 0,
  );
}

function isConfigured(workspace: string, path: string): boolean {
  const folder = join(workspace, '.git');
  return configuredIn(smallFileText(join(folder, 'config')), folder, workspace).some(
    ({path: at}) => at === path || isBelow(at, path),
  );
}

export interface FileWrite {
  readonly workspace: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly onReplace?: OnReplace | undefined;
}

/**
 * Checks after the write: another order of writes, or another program's writes, may have made a repository that no preview
 * showed. Returns a line for each folder, without a line end. Never rejects.
 */
export async function disarmAfterWrite(write: FileWrite): Promise<string[]> {
  const {workspace, path} = write;
  const folders = foldersObeying(workspace, join(workspace, path));
  const lines = await Promise.all(folders.map(async (folder) => await disarm(folder, write)));
  return lines.flat();
}

async function disarm(folder: string, {workspace, onReplace}: FileWrite): Promise<string[]> {
  const head = join(folder, 'HEAD');
  await recordRename(workspace, head, onReplace);
  return setAside(workspace, head, runsPrograms);
}

/** Lets undo know both names. A rename that can't be recorded happens nevertheless. */
async function recordRename(
  workspace: string,
  path: string,
  onReplace: OnReplace | undefined,
): Promise<void> {
  const other = nameAside(path);
  const read = attempt(path, () => readFileSync(openable(path)));
  if (!onReplace || other === undefined || !read.ok) return;
  const content = read.value;
  const state = createHash('sha256').update(content).digest('hex');
  const mode = (statsOf(path)?.mode ?? 0o644) & 0o777;
  try {
    await onReplace([
      {path: relative(workspace, path), before: {state, content, mode}},
      {path: relative(workspace, other), after: state},
    ]);
  } catch {
    // A repository that runs programs must not stay.
  }
}

// Files of a repository that make git run a program, or obey settings stored elsewhere. git obeys any folder that looks like a
// repository: as soon as a prompt or an editor asks for the state of a folder, git runs the programs that its settings name.

/** A file with this text that is regarded as if it were there, with the folders above it. */
interface Draft {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** Undefined when nothing exists. Links are not followed. */
function kindOf(path: string, draft?: Draft): 'file' | 'folder' | 'link' | 'other' | undefined {
  if (path === draft?.path) return 'file';
  const stats = statsOf(path);
  if (stats === undefined) return draft && isBelow(path, draft.path) ? 'folder' : undefined;
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

function textOf(path: string, draft?: Draft): string {
  return path === draft?.path ? draft.text : smallFileText(path);
}

function sizeOf(path: string, draft?: Draft): number {
  return path === draft?.path ? Buffer.byteLength(draft.text) : (statsOf(path)?.size ?? 0);
}

function namesWith(folder: string, draft?: Draft): readonly string[] {
  const [made = ''] =
    draft && isBelow(folder, draft.path) ? relative(folder, draft.path).split('/') : [];
  return made === '' ? namesIn(folder) : [...new Set([...namesIn(folder), made])];
}

const maxConfigBytes = 65_536;

interface Danger {
  /** Absolute. */
  readonly path: string;
  /** For a configuration, `section.key = value`: settings not known to be harmless. */
  readonly settings?: readonly string[];
}

export interface Repository {
  /** Absolute path of git's own folder, often named `.git`. */
  readonly folder: string;
  /** Absolute path of the folder that may be its work tree. */
  readonly worktree?: string;
  /** Absolute paths of the workspace's own repository: a pointer to it adds no new settings. */
  readonly own?: readonly string[];
}

/** Git treats the folder as a repository's own. */
function isRepository(folder: string, draft?: Draft): boolean {
  const has = (name: string): boolean => kindOf(join(folder, name), draft) !== undefined;
  return has('HEAD') && ((has('objects') && has('refs')) || has('commondir'));
}

function dangersIn(repository: Repository, draft?: Draft): readonly Danger[] {
  const {folder, own = []} = repository;
  const common = join(folder, 'commondir');
  if (kindOf(common, draft) === undefined) {
    const settings = ['config', 'config.worktree'].flatMap((name) =>
      settingsIn(repository, name, draft),
    );
    return [...hooksIn(folder, draft), ...settings];
  }
  const target = realPathOf(resolve(folder, textOf(common, draft).trim()));
  const isInOwn = target !== undefined && own.includes(target);
  return isInOwn ? settingsIn(repository, 'config.worktree', draft) : [{path: common}];
}

function hooksIn(folder: string, draft: Draft | undefined): Danger[] {
  const hooks = join(folder, 'hooks');
  if (kindOf(hooks, draft) === 'link') return [{path: hooks}];
  const names = namesWith(hooks, draft).filter((name) => !name.endsWith('.sample'));
  return names.map((name) => ({path: join(hooks, name)}));
}

function settingsIn(
  {folder, worktree}: Repository,
  name: string,
  draft: Draft | undefined,
): Danger[] {
  const path = join(folder, name);
  const kind = kindOf(path, draft);
  if (kind === undefined) return [];
  if (kind !== 'file' || sizeOf(path, draft) > maxConfigBytes) return [{path}];
  const settings = riskySettings(textOf(path, draft), {
    mayHaveWorktree: (value) => worktree !== undefined && resolve(folder, value) === worktree,
  });
  return settings.length === 0 ? [] : [{path, settings}];
}

/** Equal while the danger is unchanged. */
function stampOf({path, settings}: Danger): string {
  if (settings) return [path, ...settings].join('\n');
  const stats = statsOf(path);
  return stats ? [path, stats.ino, stats.size, stats.ctimeMs].join('\n') : path;
}

const obeyedNames: ReadonlySet<string> = new Set(
  'head config config.worktree commondir gitdir hooks objects refs info'.split(' '),
);

/** Git obeys the file at `path` in a repository's folder. */
function isObeyedIn(folder: string, path: string): boolean {
  const [name = ''] = relative(folder, path).split('/');
  return isBelow(folder, path) && obeyedNames.has(name.toLowerCase());
}

/** The text of an approved call names the danger: by its path, or each setting by its key. */
export function isNamedIn(text: string, {path, settings = []}: Danger, workspace: string): boolean {
  if (text.includes(relative(workspace, path))) return true;
  const folded = text.toLowerCase();
  const keys = settings.map((setting) => setting.split(' =')[0] ?? setting);
  return keys.length > 0 && keys.every((key) => folded.includes(key.toLowerCase()));
}

/** By section, in lower case. */
const keys: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|safecrlf|eol|quotepath|longpaths|sparsecheckout(?:cone)?)$/,
  extensions: /^(?:objectformat|refstorage|partialclone)$/,
  user: /^(?:name|email|useconfigonly)$/,
  init: /^defaultbranch$/,
  remote: /^(?:url|fetch|tagopt|promisor|partialclonefilter)$/,
  branch: /^(?:remote|merge|rebase)$/,
  submodule: /^(?:url|active|path)$/,
  lfs: /^(?:repositoryformatversion|access)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote)$/,
  merge: /^(?:ff|conflictstyle)$/,
  gc: /^auto(?:detach)?$/,
  advice: /^[a-z]+$/,
};

/** Signing runs a program: only switching it off is harmless. */
const signing: ReadonlySet<string> = new Set(['commit.gpgsign', 'tag.gpgsign']);

const header = /^\[(?<section>[A-Za-z]+)(?: "[^"\\]*")?\]$/;
const setting = /^(?<key>[A-Za-z][A-Za-z\d-]*)(?:\s*=\s*(?<value>[^\\]*))?$/;

/** `worktree`: the folder is one that the repository may name as its work tree. */
export interface Terms {
  readonly mayHaveWorktree?: (value: string) => boolean;
}

/** `section.key = value`, without the subsection, the key in lower case; for a line that is not understood, the line. */
export function riskySettings(text: string, {mayHaveWorktree}: Terms = {}): string[] {
  const risky: string[] = [];
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue;
    const named = header.exec(line)?.groups?.['section'];
    if (named === undefined) risky.push(...riskIn(section, line, mayHaveWorktree));
    section = named?.toLowerCase() ?? section;
  }
  return risky;
}

function riskIn(
  section: string,
  line: string,
  mayHaveWorktree: Terms['mayHaveWorktree'] = () => false,
): string[] {
  const groups = setting.exec(line)?.groups;
  if (!groups) return [line];
  const {key = '', value = ''} = groups;
  const name = `${section}.${key.toLowerCase()}`;
  const isHarmless =
    name === 'core.worktree' ? mayHaveWorktree(value) : isPlain(section, name, value);
  return isHarmless ? [] : [`${name} = ${value}`];
}

function isPlain(section: string, name: string, value: string): boolean {
  if (signing.has(name)) return value === 'false';
  const known = Object.hasOwn(keys, section) ? keys[section] : undefined;
  // `ext::` and the like run a program.
  return known?.test(name.slice(section.length + 1)) === true && !value.includes('::');
}
