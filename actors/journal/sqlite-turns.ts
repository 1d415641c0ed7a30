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

/** The works that wait for the lock. Only the first one is retried. */
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
