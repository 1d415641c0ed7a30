/**
 * Git's data that a command may lose: refs, HEAD, the stash and the index. They are named as in a plain repository
 * (`.git/refs/heads/main`), also where git keeps them elsewhere: in a worktree, a submodule, a folder of a repository.
 *
 * git reads them; it runs nothing that the repository names. They are read again only if a file that holds them has other times.
 */

import {hash} from 'node:crypto';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {smallFileText, statsOf} from '../../containment/guarded.ts';
import {openable} from '../../containment/own-state.ts';
import {gitIn} from '../../machine/git.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import type {Unkept} from './entry.ts';

export const gitPlaces = {
  head: '.git/HEAD',
  index: '.git/index',
  stash: '.git/refs/stash',
} as const;

export interface Repository {
  readonly workspace: string;
  /** Of this work tree. Absolute. */
  readonly gitFolder: string;
  /** Of all work trees. */
  readonly common: string;
}

/** The data of a repository at one time. */
export interface GitData {
  readonly repository: Repository;
  /** By place: see {@link Replacement}; absent places are not listed. */
  readonly states: ReadonlyMap<string, string>;
  /** The bytes of the index, and of the log of the stash. */
  readonly contents: ReadonlyMap<string, Buffer>;
  /** The objects without which the states can't be restored, the most important first. */
  readonly tips: readonly string[];
  /** Branches that another work tree has checked out, by place: its folder. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** `none`: no repository contains the workspace. */
export type GitSeen = GitData | 'none' | {readonly why: string};

export function isRead(seen: GitSeen): seen is GitData {
  return typeof seen === 'object' && 'states' in seen;
}

/** States of an operation that has not ended: they are named, and never restored. */
export const unfinishedState = 'unfinished';
const unfinished =
  'MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer';

const maxRefs = 20_000;
/** Large files whose objects are looked for. */
const maxBlobs = 200;
const maxIndexBytes = 32 * 1024 * 1024;
/** File systems may give two changes within this time the same times, ms. */
const youngMs = 50;

/** Reads the data of one workspace. Never rejects. */
export function createGitReader(workspace: string): () => Promise<GitSeen> {
  let found: {readonly mark: string; readonly repository: Repository} | undefined;
  let last: {readonly stamp: string | undefined; readonly data: GitData} | undefined;
  const readAt = async (mark: string): Promise<GitData> => {
    if (found?.mark !== mark) found = {mark, repository: await findRepository(workspace)};
    const {repository} = found;
    const stamp = stampOf(repository);
    if (last && stamp !== undefined && last.stamp === stamp) return last.data;
    last = {stamp, data: await read(repository, last?.data)};
    return last.data;
  };
  return async () => {
    const mark = markOf(workspace);
    if (mark === undefined) return 'none';
    try {
      return await readAt(mark);
    } catch (error) {
      return {why: error instanceof Unreadable ? error.message : `can't be read: ${String(error)}`};
    }
  };
}

/** Its message follows "which". */
class Unreadable extends Error {}

/** Identifies the `.git` that git would find; undefined: there is none. An empty folder is a placeholder of a sandbox. */
function markOf(workspace: string): string | undefined {
  for (let at = workspace; ; at = dirname(at)) {
    const path = join(at, '.git');
    const stats = statsOf(path);
    const isMark = stats && (!stats.isDirectory() || statsOf(join(path, 'HEAD')) !== undefined);
    if (isMark) return [path, join(path, 'config')].map((each) => stampOfPath(each)).join('|');
    if (at === dirname(at)) return undefined;
  }
}

/** Throws `Unreadable`. */
async function findRepository(workspace: string): Promise<Repository> {
  const ask = ['rev-parse', '--path-format=absolute', '--is-bare-repository', '--git-dir'];
  const output = await gitIn(workspace, [...ask, '--git-common-dir']);
  if (!output.ok && output.isMissing) throw new Unreadable('needs git, which is not installed');
  if (!output.ok) throw new Unreadable(`git can't read${because(output)}`);
  const [isBare, gitFolder, common, ...rest] = output.text.split('\n');
  if (isBare !== 'false' || gitFolder === undefined || common === undefined) {
    throw new Unreadable('belongs to a repository without a work tree');
  }
  const isOdd = rest.join('') !== '' || statsOf(join(common, 'reftable')) !== undefined;
  if (isOdd) throw new Unreadable('git keeps in another format than files');
  return {workspace, gitFolder, common};
}

export function because({why}: {readonly why: string}): string {
  return why === '' ? '' : `: ${why}`;
}

/** Equal as long as nothing has changed; undefined when that can't be known. */
function stampOf({gitFolder, common}: Repository): string | undefined {
  const own = ['HEAD', 'index', ...unfinished.split(' ')].map((name) => join(gitFolder, name));
  const shared = ['packed-refs', 'logs/refs/stash'].map((name) => join(common, name));
  const folders = new Set([join(common, 'refs'), join(gitFolder, 'refs')]);
  const parts = [...own, ...shared].map(stampOfPath);
  for (const folder of folders) parts.push(...stampsBelow(folder, join(common, 'refs/quorate')));
  return parts.includes(undefined) ? undefined : parts.join('\n');
}

/** Undefined for a link, and for a change so recent that the next one may have the same times. */
function stampOfPath(path: string): string | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return '';
  if (stats.isSymbolicLink() || Date.now() - stats.ctimeMs < youngMs) return undefined;
  return `${path} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

function stampsBelow(folder: string, omitted: string): (string | undefined)[] {
  if (folder === omitted || statsOf(folder)?.isDirectory() !== true) return [];
  const entries = readdirSync(folder, {withFileTypes: true});
  return [
    stampOfPath(folder),
    ...entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? stampsBelow(path, omitted) : [stampOfPath(path)];
    }),
  ];
}

/** Throws `Unreadable`, or the operating system's error. */
async function read(repository: Repository, last: GitData | undefined): Promise<GitData> {
  const {workspace, gitFolder, common} = repository;
  const refs = await refsOf(workspace);
  const head = headIn(gitFolder, refs);
  const log = contentAt(join(common, 'logs/refs/stash'));
  const index = contentAt(join(gitFolder, 'index'));
  const entries = index && (await indexState(repository, index, last));
  const stash = refs.find(({place}) => place === gitPlaces.stash);
  const held: readonly Held[] = [
    ...refs,
    {place: gitPlaces.head, state: head.state},
    ...(stash ? [{...stash, state: stashState(stash.id, log), content: log ?? nothing}] : []),
    ...(entries ? [{place: gitPlaces.index, state: `${entries} ${head.id}`, content: index}] : []),
    ...unfinishedIn(gitFolder),
  ];
  return {
    repository,
    states: new Map(held.map(({place, state}) => [place, state])),
    contents: new Map(held.flatMap(({place, content}) => (content ? [[place, content]] : []))),
    tips: [...new Set([...loggedIn(log), head.id, ...byImportance(refs)])].filter(isId),
    elsewhere: elsewhereIn(refs, head.target),
  };
}

interface Held {
  readonly place: string;
  readonly state: string;
  readonly content?: Buffer | undefined;
}

const nothing = Buffer.alloc(0);

function unfinishedIn(gitFolder: string): readonly Held[] {
  return unfinished
    .split(' ')
    .filter((name) => statsOf(join(gitFolder, name)) !== undefined)
    .map((name) => ({place: `.git/${name}`, state: unfinishedState}));
}

/** The objects of git with the contents of files, for those that the index lists and that are unchanged. Never rejects. */
export async function blobsOf(
  workspace: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (markOf(workspace) === undefined) return new Map();
  const some = paths.slice(0, maxBlobs);
  const [listed, hashed] = await Promise.all([
    gitIn(workspace, ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...some]),
    gitIn(workspace, ['hash-object', '--no-filters', '--', ...some]),
  ]);
  if (!listed.ok || !hashed.ok) return new Map();
  const ids = hashed.text.split('\n');
  const staged = new Set(listed.text.split('\0'));
  const isStaged = (path: string, id: string): boolean =>
    ['100644', '100755'].some((mode) => staged.has(`${mode} ${id} 0\t${path}`));
  return new Map(
    some.flatMap((path, at) => {
      const id = ids[at] ?? '';
      return isStaged(path, id) ? [[path, id] as const] : [];
    }),
  );
}

/** Undefined when git does not have it. Never rejects. */
export async function blobContent(workspace: string, id: string): Promise<Buffer | undefined> {
  const found = await gitIn(workspace, ['cat-file', 'blob', id], {isBinary: true});
  return found.ok ? Buffer.from(found.text, 'latin1') : undefined;
}

/** `failure`: why its objects can't be kept. */
export function unkeptOfGit(seen: GitSeen, failure: string | undefined): readonly Unkept[] {
  if (seen === 'none') return [];
  if (!isRead(seen)) return [{path: '.git', why: seen.why}];
  const open = [...seen.states].filter(([, state]) => state === unfinishedState);
  return [
    ...(failure === undefined ? [] : [{path: '.git', why: `can't be written: ${failure}`}]),
    ...open.map(([path]) => ({path, why: 'belongs to an operation of git that has not ended'})),
  ];
}

interface Ref {
  readonly place: string;
  readonly id: string;
  /** `ref ID`, or `ref: NAME` of a symbolic one. */
  readonly state: string;
  readonly checkedOut: string;
}

async function refsOf(workspace: string): Promise<readonly Ref[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)';
  const output = await gitIn(workspace, ['for-each-ref', format]);
  if (!output.ok) throw new Unreadable(`git can't list${because(output)}`);
  const lines = output.text.split('\n');
  const named = lines.filter((line) => line !== '' && !line.startsWith('refs/quorate/'));
  if (named.length > maxRefs) throw new Unreadable(`has more than ${maxRefs} refs`);
  return named.map((line) => {
    const [name = '', id = '', target = '', checkedOut = ''] = line.split('\0');
    const state = target === '' ? `ref ${id}` : `ref: ${target}`;
    return {place: `.git/${name}`, id: target === '' ? id : '', state, checkedOut};
  });
}

interface Head {
  /** Its text, and the commit. */
  readonly state: string;
  /** Empty on a branch without a commit. */
  readonly id: string;
  /** The place of its branch; undefined when it is detached. */
  readonly target: string | undefined;
}

function headIn(gitFolder: string, refs: readonly Ref[]): Head {
  const text = smallFileText(join(gitFolder, 'HEAD')).trim();
  if (isId(text)) return {state: text, id: text, target: undefined};
  const name = /^ref: (refs\/\S+)$/.exec(text)?.[1];
  if (name === undefined) throw new Unreadable('has no HEAD that git can read');
  const target = `.git/${name}`;
  const id = refs.find(({place}) => place === target)?.id ?? '';
  return {state: `${text} ${id}`, id, target};
}

function isId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && !/^0+$/.test(text);
}

function elsewhereIn(refs: readonly Ref[], own: string | undefined): Map<string, string> {
  const others = refs.filter(({place, checkedOut}) => checkedOut !== '' && place !== own);
  return new Map(others.map(({place, checkedOut}) => [place, checkedOut]));
}

function byImportance(refs: readonly Ref[]): readonly string[] {
  const isBranch = ({place}: Ref): boolean => place.startsWith('.git/refs/heads/');
  const others = refs.filter((ref) => !isBranch(ref));
  return [...refs.filter(isBranch), ...others].map(({id}) => id);
}

function stashState(id: string, log: Buffer | undefined): string {
  return `stash ${id} ${hash('sha256', log ?? '')}`;
}

/** The commits of the stash. */
export function loggedIn(log: Buffer | undefined): readonly string[] {
  const lines = log?.toString('latin1').split('\n') ?? [];
  return lines.map((line) => line.split(' ')[1] ?? '');
}

function contentAt(path: string): Buffer | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  if (stats.isFile() && stats.size <= maxIndexBytes) return readFileSync(openable(path));
  throw new Unreadable(`keeps more than ${maxIndexBytes / 1024 / 1024} MB in ${path}`);
}

/** Covers the entries, not the times of their files. */
async function indexState(
  {workspace}: Repository,
  bytes: Buffer,
  last: GitData | undefined,
): Promise<string> {
  if (last?.contents.get(gitPlaces.index)?.equals(bytes) === true) {
    return entriesOf(last.states.get(gitPlaces.index) ?? '');
  }
  const state = await withIndex(bytes, async (index) => await entriesState(workspace, index));
  if (state === undefined) throw new Unreadable("has an index that git can't read");
  return state;
}

/** The state of an index without the commit of HEAD. */
export function entriesOf(state: string): string {
  return /^index \S+/.exec(state)?.[0] ?? state;
}

/** `index`: the path of its file. Undefined when git can't read it. */
export async function entriesState(workspace: string, index: string): Promise<string | undefined> {
  const listed = await gitIn(workspace, ['ls-files', '--stage', '-z', '--full-name', ':/'], {
    index,
  });
  return listed.ok ? `index ${hash('sha256', listed.text)}` : undefined;
}

/** With a copy of an index: git writes to its folder. */
export async function withIndex<T>(
  bytes: Uint8Array,
  act: (index: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(temporaryFolder(), 'quorate-index-'));
  try {
    const index = join(folder, 'index');
    writeFileSync(index, bytes, {mode: 0o600});
    return await act(index);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
