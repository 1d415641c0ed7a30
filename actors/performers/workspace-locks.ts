/**
 * Locks a workspace for one run at a time, across processes. Within a process, runs queue. Between processes, a lock file
 * decides; the operating system unlocks it when its process dies.
 */

import {chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setInterval} from 'node:timers/promises';

import {toFailure} from '../../machines/domain/failure.ts';
import type {PortOutcome} from '../../machines/ports.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {nodeCrypto} from '../journal/node-crypto.ts';
import {isLocked} from '../journal/sqlite-errors.ts';

const retryMs = 100;

export interface LockWait {
  readonly signal: AbortSignal;
  /** Called when the run must wait: behind runs of this process, and again behind another process. */
  readonly onBusy: () => void;
}

export interface WorkspaceLocks {
  /**
   * Resolves when the run holds the lock of the workspace (absolute path, links resolved), at once if it already does.
   * Resolves with `locked: false` when the wait is aborted or the lock file cannot be made. Never rejects.
   */
  readonly lock: (
    run: string,
    workspace: string,
    wait: LockWait,
  ) => Promise<PortOutcome<'lockWorkspace'>>;
  /** Releases the lock of the run, if it holds one: after its calls, and when the run is left. */
  readonly unlock: (run: string) => void;
}

/** By run: releases its lock. Shared by all runtimes of this process. */
const releases = new Map<string, () => void>();
/** By workspace: resolves when all runs in its queue have left. */
const queues = new Map<string, Promise<void>>();

/** Without a folder for lock files, the runs of this process alone exclude each other. */
export function createWorkspaceLocks(folder: string | undefined): WorkspaceLocks {
  return {
    lock: async (run, workspace, wait) => {
      if (releases.has(run)) return {locked: true};
      const leave = await takeTurn(workspace, wait);
      try {
        wait.signal.throwIfAborted();
        const unlock = folder === undefined ? () => {} : await lockFile(folder, workspace, wait);
        releases.set(run, () => {
          unlock();
          leave();
        });
      } catch (error) {
        leave();
        return {locked: false, why: toFailure(error).message};
      }
      // An aborted waiter never calls `unlock`.
      if (wait.signal.aborted) letGo(run);
      return {locked: true};
    },
    unlock: letGo,
  };
}

function letGo(run: string): void {
  const release = releases.get(run);
  releases.delete(run);
  release?.();
}

/** Resolves when all earlier runs have left the queue, or on abort, with a function that leaves it. */
async function takeTurn(workspace: string, {signal, onBusy}: LockWait): Promise<() => void> {
  const {promise: stay, resolve: leave} = Promise.withResolvers<undefined>();
  const before = queues.get(workspace);
  const last = follow(before, stay);
  queues.set(workspace, last);
  void forget(workspace, last);
  if (before) {
    onBusy();
    await Promise.race([before, aborted(signal)]);
  }
  return () => leave(undefined);
}

async function follow(before: Promise<void> | undefined, stay: Promise<undefined>): Promise<void> {
  await before;
  await stay;
}

async function forget(workspace: string, last: Promise<void>): Promise<void> {
  await last;
  if (queues.get(workspace) === last) queues.delete(workspace);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}));
}

/** Resolves with a function that unlocks. Rejects when the file cannot be made, and on abort. */
async function lockFile(
  folder: string,
  workspace: string,
  {signal, onBusy}: LockWait,
): Promise<() => void> {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const name = nodeCrypto().hash('sha256', workspace).slice(0, 32);
  const path = join(folder, `workspace-${name}.lock`);
  const file = new DatabaseSync(path);
  claimState([path]);
  try {
    chmodSync(path, 0o600);
    if (!tryLock(file)) {
      onBusy();
      await untilLocked(file, signal);
    }
    return () => file.close();
  } catch (error) {
    file.close();
    throw error;
  }
}

async function untilLocked(file: DatabaseSync, signal: AbortSignal): Promise<void> {
  for await (const _ of setInterval(retryMs, undefined, {signal})) {
    if (tryLock(file)) return;
  }
}

/** False when another process holds the lock. */
function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
