/** The last seen state of one workspace, with the stored contents. */

import {lstatSync, mkdirSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';

import {attempt} from '../../containment/denial.ts';
import {changeMode, openFolder} from '../../containment/folder.ts';
import {temporaryName} from '../../write/leftovers.ts';
import type {Entry, Manifest} from './entry.ts';
import {type Marker, sweep, writeManifest} from './marker.ts';
import {createPack, type Pack, takeManifest, withBlobs} from './take.ts';
import {createWalkMemo, revisit, walk, type WalkMemo} from './walk.ts';

/** A workspace beyond the limits is not read again for this long, ms. */
const overMs = 60_000;

export type Seen = Manifest | {readonly over: string};

/** The last seen state of one workspace. */
export interface View {
  readonly workspace: string;
  /** Reads the workspace, unless that was done within `freshMs`. Never rejects. */
  readonly look: (freshMs: number) => Promise<Seen>;
  /** Compares the workspace with `before`. Not whole: there are too many new files to list. */
  readonly lookAgain: (before: Manifest) => Promise<{
    readonly after: Manifest;
    readonly isWhole: boolean;
    readonly reopened: readonly string[];
  }>;
  readonly pack: () => Pack;
  /** For a run: from then on a path counts as build output only if git ignored it when the run began. */
  readonly heed: (run: string, wasIgnored: (path: string) => boolean) => void;
  readonly ignore: (run: string) => void;
  /** The content of a marker, after the manifest is on disk. Throws the operating system's error. */
  readonly mark: (folder: string, before: Manifest) => Marker;
  readonly close: () => void;
}

export interface ViewOptions {
  readonly folder: string | undefined;
  readonly holdsSecret: (content: Buffer) => boolean;
}

export function createView(workspace: string, options: ViewOptions): View {
  const files = createViewFiles(options.folder);
  const [heeded, inTurn] = [createHeeded(), createQueue()];
  const scan = {workspace, wasIgnored: heeded.wasIgnored};
  const {holdsSecret} = options;
  const tried = new WeakSet<Entry>();
  let memo: WalkMemo = createWalkMemo();
  let last: {readonly seen: Seen; readonly at: number} | undefined;

  const forget = (): void => {
    files.remove();
    last = undefined;
    memo = createWalkMemo();
  };
  const take = async (): Promise<Seen> => {
    if (files.isFull()) forget();
    const pack = files.pack();
    const before = last && 'entries' in last.seen ? last.seen : undefined;
    const terms = {workspace, pack, holdsSecret};
    const takeSince = async (earlier: Manifest | undefined): Promise<Seen> =>
      await takeManifest({...terms, before: earlier, steps: walk({...scan, memo})});
    const seen = await takeSince(before);
    const known = 'over' in seen ? seen : await withBlobs(workspace, seen, tried);
    // Again, because a large file of git's leaves no gap.
    return known === seen || 'over' in known ? seen : await takeSince(known);
  };
  const look = async (within: number): Promise<Seen> => {
    const age = last === undefined ? Infinity : performance.now() - last.at;
    if (last && age < ('over' in last.seen ? overMs : within)) return last.seen;
    const seen = await take().catch((error: unknown) => ({
      over: `it can't be kept: ${String(error)}`,
    }));
    last = {seen, at: performance.now()};
    return seen;
  };
  const lookAgain: View['lookAgain'] = async (before) => {
    const terms = {workspace, before, pack: files.pack(), holdsSecret};
    const order = {...scan, memo, since: before};
    const {seen: after, reopened} = await takeReopened(
      {workspace, before},
      async () => await takeManifest({...terms, steps: walk(order)}),
    );
    last = 'over' in after ? undefined : {seen: after, at: performance.now()};
    if (!('over' in after)) return {after, isWhole: true, reopened};
    const rest = await takeManifest({...terms, steps: revisit(workspace, before)});
    return {after: 'over' in rest ? before : rest, isWhole: false, reopened};
  };
  return {
    workspace,
    look: async (within) => await inTurn(async () => await look(within)),
    lookAgain: async (before) => await inTurn(async () => await lookAgain(before)),
    pack: files.pack,
    heed: (run, was) => {
      if (heeded.add(run, was)) memo.judged.clear();
    },
    ignore: heeded.remove,
    mark: (folder, before) => ({workspace, ...files.mark(folder, before), beganMs: Date.now()}),
    close: forget,
  };
}

/** True if git ignored a path when each of the registered runs began. */
function createHeeded() {
  const runs = new Map<string, (path: string) => boolean>();
  return {
    wasIgnored: (path: string): boolean => [...runs.values()].every((was) => was(path)),
    /** False for a run that is registered already. */
    add: (run: string, was: (path: string) => boolean): boolean => {
      if (runs.has(run)) return false;
      runs.set(run, was);
      return true;
    },
    remove: (run: string): void => void runs.delete(run),
  };
}

/** Runs one act at a time, in the order of the calls. */
function createQueue(): <T>(act: () => Promise<T>) => Promise<T> {
  let queue: Promise<unknown> = Promise.resolve();
  return async (act) => {
    const turn = queue.then(act);
    queue = turn.catch(() => undefined);
    return await turn;
  };
}

/** A larger pack is replaced by a new one. */
const maxPackBytes = 1024 * 1024 * 1024;

/** The files on disk of one workspace's view: the pack of contents, and the manifest of its last marker. */
interface ViewFiles {
  /** Creates the pack when there is none. Throws the operating system's error. */
  readonly pack: () => Pack;
  readonly isFull: () => boolean;
  /** Names the files after the manifest is on disk. Throws the operating system's error. */
  readonly mark: (folder: string, before: Manifest) => Pick<Marker, 'pack' | 'manifest'>;
  /** Removes them. */
  readonly remove: () => void;
}

/** Without a folder the pack is an unnamed file. */
function createViewFiles(folder: string | undefined): ViewFiles {
  let pack: Pack | undefined;
  let packName = '';
  let written: {readonly manifest: Manifest; readonly name: string} | undefined;
  return {
    pack: () => {
      if (pack) return pack;
      if (folder !== undefined) prepare(folder);
      packName = temporaryName();
      pack = createPack(folder === undefined ? undefined : join(folder, packName));
      return pack;
    },
    isFull: () => pack !== undefined && pack.size() > maxPackBytes,
    mark: (place, before) => {
      if (written?.manifest !== before) {
        if (written) rmSync(join(place, written.name), {force: true});
        written = {manifest: before, name: writeManifest(place, before)};
      }
      return {pack: packName, manifest: written.name};
    },
    remove: () => {
      pack?.close();
      for (const name of [packName, written?.name ?? '']) {
        if (folder !== undefined && name !== '') rmSync(join(folder, name), {force: true});
      }
      pack = undefined;
      written = undefined;
    },
  };
}

/** Throws the operating system's error. */
function prepare(folder: string): void {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  sweep(folder);
}

// Folders that a command has made unreadable: its changes in them could be neither reported nor undone. Their owner gets read
// access again.

/** Access for the owner, to read the folder and to restore its content. */
const readable = 0o700;

export interface Reopened {
  readonly seen: Seen;
  /** Folders that are readable again: paths relative to the workspace. */
  readonly reopened: readonly string[];
}

/** Repeats `take` while it finds newly closed folders and can open them. Rejects as `take` does. */
export async function takeReopened(
  {workspace, before}: {readonly workspace: string; readonly before: Manifest},
  take: () => Promise<Seen>,
): Promise<Reopened> {
  const seen = await take();
  const closed = 'closed' in seen ? (seen.closed ?? []) : [];
  const opened = closed.filter((path) => !before.closed?.includes(path) && open(workspace, path));
  if (opened.length === 0) return {seen, reopened: []};
  const later = await takeReopened({workspace, before}, take);
  return {seen: later.seen, reopened: [...opened, ...later.reopened]};
}

function open(workspace: string, path: string): boolean {
  const parts = dirname(path) === '.' ? [] : dirname(path).split('/');
  const opened = attempt(path, () => {
    const outer = openFolder(workspace, parts);
    try {
      const place = outer.reach(basename(path));
      const stats = lstatSync(place);
      changeMode(place, (stats.mode & 0o7777) | readable);
    } finally {
      outer.close();
    }
  });
  return opened.ok;
}
