/** Mistakes planted in a machine: the tours of the right one, asserted on as generated tests do, find them. */

import {expect, test} from 'vitest';

import {explore, tours} from '../../../machines/testing/index.ts';
import {type Tour, tourOf} from '../../../machines/testing/machine-tours.ts';
import {createOrder, orderSamples, type Parts} from '../../fixtures/charts/order.ts';

const right: readonly Tour[] = tours(explore(createOrder(), orderSamples));

/** True if a machine does in no tour what the right one does. */
function isFound(given: Partial<Parts>): boolean {
  const {open} = explore(createOrder(given), {...orderSamples, limits: {states: 1}});
  return right.some((tour) => {
    try {
      expect(
        tourOf(
          {open},
          tour.steps.map(({move}) => move),
        ),
      ).toEqual(tour);
      return false;
    } catch {
      return true;
    }
  });
}

test('the right machine does what its own tours say', () => {
  expect(isFound({})).toBe(false);
});

test.each<[string, Partial<Parts>]>([
  ['another final state', {paid: 'cancelled'}],
  ['a limit of items that is too high', {minItems: 2}],
  ['a limit of items that is too low', {minItems: 0}],
  ['a retry too many', {maxTries: 4}],
  ['a retry too few', {maxTries: 2}],
  ['a wrong sum', {added: (total, price) => total + price + 1}],
  ['a wrong coupon', {couponTotal: (total) => total - 4}],
  ['an entry action that is missing', {entry: []}],
  ['an exit action that is missing', {exit: []}],
  ['a guard of an output that is missing', {checksReceipt: false}],
  ['an error that is not handled', {chargeFails: false}],
  ['an event that is not handled', {knowsCoupon: false}],
  ['a wrong input of an actor', {charged: (total) => total * 100}],
  ['a wrong delay', {holdMs: 6}],
  ['an event that is handled where it should not be', {paysInCart: true}],
  ['a counter that is not reset', {resetTries: undefined}],
])('%s is found', (_, given) => {
  expect(isFound(given)).toBe(true);
});

test.each<[string, Partial<Parts>]>([
  ['a card with more digits than any sample', {isCard: ({length}) => length >= 4}],
  ['two items removed at once, from a cart of one', {removed: (items) => items.slice(0, -2)}],
])('%s is not found: the samples do not show it', (_, given) => {
  expect(isFound(given)).toBe(false);
});
