/** Every text for people is in the catalogue of each language, with the same values in it, and the catalogue has no other. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {expect, test} from 'vitest';
import {z} from 'zod';

import {offlineSentences} from '../../../actors/config/offline-lines.ts';
import {settingsReference} from '../../../actors/config/reference.ts';
import {explainLayers} from '../../../cli/config/explain.ts';
import {ruleForms} from '../../../machines/panel/rule.ts';
import {rules} from '../../../machines/testing/lint.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const catalogue = z.record(z.string(), z.string()).parse(JSON.parse(read('cli/texts/ja.json')));

const sources = globSync('{cli,actors,machines,tools}/**/*.ts', {cwd: root}).toSorted();

/** The text of a message in the source, as `t` makes it. */
function textIn({quasis}: ESTree.TemplateLiteral): string {
  return quasis
    .map(({value}) => value.cooked ?? '')
    .reduce((text, part, at) => `${text}{${at - 1}}${part}`);
}

const texts = new Map<string, string>();
const englishErrors: string[] = [];
for (const file of sources) {
  const source = read(file);
  const placeOf = (start: number): string => `${file}:${source.slice(0, start).split('\n').length}`;
  new Visitor({
    TaggedTemplateExpression: ({tag, quasi, start}) => {
      if (tag.type === 'Identifier' && tag.name === 't') texts.set(textIn(quasi), placeOf(start));
    },
    NewExpression: ({callee, arguments: [code, message], start}) => {
      const isUsage = code?.type === 'Literal' && code.value === 'usage';
      const isEnglish = message?.type === 'Literal' || message?.type === 'TemplateLiteral';
      if (callee.type === 'Identifier' && callee.name === 'AppError' && isUsage && isEnglish)
        englishErrors.push(placeOf(start));
    },
  }).visit(parseSync(file, source).program);
}
texts.delete('');

/** Rows of other layers, which are texts by themselves. */
const rows = new Set([
  ...[...settingsReference(), ...explainLayers([])].map(({text}) => text),
  ...rules.map(({description}) => description),
  ...ruleForms.map(({meaning}) => meaning),
  ...Object.values(offlineSentences),
]);

/** Words of the protocol, such as states, are looked up as they come. */
const isWord = (text: string): boolean => text.endsWith('{:word}');

test('there are many texts', () => expect(texts.size).toBeGreaterThan(500));

/** Without letters of its own, a text is the same in every language. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{:?[\w ]+\}/g, ''));
}

test('every text is in the catalogue', () => {
  const missing = [...texts].filter(([text]) => hasWords(text) && !Object.hasOwn(catalogue, text));
  expect(missing).toEqual([]);
  expect([...rows].filter((text) => !Object.hasOwn(catalogue, text))).toEqual([]);
});

test('every entry of the catalogue is a text, a row of another layer or a word', () => {
  const stale = Object.keys(catalogue).filter(
    (text) => !texts.has(text) && !rows.has(text) && !isWord(text),
  );
  expect(stale).toEqual([]);
});

test('an entry has words, and the values of its text', () => {
  const faulty = Object.entries(catalogue).filter(
    ([text, words]) => words === '' || holesIn(words).symmetricDifference(holesIn(text)).size > 0,
  );
  expect(faulty).toEqual([]);
});

function holesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\{\d+\}/g));
}

test('words in backticks are the same in both languages', () => {
  const codeIn = (text: string): string[] => (text.match(/`[^`]+`/g) ?? []).toSorted();
  for (const row of rows) expect(codeIn(catalogue[row] ?? '')).toEqual(codeIn(row));
});

test('the entries are in the order of their texts', () => {
  const keys = Object.keys(catalogue);
  expect(keys).toEqual(keys.toSorted());
});

test('every usage error of the command line is a message', () => {
  expect(englishErrors.filter((place) => place.startsWith('cli/'))).toEqual([]);
});
