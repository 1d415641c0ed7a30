/** The state that the page shows; calls a listener at each change. */

import {type Problem, type Shown, withMessages, withStanding} from './shown.ts';
import type {Message, Standing, Submission} from './wire.ts';

export interface Showing {
  readonly now: () => Shown;
  readonly change: (changes: Partial<Pick<Shown, 'sending' | 'connection'>>) => void;
  readonly received: (messages: readonly Message[], standing?: Standing) => void;
  /** Undefined: the problem is over. */
  readonly problem: (problem: Problem | undefined) => void;
  readonly connected: (isConnected: boolean) => void;
}

/** Shorter interruptions are not shown. */
const patienceMs = 1500;

export function createShowing(opened: Submission, changed: (shown: Shown) => void): Showing {
  let shown: Shown = {submission: opened, sending: [], connection: 'live'};
  let patience: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Shown): void => {
    if (next === shown) return;
    shown = next;
    changed(shown);
  };
  const change: Showing['change'] = (changes) => set({...shown, ...changes});
  return {
    now: () => shown,
    change,
    received: (messages, standing) =>
      set(withMessages(standing ? withStanding(shown, standing) : shown, messages)),
    problem: (problem) => {
      const {problem: before, ...rest} = shown;
      if (problem !== before) set(problem === undefined ? rest : {...rest, problem});
    },
    connected: (isConnected) => {
      if (isConnected) {
        clearTimeout(patience);
        patience = undefined;
        change({connection: 'live'});
      } else {
        patience ??= setTimeout(() => {
          patience = undefined;
          change({connection: navigator.onLine ? 'lost' : 'offline'});
        }, patienceMs);
      }
    },
  };
}
