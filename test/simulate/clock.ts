/**
 * The time and the chance of a simulated world. Timers, the time of day, the running time and the random numbers of everything
 * in this process belong to it while it is installed; time passes only in {@link SimClock.passTo}.
 */

import {createDice} from '../support/dice.ts';

interface Timer {
  readonly due: number;
  readonly call: () => void;
}

/** A winter day, epoch ms. */
const dawn = Date.UTC(2026, 10, 28, 6);

/** Real seconds that an instant may take: modules are loaded when a world first needs them. */
const maxSeconds = 50;

const never = new Promise<never>(() => {});

export class SimClock {
  /** Ms since the beginning of the world. */
  now = 0;
  /** The difference between the time of day and the time that has passed, ms: it jumps. */
  jumped = 0;
  readonly #timers = new Map<number, Timer>();
  #count = 0;
  /** Counts everything that happens, so that silence can be noticed. */
  #activity = 0;
  #busy = 0;
  #generation = 0;

  /** Something has happened at this instant. */
  note(): void {
    this.#activity += 1;
  }

  /** From now on this process lives in this time. Returns a function that ends it. */
  install(seed: number): () => void {
    const {setTimeout: set, clearTimeout: clear} = globalThis;
    const {now} = Date;
    const {random} = Math;
    const roll = createDice(seed);
    const sides = 2 ** 32;
    Object.assign(globalThis, {
      setTimeout: (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        this.#set(() => call(...args), ms),
      clearTimeout: (timer: unknown) => this.#clear(timer),
    });
    Date.now = () => dawn + this.now + this.jumped;
    Object.defineProperty(performance, 'now', {value: () => this.now, configurable: true});
    Math.random = () => roll(sides) / sides;
    return () => {
      Object.assign(globalThis, {setTimeout: set, clearTimeout: clear});
      Date.now = now;
      // The real one is that of the prototype.
      Reflect.deleteProperty(performance, 'now');
      Math.random = random;
    };
  }

  /** The time of the next timer. */
  get next(): number | undefined {
    let first: number | undefined;
    for (const {due} of this.#timers.values()) first = Math.min(first ?? due, due);
    return first;
  }

  /** Lets time pass, and fires the timers that are due then. */
  passTo(time: number): void {
    this.now = Math.max(this.now, time);
    for (const [number, {due, call}] of this.#timers) {
      if (due > this.now) continue;
      this.#timers.delete(number);
      this.note();
      call();
    }
  }

  /** The process dies: its timers never fire. */
  forget(): void {
    this.#timers.clear();
    this.#generation += 1;
  }

  /** For code of the world that runs inside of {@link work}: time passes meanwhile. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<undefined>();
    const timer = ms === Infinity ? undefined : this.#set(() => resolve(undefined), ms);
    const wake = (): void => {
      this.#clear(timer);
      resolve(undefined);
    };
    signal?.addEventListener('abort', wake, {once: true});
    if (signal?.aborted === true) wake();
    await this.idle(promise);
  }

  /** For code of the world that runs inside of {@link work}: it waits for something that only time brings. */
  async idle<T>(waiting: Promise<T>): Promise<T> {
    this.#busy -= 1;
    const value = await waiting;
    this.#busy += 1;
    return value;
  }

  /** Runs code that takes no time, but may take turns of the event loop. It never ends in a process that has died meanwhile. */
  async work<T>(code: () => Promise<T>): Promise<T> {
    const generation = this.#generation;
    this.#busy += 1;
    try {
      return await code();
    } finally {
      this.#busy -= 1;
      this.note();
      if (generation !== this.#generation) await never;
    }
  }

  /** Resolves when nothing happens any more until time passes. */
  async settle(): Promise<void> {
    const began = process.uptime();
    for (let quiet = 0; quiet < 2;) {
      if (process.uptime() > began + maxSeconds) throw new Error('the world does not come to rest');
      const before = this.#activity;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      quiet = this.#activity === before && this.#busy === 0 ? quiet + 1 : 0;
    }
  }

  #set(call: () => void, ms: number): {readonly number: number} {
    this.#count += 1;
    this.#timers.set(this.#count, {due: this.now + Math.max(0, ms), call});
    this.note();
    return {number: this.#count};
  }

  #clear(timer: unknown): void {
    if (typeof timer === 'object' && timer !== null && 'number' in timer)
      this.#timers.delete(Number(timer.number));
  }
}

/** A promise that never settles. */
export async function forever(): Promise<never> {
  return await never;
}
