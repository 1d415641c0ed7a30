/** Laws of the charts that ask a model for one thing: how often they ask, and what they may take for an answer. */

import type {World} from '../support/world.ts';
import {kindOf, outputOf, settlementsOf, requestsOf, unless, valueIn} from './laws-record.ts';

const maxAttempts = 5;
const maxWaitMs = 60_000;
const passing = new Set<unknown>(['rateLimited', 'overloaded', 'network']);

/** Whether a fault is one that passes: worth another attempt after a pause. */
export function isPassing(outcome: object | undefined): boolean {
  const wait = valueIn(outcome, 'retryAfterMs');
  return passing.has(kindOf(outcome)) && !(typeof wait === 'number' && wait > maxWaitMs);
}

/** A question is asked again after a pause, only for a passing fault, at most five times; the last outcome is told. */
export function modelCallFaults(world: World): string[] {
  const {happenings} = world;
  const asked = requestsOf(happenings, 'callModel').length;
  const heard = settlementsOf(happenings, 'callModel').map(({outcome}) => outcome);
  const pauses = happenings.filter(({type}) => type === 'fired').length;
  const last = heard.at(-1);
  const isToRepeat = isPassing(last) && heard.length < maxAttempts;
  const told = last && 'crash' in last ? 'internal' : kindOf(last);
  return [
    ...unless(asked <= maxAttempts, `asked ${asked} times`),
    ...unless(asked === pauses + 1, `asked ${asked} times after ${pauses} pauses`),
    ...unless(heard.slice(0, asked - 1).every(isPassing), 'asked again without need'),
    ...unless(
      world.status() !== 'done' || (!isToRepeat && valueIn(outputOf(world), 'kind') === told),
      'the outcome that is told is not the last one, or could still change',
    ),
  ];
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
