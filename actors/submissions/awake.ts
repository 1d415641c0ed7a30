/**
 * The submissions in memory. A submission is woken when it is used, and suspended when it has not been used for a while. A
 * sleeping submission exists only in its journal.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Run} from '../runtime-api.ts';

export interface AwakeOptions {
  /** Resumes a sleeping run. Rejects as `Runtime.resume`. */
  readonly wake: (id: string) => Promise<Run>;
  /** The run is about to be suspended. */
  readonly onRest: (run: Run) => void;
  /** How long a run stays awake without users. A run that is at work stays awake until it is done. */
  readonly idleMs: number;
  /** The largest number of uses at once; others wait. Beyond it, the run that has been idle for longest is suspended. */
  readonly most: number;
}

export interface Awake {
  /** Wakes the run if it sleeps. It stays awake until the work is done. */
  readonly use: <T>(id: string, work: (run: Run) => Promise<T>) => Promise<T>;
  /** Adds a run that has just been started. */
  readonly adopt: (run: Run) => void;
  /** Undefined while it sleeps. */
  readonly find: (id: string) => Run | undefined;
  /** Suspends the run, also while it is at work. */
  readonly rest: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Guest {
  readonly run: Run;
  users: number;
  /** Epoch ms. */
  usedAt: number;
  timer: NodeJS.Timeout | undefined;
  /** Set while the run is being suspended. */
  leaving: Promise<void> | undefined;
}

export function createAwake(options: AwakeOptions): Awake {
  const guests = new Guests(options);
  const turns = createTurns(options.most);
  return {
    use: async (id, work) => await turns(async () => await guests.use(id, work)),
    adopt: (run) => guests.adopt(run),
    find: (id) => guests.find(id),
    rest: async (id) => await guests.rest(id),
    close: async () => await guests.close(),
  };
}

/** The runs in memory. They are suspended when they have been idle for long, or when room is needed. */
class Guests {
  readonly #options: AwakeOptions;
  readonly #guests = new Map<string, Guest>();
  readonly #waking = new Map<string, Promise<Guest>>();
  #isClosed = false;

  constructor(options: AwakeOptions) {
    this.#options = options;
  }

  async use<T>(id: string, work: (run: Run) => Promise<T>): Promise<T> {
    const guest = await this.#enter(id);
    guest.users += 1;
    try {
      return await work(guest.run);
    } finally {
      guest.users -= 1;
      guest.usedAt = Date.now();
      if (guest.users === 0) this.#linger(guest);
    }
  }

  adopt(run: Run): void {
    this.#linger(this.#admit(run));
  }

  find(id: string): Run | undefined {
    const guest = this.#guests.get(id);
    return guest?.leaving ? undefined : guest?.run;
  }

  async rest(id: string): Promise<void> {
    const guest = this.#guests.get(id) ?? (await this.#waking.get(id)?.catch(() => undefined));
    if (guest) await this.#leave(guest);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#waking.values());
    await Promise.all([...this.#guests.values()].map(async (guest) => await this.#leave(guest)));
  }

  /** Wakes the run unless it is awake. */
  async #enter(id: string): Promise<Guest> {
    if (this.#isClosed)
      throw new AppError('busy', 'the server is shutting down; try again when it is back');
    await this.#guests.get(id)?.leaving;
    const guest = this.#guests.get(id);
    if (guest) return guest.leaving ? await this.#enter(id) : guest;
    const beginning = this.#waking.get(id) ?? this.#wake(id).finally(() => this.#waking.delete(id));
    this.#waking.set(id, beginning);
    return await beginning;
  }

  async #wake(id: string): Promise<Guest> {
    await this.#makeRoom();
    return this.#admit(await this.#options.wake(id));
  }

  #admit(run: Run): Guest {
    const guest = {run, users: 0, usedAt: Date.now(), timer: undefined, leaving: undefined};
    this.#guests.set(run.id, guest);
    void run.result.then(() => this.#forget(guest));
    return guest;
  }

  async #makeRoom(): Promise<void> {
    if (this.#guests.size < this.#options.most) return;
    const free = [...this.#guests.values()].filter(isFree);
    const [longest] = free.toSorted((a, b) => a.usedAt - b.usedAt);
    if (longest) await this.#leave(longest);
  }

  #linger(guest: Guest): void {
    clearTimeout(guest.timer);
    guest.timer = setTimeout(() => {
      if (isFree(guest)) void this.#leave(guest);
      else if (guest.users === 0) this.#linger(guest);
    }, this.#options.idleMs);
  }

  async #leave(guest: Guest): Promise<void> {
    clearTimeout(guest.timer);
    this.#options.onRest(guest.run);
    guest.leaving ??= guest.run.suspend('waiting').then(() => this.#forget(guest));
    await guest.leaving;
  }

  #forget(guest: Guest): void {
    clearTimeout(guest.timer);
    if (this.#guests.get(guest.run.id) === guest) this.#guests.delete(guest.run.id);
  }
}

function isFree({run, users, leaving}: Guest): boolean {
  return users === 0 && !leaving && run.atWork().length === 0;
}

/** Runs at most `most` works at once, in the order of their calls. */
function createTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

/** Calls back when something happens in a run. Returns a function that stops it. */
export type Follow = (id: string, onChange: () => void) => () => void;

/** True when the run waits only for a person, who has been asked. */
export function isQuiet(run: Run): boolean {
  return run.asks().length > 0 && run.atWork().length === 0;
}

/** As `Run.quiet`, and with `late` after `patienceMs`. */
export async function untilQuiet(
  run: Run,
  patienceMs: number,
): Promise<'asked' | 'ended' | 'late'> {
  const {promise, resolve} = Promise.withResolvers<'late'>();
  const patience = setTimeout(() => resolve('late'), patienceMs);
  try {
    return await Promise.race([run.quiet(), promise]);
  } finally {
    clearTimeout(patience);
  }
}
