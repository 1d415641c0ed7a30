/** Packed entries take little memory and are restored exactly. */

import {expect, test} from 'vitest';

import {compress, decompress} from '../../../actors/journal/memory.ts';

const said = ['plain', 'a\nline feed', 'a \ud800 lone surrogate', '日本語 🙂', '', '1 2 3'];

test('every text is restored with its time, for any characters', () => {
  const bodies = said.map((text) => JSON.stringify({type: 'received', event: {text}}));
  const compressed = compress([
    {at: 1_700_000_000_001, bodies: bodies.slice(0, 4)},
    {at: 1_700_000_000_002, bodies: bodies.slice(4)},
  ]);
  expect(compressed && decompress(compressed)).toEqual(
    bodies.map((body, index) => ({at: 1_700_000_000_001 + (index < 4 ? 0 : 1), bodies: [body]})),
  );
});

test('compressed entries hold exactly their byte length, a fraction of the text', () => {
  const bodies = Array.from({length: 200}, (_, index) => turn(index));
  const compressed = compress([{at: 1_700_000_000_000, bodies}]);
  expect(compressed?.buffer.byteLength).toBe(compressed?.byteLength);
  expect(compressed?.byteLength).toBeLessThan(bodies.join('').length / 5);
});

test('a text that would take long to compress stays as it is', () => {
  expect(compress([{at: 1, bodies: ['x'.repeat(16_000_000)]}])).toBeUndefined();
});

function turn(index: number): string {
  const key = `i/interaction/form/turns/model#${index}`;
  return JSON.stringify({type: 'settled', key, ms: index});
}
