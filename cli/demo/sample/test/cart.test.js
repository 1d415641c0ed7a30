import assert from 'node:assert/strict';
import {test} from 'node:test';

import {discounted, total} from '../src/cart.js';

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('the total counts every piece of a line', () => {
  assert.equal(
    total([
      {price: 250, quantity: 3},
      {price: 100, quantity: 1},
    ]),
    850,
  );
});

test('a discount is taken off the total', () => {
  assert.equal(discounted([{price: 1000, quantity: 1}], 15), 850);
});
