/**
 * The submissions that are in memory: woken for whoever has to do with one, and put to sleep when nobody has for a while.
 * What sleeps is its journal, and nothing else.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Run} from '../runtime-api.ts';

export interface AwakeOptions {
  /** Goes on with one that sleeps. Rejects as `Runtime.resume`. */
  readonly wake: (id: string) => Promise<Run>;
  /** One is about to be put to sleep. */
  readonly onRest: (run: Run) => void;
  /** So long one stays awake when nobody has to do with it, and so do those that are at work until they are done. */
  readonly idleMs: number;
  /** At most so many are dealt with at once; others wait. The longest idle sleeps when there are more than that. */
  readonly most: number;
}

export interface Awake {
  /** Wakes it if it sleeps; it stays awake until the work is done. */
  readonly use: <T>(id: string, work: (run: Run) => Promise<T>) => Promise<T>;
  /** One that has just been begun. */
  readonly adopt: (run: Run) => void;
  /** Undefined while it sleeps. */
  readonly find: (id: string) => Run | undefined;
  /** Puts it to sleep, whatever it is at. */
  readonly rest: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Guest {
  readonly run: Run;
  users: number;
  /** Epoch ms. */
  usedAt: number;
  timer: NodeJS.Timeout | undefined;
  /** It is being put to sleep. */
  leaving: Promise<void> | undefined;
}

export function createAwake({wake, onRest, idleMs, most}: AwakeOptions): Awake {
  const guests = new Map<string, Guest>();
  const waking = new Map<string, Promise<Guest>>();
  const turns = createTurns(most);
  let isClosed = false;

  const admit = (run: Run): Guest => {
    const guest = {run, users: 0, usedAt: Date.now(), timer: undefined, leaving: undefined};
    guests.set(run.id, guest);
    void run.result.then(() => forget(guest));
    return guest;
  };
  const forget = (guest: Guest): void => {
    clearTimeout(guest.timer);
    if (guests.get(guest.run.id) === guest) guests.delete(guest.run.id);
  };
  const leave = async (guest: Guest): Promise<void> => {
    clearTimeout(guest.timer);
    onRest(guest.run);
    guest.leaving ??= guest.run.suspend('waiting').then(() => forget(guest));
    await guest.leaving;
  };
  const isFree = ({run, users, leaving}: Guest): boolean =>
    users === 0 && !leaving && run.atWork().length === 0;
  const makeRoom = async (): Promise<void> => {
    if (guests.size < most) return;
    const [longest] = [...guests.values()].filter(isFree).toSorted((a, b) => a.usedAt - b.usedAt);
    if (longest) await leave(longest);
  };
  const begin = async (id: string): Promise<Guest> => {
    await makeRoom();
    return admit(await wake(id));
  };
  const enter = async (id: string): Promise<Guest> => {
    if (isClosed) throw new AppError('busy', 'the server is ending; ask again when it is back');
    await guests.get(id)?.leaving;
    const guest = guests.get(id);
    if (guest) return guest.leaving ? await enter(id) : guest;
    const beginning = waking.get(id) ?? begin(id).finally(() => waking.delete(id));
    waking.set(id, beginning);
    return await beginning;
  };
  const linger = (guest: Guest): void => {
    clearTimeout(guest.timer);
    guest.timer = setTimeout(() => {
      if (isFree(guest)) void leave(guest);
      else if (guest.users === 0) linger(guest);
    }, idleMs);
  };
  return {
    use: async (id, work) =>
      await turns(async () => {
        const guest = await enter(id);
        guest.users += 1;
        try {
          return await work(guest.run);
        } finally {
          guest.users -= 1;
          guest.usedAt = Date.now();
          if (guest.users === 0) linger(guest);
        }
      }),
    adopt: (run) => linger(admit(run)),
    find: (id) => {
      const guest = guests.get(id);
      return guest?.leaving ? undefined : guest?.run;
    },
    rest: async (id) => {
      const guest = guests.get(id) ?? (await waking.get(id)?.catch(() => undefined));
      if (guest) await leave(guest);
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(waking.values());
      await Promise.all([...guests.values()].map(leave));
    },
  };
}

/** At most so many at once, in the order in which they came. */
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
