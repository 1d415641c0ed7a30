/**
 * The clock of one actor system. Timers are numbered in the order in which the charts set them; they fire when the
 * journal says so: live after the time has passed, in replay where the entry stands.
 */

/** The longest that a timer of Node's takes. */
const maxTimerMs = 2_147_483_647;

interface Timer {
  readonly callback: (...args: never[]) => void;
  /** On the engine's time line, epoch ms. */
  due: number;
  handle?: NodeJS.Timeout | undefined;
}

export interface ClockOptions {
  /** The time of the entry being delivered, epoch ms. */
  readonly now: () => number;
  /** Called when a live timer's time has passed. */
  readonly onDue: (timer: number) => void;
  /** Called when a timer is set or cleared: what the charts want of the clock. */
  readonly onChange: (change: string) => void;
}

/** XState's `Clock`, and what the engine does with it. */
export class EngineClock {
  readonly #options: ClockOptions;
  readonly #timers = new Map<number, Timer>();
  #count = 0;
  #isLive = false;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  /** Timers that the charts wait for. */
  get size(): number {
    return this.#timers.size;
  }

  /** Those of the timers that the charts wait for. */
  get numbers(): number[] {
    return [...this.#timers.keys()];
  }

  setTimeout(callback: (...args: never[]) => void, delayMs: number): number {
    this.#count += 1;
    const number = this.#count;
    const timer: Timer = {callback, due: this.#options.now() + delayMs};
    this.#timers.set(number, timer);
    this.#options.onChange(`+${number}:${delayMs}`);
    if (this.#isLive) this.#arm(number, timer, delayMs);
    return number;
  }

  clearTimeout(number: number): void {
    const timer = this.#timers.get(number);
    if (!timer) return;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    this.#options.onChange(`-${number}`);
  }

  /** Fires a timer as an entry says. False when the charts do not wait for it (any more). */
  fire(number: number): boolean {
    const timer = this.#timers.get(number);
    if (!timer) return false;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    timer.callback();
    return true;
  }

  /** Starts to measure: each timer has left what it had left at `lastEntryAt`. */
  goLive(lastEntryAt: number): void {
    this.#isLive = true;
    for (const [number, timer] of this.#timers) this.#arm(number, timer, timer.due - lastEntryAt);
  }

  /** Time in which no process measured: every timer is due that much later. */
  skip(ms: number): void {
    for (const timer of this.#timers.values()) timer.due += ms;
  }

  stop(): void {
    this.#isLive = false;
    for (const {handle} of this.#timers.values()) clearTimeout(handle);
  }

  #arm(number: number, timer: Timer, delayMs: number): void {
    const wait = Math.min(Math.max(0, delayMs), maxTimerMs);
    timer.handle = setTimeout(() => this.#options.onDue(number), wait);
  }
}
