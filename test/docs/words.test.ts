/** The product is written in plain words. The figures may only fall; each room ends at a short list of exceptions. */

import {join} from 'node:path';

import {expect, test} from 'vitest';

import {findWords, findWordsOfProduct, productTextFiles} from './words.ts';

const root = join(import.meta.dirname, '../..');

/** Lines that are still to be reworded, by room. */
const left: Readonly<Record<string, number>> = {
  cli: 128,
  tools: 3,
  actors: 688,
  machines: 574,
  diagrams: 47,
};

test('no room of the product has more unclear lines than are known', async () => {
  const files = await productTextFiles(root);
  expect(files.length).toBeGreaterThan(1_000);
  const found = await findWordsOfProduct(root, files);
  const counts = Map.groupBy(found, ({file}) => file.split('/')[0] ?? '');
  const more = Object.entries(left).flatMap(([room, most]) => {
    const lines = counts.get(room) ?? [];
    return lines.length > most ? [`${room}: ${lines.length} instead of ${most}`] : [];
  });
  expect(more).toEqual([]);
  expect([...counts.keys()].filter((room) => !(room in left))).toEqual([]);
});

test.each([
  '/** What a seat is given. */',
  'const wasTold = true;',
  'it is told of the vote',
  'x is no task',
  'which comes to nothing',
])('%s is unclear', (line) => {
  expect(findWords('x.ts', line)).not.toEqual([]);
});

test.each(['There is no model.', 'it is no longer open', 'The model that a seat has.'])(
  '%s is clear',
  (line) => {
    expect(findWords('x.ts', line)).toEqual([]);
  },
);
