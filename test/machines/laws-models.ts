/** Laws of the charts that ask a model for one thing: how often they ask, and what they may take for an answer. */

import type {Played} from '../support/played.ts';
import type {Law} from './explored.ts';
import {kindOf, outputOf, settlementsOf, requestsOf, unless, valueIn} from './laws-record.ts';

const maxAttempts = 5;
const maxWaitMs = 60_000;
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

const lacking = new Set<unknown>([...passing, 'auth', 'billing', 'overBudget', 'unavailable']);

/** Whether a fault says nothing but that the model can't be called: what is waited for, once it does not pass. */
export function isOutage(outcome: object | undefined): boolean {
  return lacking.has(kindOf(outcome));
}

/** Whether a fault is one that passes: worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = valueIn(outcome, 'retryAfterMs');
  return passing.has(kindOf(outcome)) && !(typeof wait === 'number' && wait > maxWaitMs);
}

/** By the rule that each states. */
export const modelCallLaws: Readonly<Record<string, Law>> = {
  'a model is asked at most five times, a pause before each time after the first': (played) => {
    const asked = requestsOf(played.log, 'callModel').length;
    const pauses = played.log.filter(({type}) => type === 'fired').length;
    const isPaced = asked <= maxAttempts && asked === pauses + 1;
    return unless(isPaced, `asked ${asked} times after ${pauses} pauses`);
  },
  'only a fault that passes is waited out': (played) => {
    const asked = requestsOf(played.log, 'callModel').length;
    const before = repliesIn(played).slice(0, asked - 1);
    return unless(before.every(isPassing), 'asked again without need');
  },
  'the last outcome is told, when nothing can change it any more': (played) => {
    const replies = repliesIn(played);
    const last = replies.at(-1);
    const isToRepeat = isPassing(last) && replies.length < maxAttempts;
    const told = last && 'crash' in last ? 'internal' : kindOf(last);
    const isReported = !isToRepeat && valueIn(outputOf(played), 'kind') === told;
    return unless(played.status() !== 'done' || isReported, `${String(told)} came last`);
  },
};

function repliesIn({log}: Played): object[] {
  return settlementsOf(log, 'callModel').map(({outcome}) => outcome);
}

/** The longest row of items of a kind. */
export function longestRow<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
): number {
  let [longest, row] = [0, 0];
  for (const item of items) {
    row = isWanted(item) ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}
