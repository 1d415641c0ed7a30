/** A repository as git sees it: its folder, its index and its objects. Git runs nothing that the repository names. */

import type {Stats} from 'node:fs';
import {posix} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';

import {gitIn, type GitInput} from '../../machine/git.ts';
import type {Look} from './look.ts';

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

export interface FoundRepository {
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
export async function textsIn(
  here: Here,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
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
