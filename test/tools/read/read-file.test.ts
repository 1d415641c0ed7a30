/** read_file: lines with their numbers, in parts that a model can take in. */

import {expect, test} from 'vitest';

import {createPlace, textOf} from '../place.ts';

async function reading(content: string, args: {offset?: number; limit?: number} = {}) {
  const place = createPlace();
  place.put('a.txt', content);
  return await place.run('read_file', {path: 'a.txt', ...args});
}

test.each([
  ['one\ntwo\n', {}, '1\tone\n2\ttwo\n'],
  ['one\r\n\r\nthree', {}, '1\tone\r\n2\t\r\n3\tthree'],
  ['', {}, ''],
  ['one\ntwo\nthree\n', {offset: 2}, '2\ttwo\n3\tthree\n'],
  [
    'one\ntwo\nthree\n',
    {offset: 2, limit: 1},
    '2\ttwo\n[lines 2 to 2 of 3; read on with offset 3]',
  ],
  ['one\n', {offset: 5}, '[the file has 1 lines; line 5 is beyond its end]'],
])('%j is returned with %j as %j', async (content, args, text) => {
  expect(textOf(await reading(content, args))).toBe(text);
});

test('the place of the lines is a source', async () => {
  expect(await reading('one\ntwo\nthree\n', {offset: 2})).toMatchObject({
    sources: [{place: 'a.txt:2-3'}],
  });
});

test('a long file is returned in parts that say how to read on', async () => {
  const place = createPlace();
  const lines = Array.from({length: 3_000}, (_, at) => `line ${at + 1} of a long file`);
  place.put('a.txt', `${lines.join('\n')}\n`);
  const read: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const text: string = textOf(
      await place.run('read_file', {path: 'a.txt', offset, limit: 9_999}),
    );
    expect(text.length).toBeLessThanOrEqual(16_000);
    const numbered = text.split('\n').filter((line) => /^\d+\t/.test(line));
    read.push(...numbered.map((line) => line.replace(/^\d+\t/, '')));
    const next: string | undefined = /; read on with offset (\d+)\]$/.exec(text)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(read).toEqual(lines);
});

test('of a line that is too long the beginning is returned, and the next line can be read', async () => {
  const text = textOf(await reading(`${'x'.repeat(50_000)}\ntwo\n`));
  expect(text).toMatch(
    /^1\tx+\n\[line 1 has 50001 characters; the first 7750 are shown; read on with offset 2\]$/,
  );
});
