/**
 * The size of each room, in lines of at most 100 characters: `budget.json` has its limit. A limit rises only with the reason in
 * the commit; `node test/conventions/budget.ts` prints the sizes.
 */

import {readFileSync} from 'node:fs';

import {expect, test} from 'vitest';

import {roomSizes} from './budget.ts';

test('no room is larger than its budget, and every room has one', () => {
  const limits: Readonly<Record<string, number>> = JSON.parse(
    readFileSync('test/conventions/budget.json', 'utf8'),
  );
  const sizes = roomSizes();
  expect(Object.keys(limits)).toEqual(Object.keys(sizes));
  const over = Object.entries(sizes).filter(([room, size]) => size > (limits[room] ?? 0));
  expect(over).toEqual([]);
});
