/** The word lists of the interviewer: their content, and the messages for mistakes in them. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import * as tables from '../../../tools/interview/data/tables.ts';
import {comparedName, matching, oneOf, readNames} from '../../../tools/interview/data/tables.ts';
import {fold} from '../../../tools/interview/fold.ts';

const folder = join(import.meta.dirname, '../../../tools/interview/data');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const files = globSync('*.txt', {cwd: folder}).toSorted();

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', {timeZone: name}) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

test('all files keep their schema', () => {
  const maps = [
    tables.commandPhrases(),
    tables.yesNoWords(),
    tables.fillers(),
    tables.countryAliases(),
    tables.languageAliases(),
  ];
  const lists = [tables.wordsBefore(), tables.wordsAfter(), tables.mainZones()];
  const all = [...maps.map(({size}) => size), ...lists.map(({length}) => length)];
  const names = files.map((file) => read(file).split('\n').filter(isName).length);
  expect(sum(all)).toBe(sum(names));
});

function isName(line: string): boolean {
  return /^[^#[\s]/.test(line);
}

test('ICU knows all time zones', () => {
  expect(tables.mainZones().filter((zone) => !isZone(zone))).toEqual([]);
});

test('names are stored as replies are normalized', () => {
  const maps = [
    tables.commandPhrases(),
    tables.yesNoWords(),
    tables.countryAliases(),
    tables.languageAliases(),
  ];
  const names = maps.flatMap((table) => Array.from<string>(table.keys()));
  expect(names.filter((name) => fold(name).text.toLowerCase().trim() !== name)).toEqual([]);
});

test('each phrase belongs to one of the languages', () => {
  const [english, japanese] = ['phrases-en.txt', 'phrases-ja.txt'].map((file) =>
    read(file).split('\n').filter(isName),
  );
  expect(english?.filter((phrase) => japanese?.includes(phrase))).toEqual([]);
});

test('README names each file', () => {
  const missing = files.filter((file) => !read('README.md').includes(`\`${file}\``));
  expect(missing).toEqual([]);
});

describe('a mistake is reported with its line', () => {
  const schema = {heading: matching(/^[A-Z]{2}$/, 'a code'), name: comparedName};

  test.each([
    ['uk', 'x.txt:1: "uk" has no [heading] above it'],
    ['# codes\n\n[UK1]\nuk', 'x.txt:3: "[UK1]" is not a code'],
    ['[GB]\nUK', 'x.txt:2: "UK" is not in lower case with plain quotes, dashes and spaces'],
    ['[GB]\ndon’t', 'x.txt:2: "don’t" is not in lower case with plain quotes, dashes and spaces'],
    ['[GB]\nuk\n[UA]\nuk', 'x.txt:4: "uk" is on line 2, too'],
    ['[GB]\nuk\n[GB]\nu.k.', 'x.txt:3: "[GB]" is on line 1, too'],
  ])('%j', (text, problem) => {
    expect(() => readNames('x.txt', text, schema)).toThrow(problem);
  });

  test('is also reported in a list without headings', () => {
    const list = {name: oneOf('a', 'b')};
    expect(() => readNames('x.txt', 'a\nc', list)).toThrow('x.txt:2: "c" is not one of a, b');
    expect(readNames('x.txt', '# letters\na\n\nb\n', list)).toEqual(new Map([['', ['a', 'b']]]));
  });
});
