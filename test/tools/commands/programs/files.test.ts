/** The analysis of programs that create, copy, move and delete files, and its limits. */

import {expect, test} from 'vitest';

import {readingOf} from '../reading.ts';

function last(command: string) {
  return readingOf(command)
    .acts.at(-1)
    ?.into?.map(({text}) => text);
}

test('a file copied into a folder keeps its own name', () => {
  expect(last('cp x/a y/b lib')).toEqual(['x/a', 'y/b']);
  expect(last('mv -t lib a')).toEqual(['a']);
  expect(last('ln -s x/a lib')).toEqual(['x/a']);
  expect(last('ln -sn x/a lib')).toEqual(['x/a']);
  expect(last('ln -sT x/a lib')).toBeUndefined();
  expect(last('cp -T a lib')).toBeUndefined();
  expect(last('cp -r a/ lib')).toBeUndefined();
});
