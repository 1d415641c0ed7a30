/**
 * Waits for a database that another process keeps locked, without blocking the event loop. No operation is lost, and operations
 * run in the order of their calls.
 */

import type {Awaitable} from './journal.ts';
import {isLockedOut, lockedTooLong} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';

const RETRY_MS = 10;
/** After this time, the person who waits should learn the reason. */
const LONG_MS = 1_000;

export interface Turns {
  /**
   * Does the work at once, or later while the database is locked or other work waits. Rejects with AppError `io`, as does
   * all work behind it, when the lock outlasts the patience: then none of it was done. The error names the `interactions`.
   * When the signal is aborted during the wait, the work is not done, and the promise rejects with the reason of the signal.
   */
  readonly take: <T>(
    work: () => T,
    interactions: readonly string[],
    signal?: AbortSignal,
  ) => Awaitable<T>;
  /** Does the work when no other work waits. */
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
  /** The longest wait for a lock. */
  readonly patienceMs: number;
  /** Called once per wait, when it is a long one. */
  readonly onLocked: () => void;
}

export function createTurns(store: Store, patience: Patience): Turns {
  const queue = new LockQueue(store, patience);
  return {
    take: (work, interactions, signal) => {
      if (!queue.isEmpty()) return queue.wait(work, interactions, signal);
      try {
        return work();
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        return queue.wait(work, interactions, signal);
      }
    },
    whenIdle: (work) => {
      if (queue.isEmpty()) return work();
      return queue.wait(() => {}, []).then(work, work);
    },
  };
}

/** Work that waits for the lock. Only the first item is retried. */
class LockQueue {
  readonly #store: Store;
  readonly #patience: Patience;
  readonly #queue: Waiting[] = [];
  /** When the wait is a long one, on the clock of `performance`. */
  #longAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, patience: Patience) {
    this.#store = store;
    this.#patience = patience;
  }

  isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Rejects as `take` does. */
  async wait<T>(work: () => T, interactions: readonly string[], signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const {promise, resolve, reject} = Promise.withResolvers<T>();
    const until = performance.now() + this.#patience.patienceMs;
    const waiting = {attempt: () => resolve(work()), reject, interactions, until};
    const giveUp = (): void => {
      this.#leave(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, {once: true});
    this.#join(waiting);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #join(waiting: Waiting): void {
    this.#queue.push(waiting);
    if (this.#queue.length > 1) return;
    this.#longAt = performance.now() + LONG_MS;
    this.#retryLater();
  }

  #leave(waiting: Waiting): void {
    const index = this.#queue.indexOf(waiting);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retry(), RETRY_MS);
  }

  #retry(): void {
    const [first] = this.#queue;
    if (!first) return;
    const outcome = this.#store.patiently(0, () => tryTo(first.attempt));
    if (outcome === undefined || !isLockedOut(outcome.error)) {
      this.#queue.shift();
      if (outcome) first.reject(outcome.error);
      if (this.#queue.length > 0) setImmediate(() => this.#retry());
      return;
    }
    if (performance.now() >= first.until) {
      this.#rejectAll(outcome.error);
      return;
    }
    this.#reportLong();
    this.#retryLater();
  }

  #rejectAll(cause: unknown): void {
    const {patienceMs} = this.#patience;
    for (const {reject, interactions} of this.#queue.splice(0))
      reject(lockedTooLong(this.#store.path, interactions, patienceMs, cause));
  }

  #reportLong(): void {
    if (performance.now() < this.#longAt) return;
    this.#longAt = Infinity;
    this.#patience.onLocked();
  }
}

function tryTo(work: () => void): {readonly error: unknown} | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return {error};
  }
}
