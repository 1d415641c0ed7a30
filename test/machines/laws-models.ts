/** Laws of the charts that ask a model for one thing: how often they ask, and which replies they accept. */

import type {Played} from '../support/played.ts';
import type {Law} from './explored.ts';
import {kindOf, outputOf, settlementsOf, requestsOf, unless, valueIn} from './laws-record.ts';

const quick = {attempts: 5, waitMs: 60_000};
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

const lacking = new Set<unknown>([...passing, 'auth', 'billing', 'overBudget', 'unavailable']);

/** True for a fault that only says that the model can't be called. If it does not pass, the run waits for a resume. */
export function isOutage(outcome: object | undefined): boolean {
  return lacking.has(kindOf(outcome));
}

/** True for a fault that passes, which is worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = numberIn(outcome, 'retryAfterMs') ?? 0;
  const most = numberIn(outcome, 'retryMs') ?? quick.waitMs;
  return passing.has(kindOf(outcome)) && wait <= most;
}

/** True if the call is made again at once, with another limit of the reply. */
function isResized(outcome: object | undefined): boolean {
  return numberIn(outcome, 'nextOutputTokens') !== undefined;
}

function numberIn(outcome: object | undefined, name: string): number | undefined {
  const value = valueIn(outcome, name);
  return typeof value === 'number' ? value : undefined;
}

/** Laws by the rule that each states. */
export const modelCallLaws: Readonly<Record<string, Law>> = {
  'a model is asked with a pause before each repeat, and once without one for another limit of the reply':
    (played) => {
      const asked = requestsOf(played.log, 'callModel').length;
      const pauses = played.log.filter(({type}) => type === 'fired').length;
      const resized = repliesIn(played).some(isResized) ? 1 : 0;
      const isPaced = asked >= pauses + 1 && asked <= pauses + 1 + resized;
      return unless(isPaced, `asked ${asked} times after ${pauses} pauses`);
    },
  'without a time for repetitions, a model is asked at most five times': (played) => {
    const replies = repliesIn(played);
    const isQuick = replies.every((each) => numberIn(each, 'retryMs') === undefined);
    const most = quick.attempts + (replies.some(isResized) ? 1 : 0);
    return unless(!isQuick || replies.length <= most, `asked ${replies.length} times`);
  },
  'only a fault that passes, or a limit of the reply, leads to a repeat': (played) => {
    const asked = requestsOf(played.log, 'callModel').length;
    const before = repliesIn(played).slice(0, asked - 1);
    return unless(
      before.every((each) => isPassing(each) || isResized(each)),
      'asked again without need',
    );
  },
  'the output is the last outcome, once no repeat can change it': (played) => {
    const replies = repliesIn(played);
    const last = replies.at(-1);
    const attempts = replies.filter((each) => !isResized(each)).length;
    const isQuick = numberIn(last, 'retryMs') === undefined;
    const isToRepeat = isPassing(last) && isQuick && attempts < quick.attempts;
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
