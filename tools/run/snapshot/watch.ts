/** Finds a command's changes in a workspace, when it ends or when the process that began it is gone. */

import type {OnReplace, Replacement} from '../../tool.ts';
import {type Difference, differencesOf, replacementOf, describeChanges} from './differences.ts';
import type {Manifest, Unkept} from './entry.ts';
import {removeMarker} from './marker-file.ts';
import {readMarker, writeMarker} from './marker.ts';
import {openPack, type Pack} from './pack.ts';
import {takeReopened} from './reopen.ts';
import type {Watch} from './snapshots.ts';
import {takeManifest} from './take.ts';
import type {View, ViewOptions} from './view.ts';
import {createWalkMemo, revisit, walk} from './walk.ts';

/** The size of a batch that is recorded at once, bytes. */
const batchBytes = 8 * 1024 * 1024;
const batchLength = 500;

const unwatched: Watch = {end: async () => await Promise.resolve(undefined)};

/** Never rejects. */
export async function begin(
  view: View,
  run: string | undefined,
  folder: string | undefined,
): Promise<Watch> {
  const beganMs = Date.now();
  const before = await view.look(0);
  if ('over' in before) return unwatched;
  const isMarked = folder !== undefined && run !== undefined;
  try {
    if (isMarked) writeMarker(folder, run, view.mark(folder, before));
  } catch {
    return unwatched;
  }
  return {
    end: async (onReplace) => {
      const {after, isWhole, reopened} = await view.lookAgain(before);
      const differences = differencesOf(before, after, {isWhole, beganMs});
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
    const differences = differencesOf(before, after, {isWhole, beganMs});
    await reportBatches(batchesOf(differences, pack), onReplace);
  } finally {
    pack.close();
  }
}
