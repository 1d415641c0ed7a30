/**
 * Snapshots of workspaces, so that the changes of commands are known and can be undone.
 *
 * before a command: list the entries, store their contents → the command runs → list the entries again, compare
 *
 * Contents are stored when they are first seen, and read again only if the times, the size or the inode of a file
 * have changed: except for the first one of a process, a snapshot costs one stat per name.
 */

import {isCredentialPlace} from '../../../machines/places/places.ts';
import type {OnReplace} from '../../tool.ts';
import {type Baselines, createBaselines, removeMarker} from './baselines.ts';
import type {CommandChanges} from './differences.ts';
import type {Manifest, Unkept} from './entry.ts';
import type {GitSeen} from './git-data.ts';
import type {GitPins} from './git-pins.ts';
import type {Seen, View} from './view.ts';
import type {GitRecorder} from './watch.ts';

/** A snapshot of at most this age still counts as current, ms. */
const freshMs = 1_000;

export interface SnapshotOptions {
  /** Where contents are stored. Absent: in an unnamed file, which a process that takes over a run can't find. */
  readonly folder?: string | undefined;
  /** True for content that may not be stored. */
  readonly holdsSecret?: (content: Buffer) => boolean;
}

/** Finds the changes of a command after it has ended. */
export interface Watch {
  /** Reports all changes to `onReplace`. Undefined when they are unknown. Rejects as `onReplace` does. */
  readonly end: (onReplace: OnReplace | undefined) => Promise<CommandChanges | undefined>;
}

export interface Snapshots {
  /**
   * The reason why not all changes of a command in the workspace could be undone; undefined if all could. `isGitHeld`: it can't change
   * git's data. Never rejects.
   */
  readonly gapOf: (
    workspace: string,
    run?: string,
    isGitHeld?: boolean,
  ) => Promise<string | undefined>;
  /** Files, folders and data of git that could not be restored, besides a gap. Never rejects. */
  readonly unkeptIn: (workspace: string, run?: string) => Promise<readonly Unkept[]>;
  /**
   * True if the changes of a command that is confined and not understood could be undone: it can't access git's data and files with
   * credentials, and tools make build output again. Never rejects.
   */
  readonly isRestorable: (workspace: string, run?: string) => Promise<boolean>;
  /** Before a command of the run. `isGitHeld`: it can't change git's data. Never rejects. */
  readonly begin: (
    workspace: string,
    run: string | undefined,
    isGitHeld?: boolean,
  ) => Promise<Watch>;
  /** Reports the changes of a command whose process is gone; `isKept`: they may be reported again later. Rejects as `onReplace` does. */
  readonly settle: (run: string, onReplace: OnReplace, isKept?: boolean) => Promise<void>;
  /** The run makes no call now: keeps only the objects of git that its undo needs. Never rejects. */
  readonly rest: (run: string) => Promise<void>;
  /** Removes all data of the run, also from the repository of its workspace. Never rejects. */
  readonly forget: (run: string, workspace: string | undefined) => Promise<void>;
  /** The git state of the runs' workspaces when the runs began. */
  readonly baselines: Baselines;
  readonly close: () => void;
}

export function createSnapshots({
  folder,
  holdsSecret = () => false,
}: SnapshotOptions = {}): Snapshots {
  const views = new Map<string, View>();
  const viewOf = async (workspace: string): Promise<View> => {
    const {createView} = await import('./view.ts');
    const view = views.get(workspace) ?? createView(workspace, {folder, holdsSecret});
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
  const git = createGitRecorders();
  return {
    baselines,
    ...createForecast(seenOf, git),
    begin: async (workspace, run, isGitHeld = false) => {
      const {begin} = await import('./watch.ts');
      const view = await viewFor(workspace, run);
      const recorder = isGitHeld ? undefined : await git.recorderOf(workspace);
      return await begin({view, run, folder, git: recorder});
    },
    settle: async (run, onReplace, isKept = false) => {
      if (folder === undefined) return;
      const {settle} = await import('./watch.ts');
      await settle({folder, run, holdsSecret}, onReplace);
      if (!isKept) removeMarker(folder, run);
    },
    rest: git.rest,
    forget: async (run, workspace) => {
      if (folder !== undefined) removeMarker(folder, run);
      baselines.forget(run);
      for (const view of views.values()) view.ignore(run);
      if (workspace !== undefined) await git.forget(run, workspace);
    },
    close: () => {
      for (const view of views.values()) view.close();
      views.clear();
    },
  };
}

type Forecast = Pick<Snapshots, 'gapOf' | 'unkeptIn' | 'isRestorable'>;

function createForecast(
  seenOf: (workspace: string, run: string | undefined) => Promise<Seen>,
  git: Pick<GitRecorders, 'unkeptIn'>,
): Forecast {
  return {
    gapOf: async (workspace, run, isGitHeld = false) => {
      const seen = await seenOf(workspace, run);
      if ('over' in seen) return seen.over;
      return isGitHeld ? seen.heldGap : seen.gap;
    },
    unkeptIn: async (workspace, run) => {
      const seen = await seenOf(workspace, run);
      const unkept = await git.unkeptIn(workspace);
      return 'over' in seen ? unkept : [...unkeptOf(seen), ...unkept];
    },
    isRestorable: async (workspace, run) => {
      const seen = await seenOf(workspace, run);
      return !('over' in seen) && seen.heldGap === undefined && unkeptOf(seen).every(isClosed);
    },
  };
}

interface GitRecorders {
  readonly recorderOf: (workspace: string) => Promise<GitRecorder>;
  readonly unkeptIn: (workspace: string) => Promise<readonly Unkept[]>;
  readonly rest: GitPins['rest'];
  readonly forget: (run: string, workspace: string) => Promise<void>;
}

function createGitRecorders(): GitRecorders {
  const readers = new Map<string, () => Promise<GitSeen>>();
  const failures = new Map<string, string | undefined>();
  let pins: GitPins | undefined;
  const readerOf = async (workspace: string): Promise<() => Promise<GitSeen>> => {
    const {createGitReader} = await import('./git-data.ts');
    const reader = readers.get(workspace) ?? createGitReader(workspace);
    readers.set(workspace, reader);
    return reader;
  };
  return {
    recorderOf: async (workspace) => {
      const {createGitPins} = await import('./git-pins.ts');
      pins ??= createGitPins();
      const read = await readerOf(workspace);
      return {read, pins, onFailure: (why) => void failures.set(workspace, why)};
    },
    unkeptIn: async (workspace) => {
      const {unkeptOfGit} = await import('./git-data.ts');
      return unkeptOfGit(await (await readerOf(workspace))(), failures.get(workspace));
    },
    rest: async (run) => await pins?.rest(run),
    forget: async (run, workspace) => {
      const {removePins} = await import('./git-pins.ts');
      await removePins(workspace, run);
    },
  };
}

const secretText = 'may hold secrets';

/** No confined command can change it. */
function isClosed({path, why}: Unkept): boolean {
  return why === nestedText || (why === secretText && isCredentialPlace(path));
}

const nestedText = 'is the data of another repository';

const unkeptLists = new WeakMap<Manifest, readonly Unkept[]>();

/** Single files with secrets, then data that git ignores. */
function unkeptOf(manifest: Manifest): readonly Unkept[] {
  const known = unkeptLists.get(manifest);
  if (known) return known;
  const secrets = [...manifest.entries]
    .filter(([, {missing}]) => missing === 'secret')
    .map(([path]): Unkept => ({path, why: secretText}));
  const nested = [...manifest.leftOut]
    .filter((path) => path.endsWith('/.git'))
    .map((path): Unkept => ({path, why: nestedText}));
  const list = [...secrets, ...nested, ...(manifest.unkept ?? [])];
  unkeptLists.set(manifest, list);
  return list;
}
