/** Laws of the charts that ask a model for one thing: how often they ask, and which replies they accept. */

import type {Played} from '../support/played.ts';
import type {Law} from './explored.ts';
import {kindOf, outputOf, settlementsOf, requestsOf, unless, valueIn} from './laws-record.ts';

const maxAttempts = 5;
const maxWaitMs = 60_000;
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

const lacking = new Set<unknown>([...passing, 'auth', 'billing', 'overBudget', 'unavailable']);

/** True for a fault that only says that the model can't be called. If it does not pass, the run waits for a resume. */
export function isOutage(outcome: object | undefined): boolean {
  return lacking.has(kindOf(outcome));
}

/** True for a fault that passes, which is worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = valueIn(outcome, 'retryAfterMs');
  return passing.has(kindOf(outcome)) && !(typeof wait === 'number' && wait > maxWaitMs);
}

/** Laws by the rule that each states. */
export const modelCallLaws: Readonly<Record<string, Law>> = {
  'a model is asked at most five times, with a pause before each repeat': (played) => {
    const asked = requestsOf(played.log, 'callModel').length;
    const pauses = played.log.filter(({type}) => type === 'fired').length;
    const isPaced = asked <= maxAttempts && asked === pauses + 1;
    return unless(isPaced, `asked ${asked} times after ${pauses} pauses`);
  },
  'only a fault that passes leads to a repeat': (played) => {
    const asked = requestsOf(played.log, 'callModel').length;
    const before = repliesIn(played).slice(0, asked - 1);
    return unless(before.every(isPassing), 'asked again without need');
  },
  'the output is the last outcome, once no repeat can change it': (played) => {
    const replies = repliesIn(played);
    const last = replies.at(-1);
    const isToRepeat = isPassing(last) && replies.length < maxAttempts;
    const lastKind = last && 'crash' in last ? 'internal' : kindOf(last);
    const isReported = !isToRepeat && valueIn(outputOf(played), 'kind') === lastKind;
    return unless(played.status() !== 'done' || isReported, `${String(lastKind)} came last`);
  },
};

function repliesIn({log}: Played): object[] {
  return settlementsOf(log, 'callModel').map(({outcome}) => outcome);
}

/** The length of the longest sequence of wanted items in a row. */
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
