/**
 * The clock of one actor system. Timers are numbered in the order in which the charts set them. A live timer fires after its
 * time has passed and its entry is durable; in a replay, it fires at its entry.
 */

/** The longest delay of a timer of Node. */
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
  /** Called when the charts set or clear a timer. `change` describes it for the trail. */
  readonly onChange: (change: string) => void;
}

/** XState's `Clock`, and its control by the engine. */
export class EngineClock {
  readonly #options: ClockOptions;
  readonly #timers = new Map<number, Timer>();
  #count = 0;
  #isLive = false;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  /** The number of pending timers. */
  get size(): number {
    return this.#timers.size;
  }

  /** The numbers of the pending timers. */
  get numbers(): number[] {
    return [...this.#timers.keys()];
  }

  setTimeout(callback: (...args: never[]) => void, delayMs: number): number {
    this.#count += 1;
    const number = this.#count;
    const timer: Timer = {callback, due: this.#options.now() + delayMs};
    this.#timers.set(number, timer);
    this.#options.onChange(`+${number}:${delayMs}`);
    this.#arm(number, timer);
    return number;
  }

  clearTimeout(number: number): void {
    const timer = this.#timers.get(number);
    if (!timer) return;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    this.#options.onChange(`-${number}`);
  }

  /** Fires a timer because of its entry. Returns false when the timer is not pending. */
  fire(number: number): boolean {
    const timer = this.#timers.get(number);
    if (!timer) return false;
    clearTimeout(timer.handle);
    this.#timers.delete(number);
    timer.callback();
    return true;
  }

  /** Starts the timers: each runs for the time that it had left at the last entry. */
  goLive(): void {
    this.#isLive = true;
    for (const [number, timer] of this.#timers) this.#arm(number, timer);
  }

  /** Postpones every timer by a time in which no process ran the tree. */
  skip(ms: number): void {
    for (const timer of this.#timers.values()) timer.due += ms;
  }

  stop(): void {
    this.#isLive = false;
    for (const {handle} of this.#timers.values()) clearTimeout(handle);
  }

  #arm(number: number, timer: Timer): void {
    if (!this.#isLive) return;
    const wait = Math.min(Math.max(0, timer.due - this.#options.now()), maxTimerMs);
    timer.handle = setTimeout(() => this.#options.onDue(number), wait);
  }
}
