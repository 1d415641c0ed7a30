/**
 * Who may change a workspace: one run at a time, of this process and of others. Within a process runs queue; between
 * processes a lock file decides, which the operating system unlocks when its holder dies.
 */

import {chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setInterval} from 'node:timers/promises';

import {toFailure} from '../../machines/domain/failure.ts';
import type {PortOutcome} from '../../machines/ports.ts';
import {nodeCrypto} from '../journal/node-crypto.ts';
import {isLocked} from '../journal/sqlite-errors.ts';

const retryMs = 100;

export interface LockWait {
  readonly signal: AbortSignal;
  /** Called once, when others hold the workspace. */
  readonly onBusy: () => void;
}

export interface WorkspaceLocks {
  /**
   * Resolves when the workspace (absolute path, links resolved) is the run's, at once if it is already; or, not locked,
   * when the wait is aborted or there can be no lock file. Never rejects.
   */
  readonly lock: (
    run: string,
    workspace: string,
    wait: LockWait,
  ) => Promise<PortOutcome<'lockWorkspace'>>;
  /** Lets go of what the run holds, if anything: after its calls, and when it is left. */
  readonly unlock: (run: string) => void;
}

/** Of this process, whatever runtime its runs are of: how each run lets go of what it keeps. */
const keepings = new Map<string, () => void>();
/** When those that are in line for a workspace so far will have left. */
const queues = new Map<string, Promise<void>>();

/** Without a folder for lock files, the runs of this process alone exclude each other. */
export function createWorkspaceLocks(folder: string | undefined): WorkspaceLocks {
  return {
    lock: async (run, workspace, wait) => {
      if (keepings.has(run)) return {locked: true};
      const leave = await takeTurn(workspace, wait);
      try {
        wait.signal.throwIfAborted();
        const unlock = folder === undefined ? () => {} : await lockFile(folder, workspace, wait);
        keepings.set(run, () => {
          unlock();
          leave();
        });
      } catch (error) {
        leave();
        return {locked: false, why: toFailure(error).message};
      }
      // Whoever gave up waiting has nothing left that would unlock it.
      if (wait.signal.aborted) letGo(run);
      return {locked: true};
    },
    unlock: letGo,
  };
}

function letGo(run: string): void {
  const release = keepings.get(run);
  keepings.delete(run);
  release?.();
}

/** Resolves when all that came before have left; with how to leave. */
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

/** Rejects when there can be no such file, and on abort. */
async function lockFile(
  folder: string,
  workspace: string,
  {signal, onBusy}: LockWait,
): Promise<() => void> {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const name = nodeCrypto().hash('sha256', workspace).slice(0, 32);
  const path = join(folder, `workspace-${name}.lock`);
  const file = new DatabaseSync(path);
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

/** False when another process holds it. */
function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
