/**
 * Refs below `refs/quorate/RUN` that keep the objects of git's data before commands: without them, `git gc` could remove what a
 * restored branch, stash or index needs.
 */

import {randomUUID} from 'node:crypto';
import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {openFolder} from '../../containment/folder.ts';
import {smallFileText, statsOf} from '../../containment/guarded.ts';
import {gitIn} from '../../machine/git.ts';
import {temporaryName} from '../../write/leftovers.ts';
import {
  because,
  createGitReader,
  entriesOf,
  entriesState,
  type GitData,
  gitPlaces,
  isRead,
  loggedIn,
  type Repository,
  withIndex,
} from './git-data.ts';

/** In a larger repository tags and refs of remotes are not kept. */
const maxPins = 2_000;

export interface GitPins {
  /** Before a command of the run. Resolves with the reason if objects can't be kept. Never rejects. */
  readonly keep: (run: string, data: GitData) => Promise<string | undefined>;
  /** The run has changed these places: their objects stay until the run is erased. `data`: before it. Never rejects. */
  readonly need: (run: string, data: GitData, places: readonly string[]) => Promise<void>;
  /** Removes the pins of this process that no change of the run needs. Never rejects. */
  readonly rest: (run: string) => Promise<void>;
}

interface Pinned {
  readonly workspace: string;
  readonly ids: Set<string>;
  readonly needed: Set<string>;
}

export function createGitPins(): GitPins {
  /** Another process of the same run has other pins. */
  const own = randomUUID();
  const runs = new Map<string, Pinned>();
  const trees = new WeakMap<GitData, Promise<string | undefined>>();
  const treeOf = async (data: GitData): Promise<string | undefined> => {
    const tree = trees.get(data) ?? writeTree(data);
    trees.set(data, tree);
    return await tree;
  };
  return {
    keep: async (run, data) => {
      const {workspace} = data.repository;
      const pinned = runs.get(run) ?? {workspace, ids: new Set(), needed: new Set()};
      const tree = await treeOf(data);
      const tips = [...(tree === undefined ? [] : [tree]), ...data.tips];
      const wanted = tips.slice(0, maxPins).filter((id) => !pinned.ids.has(id));
      if (wanted.length === 0) return undefined;
      const why = await update(
        workspace,
        wanted.map((id) => `update ${pinName(run, own, id)} ${id}`),
      );
      if (why !== undefined) return why;
      runs.set(run, pinned);
      for (const id of wanted) pinned.ids.add(id);
      return undefined;
    },
    need: async (run, data, places) => {
      const pinned = runs.get(run);
      if (!pinned || places.length === 0) return;
      const tree = places.includes(gitPlaces.index) ? await treeOf(data) : undefined;
      if (tree !== undefined) pinned.needed.add(tree);
      for (const place of places) for (const id of idsAt(place, data)) pinned.needed.add(id);
    },
    rest: async (run) => {
      const pinned = runs.get(run);
      if (!pinned) return;
      const {workspace, ids, needed} = pinned;
      const unneeded = [...ids.difference(needed)];
      for (const id of unneeded) ids.delete(id);
      await update(
        workspace,
        unneeded.map((id) => `delete ${pinName(run, own, id)}`),
      );
    },
  };
}

/** Removes the pins of all processes of the run. Never rejects. */
export async function removePins(workspace: string, run: string): Promise<void> {
  const listed = await gitIn(workspace, [
    'for-each-ref',
    '--format=delete %(refname)',
    `refs/quorate/${run}/`,
  ]);
  if (listed.ok)
    await update(
      workspace,
      listed.text.split('\n').filter((line) => line !== ''),
    );
}

function idsAt(place: string, {states, contents}: GitData): readonly string[] {
  const named = (states.get(place) ?? '').match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? [];
  return place === gitPlaces.stash ? [...named, ...loggedIn(contents.get(place))] : named;
}

function pinName(run: string, own: string, id: string): string {
  return `refs/quorate/${run}/${own}/${id}`;
}

async function update(workspace: string, lines: readonly string[]): Promise<string | undefined> {
  if (lines.length === 0) return undefined;
  const input = lines.map((line) => `${line}\n`).join('');
  const done = await gitIn(
    workspace,
    ['-c', 'core.logAllRefUpdates=false', 'update-ref', '--stdin'],
    {input},
  );
  return done.ok ? undefined : done.why;
}

/** A tree that holds all that is staged; undefined during a merge, or when git can't write it. */
async function writeTree({repository, contents}: GitData): Promise<string | undefined> {
  const bytes = contents.get(gitPlaces.index);
  if (!bytes) return undefined;
  const written = await withIndex(
    bytes,
    async (index) => await gitIn(repository.workspace, ['write-tree', '--missing-ok'], {index}),
  );
  return written.ok ? written.text.trim() : undefined;
}

// Restores refs, HEAD, the stash and the index, each only from the state that a run has left.

export interface GitRestoring {
  readonly path: string;
  /** The state that the place must have until then. */
  readonly expected: string;
  /** Absent: it is removed. */
  readonly to?: {readonly state: string; readonly content: Uint8Array} | undefined;
}

/** The reason when it is not restored. */
type Failure = string | undefined;

const message = ['-m', 'quorate undo'];
const changed = 'something else has changed it since';

/** The index before HEAD, as its state names the commit of HEAD; removals before the refs that take their folders. */
export function inGitOrder<T>(steps: readonly T[], of: (step: T) => GitRestoring): readonly T[] {
  const rank = (step: T): number => {
    const {path, to} = of(step);
    if (path === gitPlaces.index) return 0;
    if (path === gitPlaces.head) return 1;
    return to ? 3 : 2;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

/** The reason why a place can't be restored now; undefined if it can be tried. */
export function whyLeft({states, elsewhere}: GitData, path: string): Failure {
  if (states.get(path) === 'unfinished')
    return 'git has not finished it: finish or abort it with git';
  const folder = elsewhere.get(path);
  return folder === undefined ? undefined : `it is checked out in ${folder}`;
}

/** Resolves with the reason when the place stays as it is: git compares a ref itself. Never rejects. */
export async function restoreGit(
  {repository}: Pick<GitData, 'repository'>,
  restoring: GitRestoring,
): Promise<Failure> {
  const {path, expected} = restoring;
  const isShared = !Object.values<string>(gitPlaces).includes(path);
  if (isShared) return await restoreRef(repository, path.slice('.git/'.length), restoring);
  const data = await createGitReader(repository.workspace)();
  if (!isRead(data) || (data.states.get(path) ?? 'absent') !== expected) return changed;
  if (path === gitPlaces.index) return await restoreIndex(data, restoring);
  if (path === gitPlaces.head) return await restoreHead(data, restoring);
  return await restoreStash(data, restoring);
}

async function git(workspace: string, ...args: readonly string[]): Promise<Failure> {
  const done = await gitIn(workspace, args);
  return done.ok ? undefined : `git can't restore it${because(done)}`;
}

async function restoreRef(
  {workspace, gitFolder}: Repository,
  name: string,
  {expected, to}: GitRestoring,
): Promise<Failure> {
  const old = isSymbolic(expected) ? [] : [idOf(expected)];
  const updating = ['update-ref', '--no-deref', ...message];
  if (to) {
    return await (isSymbolic(to.state)
      ? git(workspace, 'symbolic-ref', ...message, name, branchOf(to.state) ?? '')
      : git(workspace, ...updating, name, idOf(to.state), ...old));
  }
  if (smallFileText(join(gitFolder, 'HEAD')).trim() === `ref: ${name}`) {
    const there = await gitIn(workspace, ['rev-parse', '--quiet', '--verify', name]);
    return there.ok ? 'HEAD is on it' : undefined;
  }
  return await (isSymbolic(expected)
    ? git(workspace, 'symbolic-ref', '-d', name)
    : git(workspace, ...updating, '-d', name, ...old));
}

function isSymbolic(state: string): boolean {
  return branchOf(state) !== undefined;
}

/** Empty for a ref that does not exist: so git takes it. */
function idOf(state: string): string {
  return /^(?:ref|stash) (\S+)/.exec(state)?.[1] ?? '';
}

async function restoreHead(
  {repository: {workspace}}: GitData,
  {expected, to = absentState}: GitRestoring,
): Promise<Failure> {
  const [name, was] = [branchOf(to.state), branchOf(expected)];
  if (name === undefined) {
    const old = was === undefined ? [expected] : [];
    return await git(workspace, 'update-ref', '--no-deref', ...message, 'HEAD', to.state, ...old);
  }
  if (name !== was) return await git(workspace, 'symbolic-ref', ...message, 'HEAD', name);
  const isWithoutCommit = to.state === `ref: ${name} `;
  const id = expected.slice(to.state.length);
  return isWithoutCommit ? await git(workspace, 'update-ref', '-d', name, id) : undefined;
}

/** HEAD is never absent: git refuses the empty name. */
const absentState = {state: '', content: new Uint8Array()};

function branchOf(state: string): string | undefined {
  return /^ref: (\S+)/.exec(state)?.[1];
}

/** The log of the stash is its list: it is restored as a whole. */
async function restoreStash(
  {repository: {workspace, common}}: GitData,
  {expected, to}: GitRestoring,
): Promise<Failure> {
  const updating = ['update-ref', ...message];
  if (!to) return await git(workspace, ...updating, '-d', 'refs/stash', idOf(expected));
  const id = idOf(to.state);
  const why = await git(
    workspace,
    ...updating,
    '--create-reflog',
    'refs/stash',
    id,
    idOf(expected),
  );
  if (why !== undefined) return why;
  return await locked(join(common, 'refs/stash'), async () => {
    const now = await gitIn(workspace, ['rev-parse', 'refs/stash']);
    if (!now.ok || now.text.trim() !== id) return changed;
    const folder = openFolder(common, ['logs', 'refs']);
    try {
      const made = folder.reach(temporaryName());
      writeFileSync(made, to.content, {flag: 'wx'});
      renameSync(made, folder.reach('stash'));
      return undefined;
    } finally {
      folder.close();
    }
  });
}

async function restoreIndex(
  {repository: {workspace, gitFolder}}: GitData,
  {expected, to}: GitRestoring,
): Promise<Failure> {
  const index = join(gitFolder, 'index');
  return await locked(index, async (lock) => {
    const now = statsOf(index) ? await entriesState(workspace, index) : 'absent';
    if (now !== entriesOf(expected)) return changed;
    if (!to) {
      rmSync(index, {force: true});
      return undefined;
    }
    writeFileSync(lock, to.content);
    const made = await entriesState(workspace, lock);
    if (made !== entriesOf(to.state)) return 'git can no longer read its earlier state';
    renameSync(lock, index);
    return undefined;
  });
}

/** With the lock by which git excludes others. Never rejects. */
async function locked(path: string, act: (lock: string) => Promise<Failure>): Promise<Failure> {
  const lock = `${path}.lock`;
  const made = attempt(lock, () => writeFileSync(lock, '', {flag: 'wx'}));
  if (!made.ok) return `another git may be running: ${lock} can't be made`;
  try {
    return await act(lock);
  } catch (error) {
    return String(error);
  } finally {
    rmSync(lock, {force: true});
  }
}
