/**
 * Refs below `refs/quorate/RUN` that keep the objects of git's data before commands: without them, `git gc` could remove what a
 * restored branch, stash or index needs.
 */

import {randomUUID} from 'node:crypto';

import {gitIn} from '../../machine/git.ts';
import {type GitData, gitPlaces, loggedIn, withIndex} from './git-data.ts';

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
