/**
 * Group commit: engines of one log that have additions queue up; the additions of a group become durable in one transaction,
 * then each engine moves. One transaction is in flight at a time, and all work is done in time slices.
 *
 * A single engine continues in a microtask. Several engines wait for the next turn of the event loop, so that a group can
 * form.
 */

import type {Addition, Awaitable, Log} from '../journal/journal.ts';
import {isSliceOver} from './slices.ts';

export interface Member {
  /** Returns the additions that must be durable before {@link commit}. Not called again before `commit` or `fail`. */
  readonly prepare: () => readonly Addition[];
  /** Everything that was prepared is durable. Must not throw. */
  readonly commit: () => void;
  /** Nothing that was prepared was kept. Must not throw. */
  readonly fail: (error: unknown) => void;
}

const groupSize = 64;

export class Scheduler {
  readonly #log: Log;
  readonly #members = new Set<Member>();
  readonly #queue = new Set<Member>();
  readonly #jobs: (() => Awaitable<void>)[] = [];
  /** Their additions are durable, and `commit` has not been called yet. */
  #durable: Member[] = [];
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts the member among the engines of the log, until {@link leave}. */
  join(member: Member): void {
    this.#members.add(member);
  }

  leave(member: Member): void {
    this.#members.delete(member);
    this.#queue.delete(member);
  }

  enqueue(member: Member): void {
    this.#queue.add(member);
    this.#wake();
  }

  /** Runs a job in a time slice, before the next group unless that is full. The job must not throw or reject. */
  schedule(job: () => Awaitable<void>): void {
    this.#jobs.push(job);
    this.#wake();
  }

  #wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (this.#members.size > 1 || isSliceOver()) setImmediate(this.#run);
    else queueMicrotask(this.#run);
  }

  readonly #run = (): void => {
    while (this.#durable.length + this.#jobs.length + this.#queue.size > 0) {
      if (isSliceOver()) {
        setImmediate(this.#run);
        return;
      }
      const pending = this.#step();
      if (pending) {
        void pending.then(this.#run);
        return;
      }
    }
    this.#isRunning = false;
  };

  #step(): Promise<void> | undefined {
    const member = this.#durable.shift();
    if (member) {
      member.commit();
      return undefined;
    }
    const job = this.#queue.size < groupSize ? this.#jobs.shift() : undefined;
    if (job) return promised(job());
    return this.#write([...this.#takeGroup()]);
  }

  *#takeGroup(): Generator<Member> {
    let left = groupSize;
    for (const member of this.#queue) {
      this.#queue.delete(member);
      yield member;
      left -= 1;
      if (left === 0) return;
    }
  }

  #write(group: readonly Member[]): Promise<void> | undefined {
    const prepared = group.map((member) => ({member, additions: member.prepare()}));
    const batch = prepared.flatMap(({additions}) => additions);
    const done = (): undefined => {
      this.#durable = [...group];
    };
    if (batch.length === 0) return done();
    return this.#append(batch, done, () => this.#writeEach(prepared));
  }

  /**
   * Writes the members of a failed group one by one: only a member whose own additions can't be taken fails. What the failed
   * transaction kept after all is not written twice, as additions name their positions.
   */
  #writeEach(
    prepared: readonly {readonly member: Member; readonly additions: readonly Addition[]}[],
  ): Promise<void> | undefined {
    const [first, ...rest] = prepared;
    if (!first) return undefined;
    const {member, additions} = first;
    const next = (): Promise<void> | undefined => this.#writeEach(rest);
    return this.#append(
      additions,
      () => {
        this.#durable.push(member);
        return next();
      },
      (error) => {
        member.fail(error);
        return next();
      },
    );
  }

  /** Synchronous unless the log returns a promise. */
  #append(
    batch: readonly Addition[],
    done: () => Promise<void> | undefined,
    failed: (error: unknown) => Promise<void> | undefined,
  ): Promise<void> | undefined {
    try {
      const pending = promised(this.#log.append(batch));
      if (pending) return settled(pending, done, failed);
    } catch (error) {
      return failed(error);
    }
    return done();
  }
}

async function settled(
  pending: Promise<void>,
  done: () => Promise<void> | undefined,
  failed: (error: unknown) => Promise<void> | undefined,
): Promise<void> {
  try {
    await pending;
  } catch (error) {
    await failed(error);
    return;
  }
  await done();
}

function promised(value: Awaitable<void>): Promise<void> | undefined {
  return value instanceof Promise ? value : undefined;
}

const schedulers = new WeakMap<Log, Scheduler>();

/** The scheduler that all engines of the log share. */
export function schedulerOf(log: Log): Scheduler {
  const known = schedulers.get(log) ?? new Scheduler(log);
  schedulers.set(log, known);
  return known;
}

// The additions of one tree that wait for others: losing them costs nothing, so they become durable together with the next one
// that matters. They do not wait longer than a moment, so that readers of the journal can follow the run.

const longestMs = 250;

export class Unwritten {
  readonly #onDue: () => void;
  #additions: Addition[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  /** `onDue`: called when the additions have waited long enough. */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** The additions to write now, with this one: all of them, or none while they may wait. */
  take(isUrgent: boolean, addition?: Addition): readonly Addition[] {
    if (addition) this.#additions.push(addition);
    if (isUrgent || this.#isDue) {
      this.clear();
      return this.#additions.splice(0);
    }
    if (addition) this.#wait();
    return [];
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => {
      this.#isDue = true;
      this.#onDue();
    }, longestMs);
  }
}
