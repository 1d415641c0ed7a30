/**
 * Waiting for a database that another process keeps locked, between turns of the event loop: nothing is lost, nothing
 * stands still, and what was asked first is done first.
 */

import type {Awaitable} from './journal.ts';
import {isLockedOut, lockedTooLong} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';

const RETRY_MS = 10;
/** A person who has waited so long wants to know what for. */
const LONG_MS = 1_000;

export interface Turns {
  /**
   * Does the work at once, or, while the database is locked or others wait, later. Rejects with AppError `io`, and so
   * does everything behind it, when the lock outlasts the patience: then nothing of it was done. `interactions` are
   * named in that error. Aborted while it waits, it is not done, and rejects with the signal's reason.
   */
  readonly take: <T>(
    work: () => T,
    interactions: readonly string[],
    signal?: AbortSignal,
  ) => Awaitable<T>;
  /** When nothing waits any more. */
  readonly whenIdle: (work: () => void) => Awaitable<void>;
}

interface Waiting {
  readonly attempt: () => void;
  readonly reject: (error: unknown) => void;
  readonly interactions: readonly string[];
  /** On the clock of `performance`. */
  readonly until: number;
}

export interface Patience {
  /** How long a lock is waited for. */
  readonly patienceMs: number;
  /** Called once in a time of waiting, when it is a long one. */
  readonly onLocked: () => void;
}

export function createTurns(store: Store, {patienceMs, onLocked}: Patience): Turns {
  const queue: Waiting[] = [];
  let tellAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const retryLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(retry, RETRY_MS);
  };
  const join = (waiting: Waiting): void => {
    queue.push(waiting);
    if (queue.length > 1) return;
    tellAt = performance.now() + LONG_MS;
    retryLater();
  };
  const leave = (waiting: Waiting): void => {
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
  };
  const wait = async <T>(
    work: () => T,
    interactions: readonly string[],
    signal?: AbortSignal,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const {promise, resolve, reject} = Promise.withResolvers<T>();
    const until = performance.now() + patienceMs;
    const waiting = {attempt: () => resolve(work()), reject, interactions, until};
    const giveUp = (): void => {
      leave(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, {once: true});
    join(waiting);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
  const tell = (): void => {
    if (performance.now() < tellAt) return;
    tellAt = Infinity;
    onLocked();
  };
  const retry = (): void => {
    const [first] = queue;
    if (!first) return;
    const outcome = store.patiently(0, () => tryTo(first.attempt));
    const isStillLocked = outcome !== undefined && isLockedOut(outcome.error);
    if (isStillLocked && performance.now() < first.until) {
      tell();
      retryLater();
      return;
    }
    if (isStillLocked) {
      for (const {reject, interactions} of queue.splice(0))
        reject(lockedTooLong(store.path, interactions, patienceMs, outcome.error));
      return;
    }
    queue.shift();
    if (outcome) first.reject(outcome.error);
    if (queue.length > 0) setImmediate(retry);
  };
  return {
    take: (work, interactions, signal) => {
      if (queue.length > 0) return wait(work, interactions, signal);
      try {
        return work();
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        return wait(work, interactions, signal);
      }
    },
    whenIdle: (work) => {
      if (queue.length === 0) return work();
      return wait(() => {}, []).then(work, work);
    },
  };
}

function tryTo(work: () => void): {readonly error: unknown} | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return {error};
  }
}
