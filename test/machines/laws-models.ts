/** Laws of the charts that ask a model for one thing: how often they ask, and what they may take for an answer. */

import type {World} from '../support/world.ts';
import {kindOf, outputOf, settlementsOf, requestsOf, unless, valueIn} from './laws-record.ts';
import type {Law} from './survey.ts';

const maxAttempts = 5;
const maxWaitMs = 60_000;
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

/** Whether a fault is one that passes: worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = valueIn(outcome, 'retryAfterMs');
  return passing.has(kindOf(outcome)) && !(typeof wait === 'number' && wait > maxWaitMs);
}

/** By the rule that each states. */
export const modelCallLaws: Readonly<Record<string, Law>> = {
  'a model is asked at most five times, a pause before each time after the first': (world) => {
    const asked = requestsOf(world.happenings, 'callModel').length;
    const pauses = world.happenings.filter(({type}) => type === 'fired').length;
    const isPaced = asked <= maxAttempts && asked === pauses + 1;
    return unless(isPaced, `asked ${asked} times after ${pauses} pauses`);
  },
  'only a fault that passes is waited out': (world) => {
    const asked = requestsOf(world.happenings, 'callModel').length;
    const before = repliesIn(world).slice(0, asked - 1);
    return unless(before.every(isPassing), 'asked again without need');
  },
  'the last outcome is told, when nothing can change it any more': (world) => {
    const replies = repliesIn(world);
    const last = replies.at(-1);
    const isToRepeat = isPassing(last) && replies.length < maxAttempts;
    const told = last && 'crash' in last ? 'internal' : kindOf(last);
    const isTold = !isToRepeat && valueIn(outputOf(world), 'kind') === told;
    return unless(world.status() !== 'done' || isTold, `${String(told)} came last`);
  },
};

function repliesIn({happenings}: World): object[] {
  return settlementsOf(happenings, 'callModel').map(({outcome}) => outcome);
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
