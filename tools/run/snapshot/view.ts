/** One workspace, as it was last seen, with the contents that are kept of it. */

import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import {temporaryName} from '../../write/leftovers.ts';
import type {Manifest} from './entry.ts';
import {type Marker, sweep, writeManifest} from './marker.ts';
import {createPack, type Pack} from './pack.ts';
import {takeReopened} from './reopen.ts';
import {takeManifest} from './take.ts';
import {createWalkMemo, revisit, walk, type WalkMemo} from './walk.ts';

/** How long the first look may take, and how long one after a command, ms. */
const patienceMs = 2_000;
export const patienceAfterMs = 10_000;

/** A workspace beyond the bounds is not looked at again for so long, ms. */
const overMs = 60_000;

/** Beyond it a pack is begun anew. */
const maxPackBytes = 1024 * 1024 * 1024;

export type Seen = Manifest | {readonly over: string};

/** One workspace, as it was last seen. */
export interface View {
  readonly workspace: string;
  /** Looks at it, unless that was done within so many ms. Never rejects. */
  readonly look: (freshMs: number) => Promise<Seen>;
  /** Holds what is there against what was there. Not whole: what is new is too much to be told. */
  readonly lookAgain: (before: Manifest) => Promise<{
    readonly after: Manifest;
    readonly isWhole: boolean;
    readonly reopened: readonly string[];
  }>;
  readonly pack: () => Pack;
  /** Of a run: from then on build output is only what git ignored at its beginning, too. */
  readonly heed: (run: string, wasIgnored: (path: string) => boolean) => void;
  readonly ignore: (run: string) => void;
  /** What a marker says, once it is on the disk. Throws the operating system's error. */
  readonly mark: (folder: string, before: Manifest) => Marker;
  readonly close: () => void;
}

export interface ViewOptions {
  readonly folder: string | undefined;
  readonly own: ReadonlySet<string>;
  readonly holdsSecret: (content: Buffer) => boolean;
}

export function createView(workspace: string, {folder, own, holdsSecret}: ViewOptions): View {
  let memo: WalkMemo = createWalkMemo();
  let last: {readonly seen: Seen; readonly at: number} | undefined;
  let pack: Pack | undefined;
  let packName = '';
  let written: {readonly manifest: Manifest; readonly name: string} | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const heeded = new Map<string, (path: string) => boolean>();
  const wasIgnored = (path: string): boolean => [...heeded.values()].every((was) => was(path));
  const forget = (): void => {
    pack?.close();
    for (const name of [packName, written?.name ?? '']) {
      if (folder !== undefined && name !== '') rmSync(join(folder, name), {force: true});
    }
    pack = undefined;
    written = undefined;
    last = undefined;
    memo = createWalkMemo();
  };
  const packOf = (): Pack => {
    if (pack) return pack;
    if (folder !== undefined) prepare(folder);
    packName = temporaryName();
    pack = createPack(folder === undefined ? undefined : join(folder, packName));
    return pack;
  };
  const take = async (): Promise<Seen> => {
    if (pack && pack.size() > maxPackBytes) forget();
    const kept = packOf();
    const before = last && 'entries' in last.seen ? last.seen : undefined;
    const steps = walk({workspace, own, memo, patienceMs, wasIgnored});
    return await takeManifest({workspace, steps, before, pack: kept, holdsSecret, patienceMs});
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
  /** One look at a time. */
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    const turn = queue.then(act);
    queue = turn.catch(() => undefined);
    return await turn;
  };
  return {
    workspace,
    look: async (within) => await inTurn(async () => await look(within)),
    lookAgain: async (before) =>
      await inTurn(async () => {
        const terms = {workspace, before, pack: packOf(), holdsSecret, patienceMs: patienceAfterMs};
        const order = {workspace, own, memo, wasIgnored, patienceMs: patienceAfterMs};
        const {seen: after, reopened} = await takeReopened(
          {workspace, before},
          async () => await takeManifest({...terms, steps: walk({...order, since: before})}),
        );
        last = 'over' in after ? undefined : {seen: after, at: performance.now()};
        if (!('over' in after)) return {after, isWhole: true, reopened};
        const rest = await takeManifest({...terms, steps: revisit(workspace, before)});
        return {after: 'over' in rest ? before : rest, isWhole: false, reopened};
      }),
    pack: packOf,
    heed: (run, was) => {
      if (heeded.has(run)) return;
      heeded.set(run, was);
      memo.judged.clear();
    },
    ignore: (run) => void heeded.delete(run),
    mark: (place, before) => {
      if (written?.manifest !== before) {
        if (written) rmSync(join(place, written.name), {force: true});
        written = {manifest: before, name: writeManifest(place, before)};
      }
      return {workspace, pack: packName, manifest: written.name, beganMs: Date.now()};
    },
    close: forget,
  };
}

/** Throws the operating system's error. */
function prepare(folder: string): void {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  sweep(folder);
}
