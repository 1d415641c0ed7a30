/**
 * Group commit: the engines of one log that have something to say queue up; a group's additions become durable in one
 * transaction, then each engine moves. One transaction is under way at a time, and all work is done in slices.
 *
 * A lonely engine goes on in a microtask; where there are several, they wait for the event loop to turn, so that the
 * group gets together.
 */

import type {Addition, Awaitable, Log} from '../journal/journal.ts';
import {isSliceOver} from './slices.ts';

export interface Member {
  /** What must be durable before {@link commit}. Not called again before `commit` or `fail`. */
  readonly prepare: () => readonly Addition[];
  /** All that was prepared is durable. Must not throw. */
  readonly commit: () => void;
  /** Nothing that was prepared is kept. Must not throw. */
  readonly fail: (error: unknown) => void;
}

const groupSize = 64;

export class Scheduler {
  readonly #log: Log;
  readonly #members = new Set<Member>();
  readonly #queue = new Set<Member>();
  readonly #jobs: (() => Awaitable<void>)[] = [];
  /** Durable, and not told yet. */
  #durable: Member[] = [];
  #isRunning = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** From now until {@link leave} the member counts when it is asked whether one is lonely. */
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

  /** Has a piece of work done in its slice, before the next group. Must not throw or reject. */
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
    const told = this.#durable.shift();
    if (told) {
      told.commit();
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
    return this.#append(batch, done, (error) => {
      const [first] = prepared;
      if (!first || prepared.length === 1) {
        first?.member.fail(error);
        return undefined;
      }
      return this.#writeEach(prepared);
    });
  }

  /** A group that could not be written, one by one: only those fail whose own addition can't be taken. */
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

  /** Waits only for a log that answers later. */
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

/** One for all engines that write to the log. */
export function schedulerOf(log: Log): Scheduler {
  const known = schedulers.get(log) ?? new Scheduler(log);
  schedulers.set(log, known);
  return known;
}
