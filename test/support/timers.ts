/** A clock whose timers fire when a test says so. */

import type {AnyActorRef, AnyEventObject} from 'xstate';

export interface Scheduled {
  readonly target: AnyActorRef;
  readonly event: AnyEventObject;
}

export interface Timer {
  readonly scheduled: Scheduled;
  readonly delayMs: number;
  /** How many timers were set before this one. */
  readonly order: number;
  /** The value of `now` when it was set. */
  readonly setAt: number;
}

interface Timers {
  /** For `createActor`. */
  readonly clock: {
    readonly setTimeout: (fire: () => void, delayMs: number) => number;
    readonly clearTimeout: (id: number) => void;
  };
  /** The timers that are set, in the order in which they were set. */
  readonly set: () => readonly Timer[];
  /** Fires a timer that is set. */
  readonly fire: (timer: Timer) => void;
}

/**
 * @param scheduled the events that the actor's system has scheduled: XState does not pass the purpose of a timer to a clock.
 * @param now a counter of moves: timers of the same move are set at the same time.
 */
export function createTimers(
  scheduled: () => Readonly<Record<string, Scheduled>>,
  now: () => number = () => 0,
): Timers {
  const waiting = new Map<number, {readonly timer: Timer; readonly fire: () => void}>();
  const known = new WeakSet<object>();
  let count = 0;
  return {
    clock: {
      setTimeout(fire, delayMs) {
        const entry = Object.values(scheduled()).find((candidate) => !known.has(candidate));
        if (!entry) throw new Error('a timer without an event');
        known.add(entry);
        count += 1;
        waiting.set(count, {timer: {scheduled: entry, delayMs, order: count, setAt: now()}, fire});
        return count;
      },
      clearTimeout: (id) => waiting.delete(id),
    },
    set: () => [...waiting.values()].map(({timer}) => timer),
    fire(timer) {
      const found = waiting.get(timer.order);
      if (!found) throw new Error(`no timer ${timer.scheduled.event.type} is set`);
      waiting.delete(timer.order);
      found.fire();
    },
  };
}
