/** Finds a command's changes in a workspace, when it ends or when the process that began it is gone. */

import {hash} from 'node:crypto';

import type {OnReplace, Replacement} from '../../tool.ts';
import {removeMarker} from './baselines.ts';
import {type Difference, differencesOf, replacementOf, describeChanges} from './differences.ts';
import type {Entry, Kept, Manifest, Unkept} from './entry.ts';
import {
  blobContent,
  createGitReader,
  type GitData,
  type GitSeen,
  isRead,
  unfinishedState,
} from './git-data.ts';
import type {GitPins} from './git-pins.ts';
import {readMarker, writeMarker} from './marker.ts';
import {type Watch} from './snapshots.ts';
import {openPack, type Pack, takeManifest} from './take.ts';
import {takeReopened, type View, type ViewOptions} from './view.ts';
import {createWalkMemo, maxBytes, revisit, walk} from './walk.ts';

/** The size of a batch that is recorded at once, bytes. */
const batchBytes = 8 * 1024 * 1024;
const batchLength = 500;

const unwatched: Watch = {end: async () => await Promise.resolve(undefined)};

/** Where git's data is read, and its objects are kept. */
export interface GitRecorder {
  readonly read: () => Promise<GitSeen>;
  readonly pins: GitPins;
  /** The objects can't be kept. */
  readonly onFailure: (why: string | undefined) => void;
}

interface Recording {
  readonly view: View;
  readonly run: string | undefined;
  readonly folder: string | undefined;
  /** Absent: the command can't change git's data. */
  readonly git: GitRecorder | undefined;
}

/** Never rejects. A workspace beyond the limits is not recorded, but git's data is. */
export async function begin({view, run, folder, git}: Recording): Promise<Watch> {
  const beganMs = Date.now();
  const seen = await view.look(0);
  const before = 'over' in seen ? undefined : seen;
  try {
    const watched = run === undefined || !git ? undefined : await watchGit(run, git, view);
    if (!before) return watched ? gitOnly(view, watched) : unwatched;
    const isMarked = folder !== undefined && run !== undefined;
    if (isMarked) {
      const mark = view.mark(folder, before);
      writeMarker(folder, run, watched ? {...mark, git: [...watched.entries]} : mark);
    }
    return {
      end: async (onReplace) => {
        const {after, isWhole, reopened} = await view.lookAgain(before);
        const files = differencesOf(before, after, {isWhole, beganMs});
        const restorable = await withContents(view.workspace, files);
        const differences = [...restorable, ...((await watched?.differences()) ?? [])];
        await reportBatches(batchesOf(differences, view.pack()), onReplace);
        const changes = await describeChanges(differences, view.pack(), {
          isWhole,
          reopened,
          gap: after.gap === before.gap ? undefined : after.gap,
          unkept: newlyUnkept(before, after),
        });
        if (isMarked) removeMarker(folder, run);
        return changes;
      },
    };
  } catch {
    return unwatched;
  }
}

function gitOnly(view: View, watched: GitWatch): Watch {
  return {
    end: async (onReplace) => {
      const differences = await watched.differences();
      await reportBatches(batchesOf(differences, view.pack()), onReplace);
      const {changes, note} = await describeChanges(differences, view.pack(), {
        isWhole: true,
        reopened: [],
      });
      return {changes, note};
    },
  };
}

interface GitWatch {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Since then. None when git can no longer read the repository. */
  readonly differences: () => Promise<readonly Difference[]>;
}

/** Undefined when there is nothing to record. Rejects when the pack can't be written. */
async function watchGit(
  run: string,
  {read, pins, onFailure}: GitRecorder,
  view: View,
): Promise<GitWatch | undefined> {
  const data = await read();
  if (!isRead(data)) return undefined;
  onFailure(await pins.keep(run, data));
  const entries = gitEntries(data, view.pack());
  return {
    entries,
    differences: async () => {
      const found = gitDifferences(entries, await read(), view.pack());
      await pins.need(
        run,
        data,
        found.map(({path}) => path),
      );
      return found;
    },
  };
}

/** With the contents of large files that git has, within the limit of all contents. */
async function withContents(
  workspace: string,
  differences: readonly Difference[],
): Promise<readonly Difference[]> {
  let room = maxBytes;
  return await Promise.all(
    differences.map(async (difference): Promise<Difference> => {
      const {before} = difference;
      if (before?.blob === undefined || before.size > room) return difference;
      room -= before.size;
      const content = await blobContent(workspace, before.blob);
      return content ? {...difference, before: {...before, content}} : difference;
    }),
  );
}

function gitDifferences(
  before: ReadonlyMap<string, Entry>,
  now: GitSeen,
  pack: Pick<Pack, 'put'>,
): readonly Difference[] {
  if (!isRead(now)) return [];
  const after = gitEntries(now, pack);
  const leftOut = new Set<string>();
  const comparison = {isWhole: true, beganMs: 0};
  return differencesOf({entries: before, leftOut}, {entries: after, leftOut}, comparison);
}

/** Stores the contents. Throws when the pack can't be written. */
function gitEntries({states, contents}: GitData, pack: Pick<Pack, 'put'>): Map<string, Entry> {
  const base = {kind: 'git', mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0} as const;
  return new Map(
    [...states].map(([path, state]): [string, Entry] => {
      const content = contents.get(path);
      if (state === unfinishedState) return [path, {...base, state, missing: 'unkept'}];
      return [
        path,
        {...base, state, ...(content ? {kept: pack.put(hash('sha256', content), content)} : {})},
      ];
    }),
  );
}

function newlyUnkept(before: Manifest, {unkept = []}: Manifest): readonly Unkept[] {
  return unkept.filter(({path}) => !before.unkept?.some((known) => known.path === path));
}

async function reportBatches(
  batches: Iterator<readonly Replacement[]>,
  onReplace: OnReplace | undefined,
): Promise<void> {
  const batch = onReplace ? batches.next() : undefined;
  if (!batch || batch.done === true) return;
  await onReplace?.(batch.value);
  return reportBatches(batches, onReplace);
}

function* batchesOf(
  differences: readonly Difference[],
  pack: Pick<Pack, 'get'>,
): Generator<readonly Replacement[]> {
  let batch: Replacement[] = [];
  let bytes = 0;
  for (const difference of differences) {
    const replacement = replacementOf(difference, pack);
    batch.push(replacement);
    bytes += replacement.before?.content.length ?? 0;
    if (bytes < batchBytes && batch.length < batchLength) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A state after a command needs no content. */
const noPack = {put: (): Kept => ({offset: 0, length: 0})};

interface Settling extends ViewOptions {
  readonly folder: string;
  readonly run: string;
}

/** Rejects as `onReplace` does. */
export async function settle(
  {folder, run, holdsSecret}: Settling,
  onReplace: OnReplace,
): Promise<void> {
  const marker = readMarker(folder, run);
  if (!marker) return;
  const {workspace, before, beganMs} = marker;
  const terms = {workspace, before, holdsSecret};
  const memo = createWalkMemo();
  const {seen: found} = await takeReopened(
    {workspace, before},
    async () =>
      await takeManifest({
        ...terms,
        steps: walk({workspace, memo, since: before}),
      }),
  );
  const after =
    'over' in found ? await takeManifest({...terms, steps: revisit(workspace, before)}) : found;
  if ('over' in after) return;
  const pack = openPack(marker.pack);
  try {
    const isWhole = !('over' in found);
    const files = differencesOf(before, after, {isWhole, beganMs});
    const git =
      marker.git && gitDifferences(marker.git, await createGitReader(workspace)(), noPack);
    const differences = [...(await withContents(workspace, files)), ...(git ?? [])];
    await reportBatches(batchesOf(differences, pack), onReplace);
  } finally {
    pack.close();
  }
}
