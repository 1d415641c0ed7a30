/**
 * The state of a repository when a run began: its index and its ignore files, as git has them. Changes that the run makes to
 * them can neither turn data into build output nor make git ignore files that it held.
 */

import type {Stats} from 'node:fs';
import {posix} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';

import {z} from 'zod';

import {gitIn, type GitInput} from '../../machine/git.ts';
import {isIgnored, parseIgnoreFile, type RuleSet} from '../../read/glob.ts';
import {createLook, type Look} from './look.ts';

export interface Baseline {
  /** The root of the repository that contained the workspace; undefined: there was none. */
  readonly root: string | undefined;
  readonly index: GitIndex;
  /** When the index was written, ms: a file changed then or later may be newer than its entry. */
  readonly indexedMs: number;
  /** Judged by git's ignore files and by those in the work tree. `path` is relative to the root. */
  readonly isIgnored: Ignoring['isIgnored'];
}

/** The stored part of a baseline. Texts of ignore files are named by their folders, relative to the root. */
const capture = z.object({
  workspace: z.string(),
  root: z.string().exactOptional(),
  /** As git lists it; empty if there is none. */
  index: z.string(),
  indexedMs: z.number(),
  /** Git's texts of the files in the index. */
  ignoreFiles: z.array(z.tuple([z.string(), z.string()])),
  /** The texts in the work tree, where they differ. */
  changedFiles: z.array(z.tuple([z.string(), z.string()])),
  excludes: z.string().exactOptional(),
});

export type Captured = z.infer<typeof capture>;

const maxIgnoreFiles = 2_000;

/** Undefined: the repository can't be read. Rejects with the operating system's error. */
export async function captureBaseline(workspace: string): Promise<Captured | undefined> {
  const look = createLook();
  const found = findRepository(look, workspace);
  if (!found) return {workspace, index: '', indexedMs: 0, ignoreFiles: [], changedFiles: []};
  const {root, gitFolder} = found;
  if (gitFolder === undefined) return undefined;
  const indexedMs = look.statOf(posix.join(gitFolder, 'index'))?.mtimeMs ?? 0;
  const index = await listIndex({root, gitFolder});
  const parsed = index === undefined ? undefined : await parseIndex(index);
  if (index === undefined || !parsed) return undefined;
  const now = ignoreTextsOf(look, root, gitFolder);
  const files = await textsOf({root, gitFolder}, parsed);
  return {
    workspace,
    root,
    index,
    indexedMs,
    ignoreFiles: files.flatMap(({folder, text}) => (text === undefined ? [] : [[folder, text]])),
    changedFiles: files.flatMap(({folder, text}) => {
      const current = now.textIn(folder) || '';
      return current === text ? [] : [[folder, current]];
    }),
    ...(typeof now.excludes === 'string' ? {excludes: now.excludes} : {}),
  };
}

/** The ignore files in the index, with git's texts. */
async function textsOf(here: Here, {entries}: GitIndex) {
  const files = [...entries.values()].filter(({path}) => /(?:^|\/)\.gitignore$/.test(path));
  const some = files.slice(0, maxIgnoreFiles);
  const texts = await textsIn(
    here,
    some.map(({hash}) => hash),
  );
  return some.map(({path, hash}) => ({
    folder: path.slice(0, Math.max(0, path.length - '/.gitignore'.length)),
    text: texts.get(hash),
  }));
}

/** Undefined for malformed data. */
export async function toBaseline(kept: Captured): Promise<Baseline | undefined> {
  const index = await parseIndex(kept.index);
  if (!index) return undefined;
  const committed = new Map(kept.ignoreFiles);
  const found = new Map([...kept.ignoreFiles, ...kept.changedFiles]);
  const byGit = createIgnoring({
    textIn: (folder) => committed.get(folder),
    excludes: kept.excludes,
  });
  const byFiles = createIgnoring({textIn: (folder) => found.get(folder), excludes: kept.excludes});
  const ignores = (path: string, isFolder: boolean): boolean =>
    byGit.isIgnored(path, isFolder) && byFiles.isIgnored(path, isFolder);
  return {root: kept.root, index, indexedMs: kept.indexedMs, isIgnored: ignores};
}

/** Throws for malformed data. */
export function parseBaseline(text: string): Captured {
  return capture.parse(JSON.parse(text));
}

/** Git ignored the folder then; `path` is relative to the workspace. Without git, false. */
export function wasIgnoredIn(
  baseline: Baseline | 'lost',
  workspace: string,
): (path: string) => boolean {
  if (baseline === 'lost') return () => false;
  const {root, isIgnored: ignores} = baseline;
  if (root === undefined) return () => true;
  const above = posix.relative(root, workspace);
  return (path) => ignores(posix.join(above, path), true);
}

// The paths that the ignore files of a repository ignore. Below an ignore file that can't be read whole, nothing is ignored.

const maxIgnoreBytes = 100_000;
const maxRules = 500;

export interface Ignoring {
  /** `path` is relative to the root of the repository. */
  readonly isIgnored: (path: string, isFolder: boolean) => boolean;
  /** The number of leading names of the path after which git ignores it; 0: it does not. */
  readonly ignoredNames: (path: string, isFolder: boolean) => number;
}

/** Texts of ignore files. Undefined: there is none. False: it is too large to read. */
interface IgnoreTexts {
  /** `folder` is relative to the root of the repository. */
  readonly textIn: (folder: string) => string | false | undefined;
  readonly excludes: string | false | undefined;
}

/** The current texts. */
export function ignoreTextsOf(look: Look, root: string, gitFolder: string): IgnoreTexts {
  return {
    textIn: (folder) => readIgnoreFile(look, posix.join(root, folder, '.gitignore')),
    excludes: readIgnoreFile(look, posix.join(gitFolder, 'info', 'exclude')),
  };
}

function readIgnoreFile(look: Look, path: string): string | false | undefined {
  const stat = look.statOf(path);
  if (!stat?.isFile()) return undefined;
  return stat.size > maxIgnoreBytes ? false : look.bytesOf(path).toString();
}

export function createIgnoring({textIn, excludes}: IgnoreTexts): Ignoring {
  const sets = new Map<string, RuleSet | undefined>();
  const folders = new Map<string, boolean>();
  const setOf = (folder: string, depth: number): RuleSet | undefined => {
    if (!sets.has(folder)) sets.set(folder, readRules(textIn(folder), depth));
    return sets.get(folder);
  };
  const own = readRules(excludes, 0);
  const isOneIgnored = (parts: readonly string[], isFolder: boolean): boolean => {
    const above = parts.map((_, at) => setOf(parts.slice(0, at).join('/'), at));
    const all = [own, ...above];
    const complete = all.filter((set) => set !== undefined);
    return complete.length === all.length && isIgnored(parts, isFolder, complete);
  };
  /** Below an ignored folder, no rule can re-include a file. */
  const isFolderIgnored = (parts: readonly string[]): boolean => {
    if (parts.length === 0) return false;
    const key = parts.join('/');
    const is =
      folders.get(key) ?? (isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, true));
    folders.set(key, is);
    return is;
  };
  const isPathIgnored = (parts: readonly string[], isFolder: boolean): boolean => {
    if (isFolder) return isFolderIgnored(parts);
    return isFolderIgnored(parts.slice(0, -1)) || isOneIgnored(parts, false);
  };
  return {
    isIgnored: (path, isFolder) => isPathIgnored(path.split('/'), isFolder),
    ignoredNames: (path, isFolder) => {
      const parts = path.split('/');
      if (!isPathIgnored(parts, isFolder)) return 0;
      const above = parts.findIndex((_, at) => isFolderIgnored(parts.slice(0, at + 1)));
      return above < 0 ? parts.length : above + 1;
    },
  };
}

const none = (depth: number): RuleSet => ({depth, rules: []});

/** Undefined: there are rules that this parser does not read as git does. */
function readRules(text: string | false | undefined, depth: number): RuleSet | undefined {
  if (text === undefined) return none(depth);
  if (text === false) return undefined;
  const lines = text.split(/\r?\n/).filter((line) => !/^(?:#.*|\s*)$/.test(line));
  const set = parseIgnoreFile(text, depth);
  const isWhole = lines.length <= maxRules && set.rules.length === lines.length;
  return isWhole && !lines.some((line) => line.length > 200) ? set : undefined;
}

// A repository as git sees it: its folder, its index and its objects. Git runs nothing that the repository names.

export interface IndexEntry {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  /** The id of the blob, hex. */
  readonly hash: string;
  readonly isLink: boolean;
  readonly isSubmodule: boolean;
  readonly size: number;
  /** Of the last change, ms. */
  readonly modifiedMs: number;
  /** As `modifiedMs`, for the file's attributes. */
  readonly changedMs: number;
}

export interface GitIndex {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Sorted by their bytes. */
  readonly paths: readonly string[];
}

interface FoundRepository {
  readonly root: string;
  /** Undefined: it can't be read as a repository. */
  readonly gitFolder: string | undefined;
}

/** The repository whose `.git` git would take. Undefined: there is none. */
export function findRepository(look: Look, folder: string): FoundRepository | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const path = posix.join(at, '.git');
    const stat = look.statOf(path);
    const isFolder = stat?.isDirectory() === true;
    // Git searches further up: an empty folder left by a crash is not a repository.
    if (stat && !(isFolder && !look.statOf(posix.join(path, 'HEAD'))))
      return {root: at, gitFolder: isFolder ? path : pointedTo(look, at, path, stat)};
    if (at === '/') return undefined;
  }
}

/** The target of `gitdir: PATH` in a worktree or a submodule. */
function pointedTo(look: Look, root: string, path: string, stat: Stats): string | undefined {
  if (!stat.isFile() || stat.size > 8_192) return undefined;
  const target = /^gitdir: ([^\n\0]+)\n?$/.exec(look.bytesOf(path).toString())?.[1];
  return target === undefined ? undefined : posix.resolve(root, target);
}

export interface Here {
  readonly root: string;
  readonly gitFolder: string;
}

async function ask({root, gitFolder}: Here, args: readonly string[], input: GitInput = {}) {
  return await gitIn(root, [`--git-dir=${gitFolder}`, `--work-tree=${root}`, ...args], input);
}

/** Undefined: git can't read it. Never rejects. */
export async function listIndex(here: Here): Promise<string | undefined> {
  const listed = await ask(here, ['ls-files', '--stage', '--debug', '-z']);
  return listed.ok ? listed.text : undefined;
}

const listedEntry =
  /(\d+) ([\da-f]+) \d\t([^\0]+)\0\s+ctime: (\d+):(\d+)\s+mtime: (\d+):(\d+)\s[^\0]*?\ssize: (\d+)\s+flags: [\da-f]+\n/gy;
const entriesAtOnce = 5_000;

/** Undefined for malformed text. */
export async function parseIndex(text: string): Promise<GitIndex | undefined> {
  const entries = new Map<string, IndexEntry>();
  let end = 0;
  let count = 0;
  for (const match of text.matchAll(listedEntry)) {
    const entry = entryOf(match);
    entries.set(entry.path, entry);
    end += match[0].length;
    count += 1;
    // oxlint-disable-next-line no-await-in-loop -- other work continues in between
    if (count % entriesAtOnce === 0) await breathe();
  }
  return end === text.length ? {entries, paths: [...entries.keys()]} : undefined;
}

function entryOf([, mode, hash = '', path = '', ...numbers]: RegExpExecArray): IndexEntry {
  const [changedS = 0, changedNs = 0, modifiedS = 0, modifiedNs = 0, size = 0] =
    numbers.map(Number);
  return {
    path,
    hash,
    isLink: mode === '120000',
    isSubmodule: mode === '160000',
    size,
    modifiedMs: modifiedS * 1_000 + modifiedNs / 1e6,
    changedMs: changedS * 1_000 + changedNs / 1e6,
  };
}

/** The ids of those objects that the repository has. Never rejects. */
export async function objectsIn(here: Here, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const input = `${ids.join('\n')}\n`;
  const found = await ask(here, ['cat-file', '--batch-check'], {input});
  const lines = found.ok ? found.text.split('\n') : [];
  return new Set(lines.flatMap((line) => /^(\S+) blob /.exec(line)?.[1] ?? []));
}

/** The texts of blobs, by id. Never rejects. */
async function textsIn(here: Here, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const input = `${ids.join('\n')}\n`;
  const found = await ask(here, ['cat-file', '--batch'], {input, isBinary: true});
  const texts = new Map<string, string>();
  let rest = found.ok ? found.text : '';
  for (let head = headIn(rest); head; head = headIn(rest)) {
    const [line, id = '', size] = head;
    const start = line.length;
    const end = start + Number(size);
    if (size !== undefined) texts.set(id, Buffer.from(rest.slice(start, end), 'latin1').toString());
    rest = rest.slice(size === undefined ? start : end + 1);
  }
  return texts;
}

/** `ID blob SIZE`, or `ID missing`. */
function headIn(text: string): RegExpExecArray | null {
  return /^([\da-f]+) (?:blob (\d+)|.*)\n/.exec(text);
}
