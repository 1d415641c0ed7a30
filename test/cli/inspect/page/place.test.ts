import {assert, integer, property, record, string} from 'fast-check';
import {expect, test} from 'vitest';

import {parsePlace, placeText} from '../../../../cli/inspect/page/browser/shell/place.ts';

test('a place is the same after it was written to an address and read from it', () => {
  const text = string({minLength: 1, unit: 'binary'});
  const place = record(
    {run: text, at: integer({min: -1, max: 1e9}), actor: text},
    {requiredKeys: []},
  );
  assert(
    property(place, (given) => {
      expect(parsePlace(placeText(given))).toEqual({...given});
    }),
  );
});

test('the path of an actor can be read in an address', () => {
  expect(placeText({run: 'r1', at: 7, actor: 'i/form/seat:a'})).toBe(
    '#run=r1&at=7&actor=i/form/seat:a',
  );
});

test('a seq that is not a number, and members without a value, are ignored', () => {
  expect(parsePlace('#run=&at=x1&actor=')).toEqual({});
  expect(parsePlace('')).toEqual({});
  expect(parsePlace('#main')).toEqual({});
});
