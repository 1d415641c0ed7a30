/**
 * Snapshots of workspaces, so that what commands change is known and can be undone.
 *
 * before a command: what is there, its contents kept → it runs → what is there now, held against it
 *
 * Contents are kept as they are first met, and looked at again only where the times, the size or the number of a file
 * have changed: but for the first one of a process, a snapshot costs one look at every name.
 */

import type {OnReplace} from '../../tool.ts';
import {type Baselines, createBaselines} from './baselines.ts';
import type {CommandChanges} from './differences.ts';
import type {Manifest, Unkept} from './entry.ts';
import {removeMarker} from './marker-file.ts';
import type {Seen, View} from './view.ts';

/** A look that old still speaks of now, ms. */
const freshMs = 1_000;

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
  readonly gapOf: (workspace: string, run?: string) => Promise<string | undefined>;
  /** Files and folders of which nothing could be brought back, beside a gap. Never rejects. */
  readonly unkeptIn: (workspace: string, run?: string) => Promise<readonly Unkept[]>;
  /**
   * Whether a command that is confined and not understood could be taken back: git's data and files with credentials are
   * out of its reach then, and tools make build output again. Never rejects.
   */
  readonly isRestorable: (workspace: string, run?: string) => Promise<boolean>;
  /** For a command of the run. Never rejects. */
  readonly begin: (workspace: string, run: string | undefined) => Promise<Watch>;
  /** Tells of what a command has changed whose process is gone; `isKept`: and will again. Rejects as `onReplace` does. */
  readonly settle: (run: string, onReplace: OnReplace, isKept?: boolean) => Promise<void>;
  /** Nothing of the run is kept any more. */
  readonly forget: (run: string) => void;
  /** How the workspaces of runs stood to git when they began. */
  readonly baselines: Baselines;
  readonly close: () => void;
}

export function createSnapshots({
  folder,
  own: places = [],
  holdsSecret = () => false,
}: SnapshotOptions = {}): Snapshots {
  const own = new Set(places);
  const views = new Map<string, View>();
  const viewOf = async (workspace: string): Promise<View> => {
    const {createView} = await import('./view.ts');
    const view = views.get(workspace) ?? createView(workspace, {folder, own, holdsSecret});
    views.set(workspace, view);
    return view;
  };
  const baselines = createBaselines(folder);
  const viewFor = async (workspace: string, run: string | undefined): Promise<View> => {
    const view = await viewOf(workspace);
    if (run === undefined) return view;
    const {wasIgnoredIn} = await import('../../commands/look/git-baseline.ts');
    view.heed(run, wasIgnoredIn(await baselines.of(run, workspace), workspace));
    return view;
  };
  const seenOf = async (workspace: string, run: string | undefined): Promise<Seen> =>
    await (await viewFor(workspace, run)).look(freshMs);
  const gapOf: Snapshots['gapOf'] = async (workspace, run) => {
    const seen = await seenOf(workspace, run);
    return 'over' in seen ? seen.over : seen.gap;
  };
  return {
    baselines,
    gapOf,
    unkeptIn: async (workspace, run) => {
      const seen = await seenOf(workspace, run);
      return 'over' in seen ? [] : unkeptOf(seen);
    },
    isRestorable: async (workspace, run) => {
      const seen = await seenOf(workspace, run);
      return !('over' in seen) && seen.gap === undefined && (seen.unkept ?? []).length === 0;
    },
    begin: async (workspace, run) => {
      const {begin} = await import('./watch.ts');
      return await begin(await viewFor(workspace, run), run, folder);
    },
    settle: async (run, onReplace, isKept = false) => {
      if (folder === undefined) return;
      const {settle} = await import('./watch.ts');
      await settle({folder, run, own, holdsSecret}, onReplace);
      if (!isKept) removeMarker(folder, run);
    },
    forget: (run) => {
      if (folder !== undefined) removeMarker(folder, run);
      baselines.forget(run);
      for (const view of views.values()) view.ignore(run);
    },
    close: () => {
      for (const view of views.values()) view.close();
      views.clear();
    },
  };
}

const secretText = 'may hold secrets';
const unkeptLists = new WeakMap<Manifest, readonly Unkept[]>();

/** Data that git ignores, and single files that are not kept. */
function unkeptOf(manifest: Manifest): readonly Unkept[] {
  const known = unkeptLists.get(manifest);
  if (known) return known;
  const secrets = [...manifest.entries]
    .filter(([, {missing}]) => missing === 'secret')
    .map(([path]): Unkept => ({path, why: secretText}));
  const list = [...(manifest.unkept ?? []), ...secrets];
  unkeptLists.set(manifest, list);
  return list;
}
