/**
 * Waiting for a database that another process keeps locked, between turns of the event loop: nothing is lost, nothing
 * stands still, and what was asked first is done first.
 */

import type {Awaitable} from './journal.ts';
import {isLockedOut, lockedTooLong} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';

const RETRY_MS = 10;

export interface Turns {
  /**
   * Does the work at once, or, while the database is locked or others wait, later. Rejects with AppError `io`, and so
   * does everything behind it, when the lock outlasts the patience: then nothing of it was done. `interactions` are
   * named in that error.
   */
  readonly take: <T>(work: () => T, interactions: readonly string[]) => Awaitable<T>;
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

/** `patienceMs`: how long a lock is waited for. */
export function createTurns(store: Store, patienceMs: number): Turns {
  const queue: Waiting[] = [];

  const wait = async <T>(work: () => T, interactions: readonly string[]): Promise<T> =>
    await new Promise<T>((resolve, reject) => {
      const attempt = () => resolve(work());
      queue.push({attempt, reject, interactions, until: performance.now() + patienceMs});
      if (queue.length === 1) setTimeout(retry, RETRY_MS);
    });
  const retry = (): void => {
    const [first] = queue;
    if (!first) return;
    const outcome = store.patiently(0, () => tryTo(first.attempt));
    const isStillLocked = outcome !== undefined && isLockedOut(outcome.error);
    if (isStillLocked && performance.now() < first.until) {
      setTimeout(retry, RETRY_MS);
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
    take: (work, interactions) => {
      if (queue.length > 0) return wait(work, interactions);
      try {
        return work();
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        return wait(work, interactions);
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
