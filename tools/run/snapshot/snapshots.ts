/**
 * Snapshots of workspaces, so that what commands change is known and can be undone.
 *
 * before a command: what is there, its contents kept → it runs → what is there now, held against it
 *
 * Contents are kept as they are first met, and looked at again only where the times, the size or the number of a file
 * have changed: but for the first one of a process, a snapshot costs one look at every name.
 */

import type {OnReplace, Replacement} from '../../tool.ts';
import {
  type CommandChanges,
  type Difference,
  differencesOf,
  replacementOf,
  tellChanges,
} from './differences.ts';
import {readMarker, removeMarker, writeMarker} from './marker.ts';
import {openPack, type Pack} from './pack.ts';
import {takeReopened} from './reopen.ts';
import {takeManifest} from './take.ts';
import {createView, patienceAfterMs, type View, type ViewOptions} from './view.ts';
import {createWalkMemo, revisit, walk} from './walk.ts';

/** A look that old still speaks of now, ms. */
const freshMs = 1_000;

/** Handed over to be recorded at once, bytes. */
const batchBytes = 8 * 1024 * 1024;
const batchLength = 500;

export interface SnapshotOptions {
  /** Where contents are kept. Absent: in a file without a name, of which nobody knows who takes over a run. */
  readonly folder?: string | undefined;
  /** Absolute paths of what is written to beside all commands: no snapshot holds it. */
  readonly own?: readonly string[];
  /** Content that nobody may keep. */
  readonly holdsSecret?: (content: Buffer) => boolean;
}

/** What is found out after a command. */
export interface Watch {
  /** Tells `onReplace` of all that has changed. Undefined when that is not known. Rejects as `onReplace` does. */
  readonly end: (onReplace: OnReplace | undefined) => Promise<CommandChanges | undefined>;
}

export interface Snapshots {
  /** Why not all that a command changes in the workspace could be brought back; undefined when it could. Never rejects. */
  readonly gapOf: (workspace: string) => Promise<string | undefined>;
  /**
   * Whether a command that is confined and not understood could be taken back: git's data are out of its reach then. Never
   * rejects.
   */
  readonly isRestorable: (workspace: string) => Promise<boolean>;
  /** For a command of the run. Never rejects. */
  readonly begin: (workspace: string, run: string | undefined) => Promise<Watch>;
  /** Tells of what a command has changed whose process is gone; `isKept`: and will again. Rejects as `onReplace` does. */
  readonly settle: (run: string, onReplace: OnReplace, isKept?: boolean) => Promise<void>;
  /** Nothing of a command of the run is kept any more. */
  readonly forget: (run: string) => void;
  readonly close: () => void;
}

export function createSnapshots({
  folder,
  own: places = [],
  holdsSecret = () => false,
}: SnapshotOptions = {}): Snapshots {
  const own = new Set(places);
  const views = new Map<string, View>();
  const viewOf = (workspace: string): View => {
    const view = views.get(workspace) ?? createView(workspace, {folder, own, holdsSecret});
    views.set(workspace, view);
    return view;
  };
  const gapOf = async (workspace: string): Promise<string | undefined> => {
    const seen = await viewOf(workspace).look(freshMs);
    return 'over' in seen ? seen.over : seen.gap;
  };
  return {
    gapOf,
    isRestorable: async (workspace) => (await gapOf(workspace)) === undefined,
    begin: async (workspace, run) => await begin(viewOf(workspace), run, folder),
    settle: async (run, onReplace, isKept = false) => {
      if (folder === undefined) return;
      await settle({folder, run, own, holdsSecret}, onReplace);
      if (!isKept) removeMarker(folder, run);
    },
    forget: (run) => {
      if (folder !== undefined) removeMarker(folder, run);
    },
    close: () => {
      for (const view of views.values()) view.close();
      views.clear();
    },
  };
}

const unwatched: Watch = {end: async () => await Promise.resolve(undefined)};

async function begin(
  view: View,
  run: string | undefined,
  folder: string | undefined,
): Promise<Watch> {
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
      const differences = differencesOf(before, after);
      await tell(batchesOf(differences, view.pack()), onReplace);
      const told = await tellChanges(differences, view.pack(), {
        isWhole,
        reopened,
        gap: after.gap === before.gap ? undefined : after.gap,
      });
      if (isMarked) removeMarker(folder, run);
      return told;
    },
  };
}

async function tell(
  batches: Iterator<readonly Replacement[]>,
  onReplace: OnReplace | undefined,
): Promise<void> {
  const batch = onReplace ? batches.next() : undefined;
  if (!batch || batch.done === true) return;
  await onReplace?.(batch.value);
  return tell(batches, onReplace);
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

async function settle(
  {folder, run, own, holdsSecret}: Settling,
  onReplace: OnReplace,
): Promise<void> {
  const marker = readMarker(folder, run);
  if (!marker) return;
  const {workspace, before} = marker;
  const terms = {workspace, before, holdsSecret, patienceMs: patienceAfterMs};
  const memo = createWalkMemo();
  const {seen: found} = await takeReopened(
    {workspace, before},
    async () => await takeManifest({...terms, steps: walk({workspace, own, memo, since: before})}),
  );
  const after =
    'over' in found ? await takeManifest({...terms, steps: revisit(workspace, before)}) : found;
  if ('over' in after) return;
  const pack = openPack(marker.pack);
  try {
    await tell(batchesOf(differencesOf(before, after), pack), onReplace);
  } finally {
    pack.close();
  }
}
