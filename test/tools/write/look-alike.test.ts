/** Names that look alike: the existing file is named in place of a second one beside it. */

import {readdirSync} from 'node:fs';

import {expect, test} from 'vitest';

import {createPlace, verdictOf} from '../../tools/place.ts';

test.each([
  ['decomposed', 'u\u0308ber.txt', '\u00fcber.txt', '"u\\u0308ber.txt"'],
  ['of other capitals', 'README.md', 'Readme.md', '"README.md"'],
])('a name beside one %s is not written, edited or read', async (_, there, asked, shown) => {
  const place = createPlace();
  place.put(`docs/${there}`, 'one\n');
  const path = `docs/${asked}`;
  const refusal = {
    code: 'not_found',
    message: expect.stringContaining(`does not exist, but ${shown} does, which looks alike`),
  };
  expect(await place.preview('write_file', {path, content: 'two\n'})).toMatchObject(refusal);
  const edits = [{old_text: 'one', new_text: 'two'}];
  expect(await place.preview('edit_file', {path, edits})).toMatchObject(refusal);
  expect(await place.run('edit_file', {path, edits})).toMatchObject(refusal);
  expect(await place.run('read_file', {path})).toMatchObject(refusal);
  expect(readdirSync(`${place.workspace}/docs`)).toEqual([there]);
  const exact = {path: `docs/${there}`, content: 'two\n'};
  expect(verdictOf(await place.preview('write_file', exact))).toBe('ready');
});

test('of two existing names that look alike, each is itself', async () => {
  const place = createPlace();
  place.put('README.md', 'one\n');
  place.put('Readme.md', 'two\n');
  const write = async (path: string) => await place.preview('write_file', {path, content: 'x\n'});
  expect(verdictOf(await write('README.md'))).toBe('ready');
  expect(verdictOf(await write('Readme.md'))).toBe('ready');
  expect(await place.run('read_file', {path: 'Readme.md'})).toMatchObject({kind: 'succeeded'});
});
