/** Suggestions for mistyped words. */

import {expect, it} from 'vitest';

import {didYouMean, nearest} from '../../../machines/domain/nearest.ts';

const commands = ['resume', 'cancel', 'sessions', 'show'];

it.each([
  ['sesions', 'sessions'],
  ['sessoins', 'sessions'],
  ['Resume', 'resume'],
  ['shwo', 'show'],
  ['sess', 'sessions'],
])('corrects %s to %s', (slip, meant) => {
  expect(nearest(slip, commands)).toBe(meant);
});

it.each(['fix', 'overview', '', 'x'])('suggests nothing for %j', (word) => {
  expect(nearest(word, commands)).toBeUndefined();
  expect(didYouMean(word, commands)).toBe('');
});

it('compares only the beginning of a hostile name', () => {
  expect(nearest('s'.repeat(10_000_000), commands)).toBeUndefined();
});
