/** Every text for people is in the Japanese catalogue of its program, with the same values in it, and a catalogue has no other. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {offlineSentences} from '../../../actors/config/forms.ts';
import {settingsReference} from '../../../actors/config/schema.ts';
import {explainLayers} from '../../../cli/config/explain.ts';
import {ruleForms} from '../../../machines/panel/rule.ts';
import {rules} from '../../../machines/testing/lint.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The text of a message in the source, as `t` makes it. */
function textIn({quasis}: ESTree.TemplateLiteral): string {
  return quasis
    .map(({value}) => value.cooked ?? '')
    .reduce((text, part, at) => `${text}{${at - 1}}${part}`);
}

interface Found {
  /** The place of each text, by the text. */
  readonly texts: ReadonlyMap<string, string>;
  /** The places of usage errors whose text is a string. */
  readonly strings: readonly string[];
}

/** Parses the sources: none of them runs. */
function messagesIn(files: readonly string[]): Found {
  const texts = new Map<string, string>();
  const strings: string[] = [];
  for (const file of files) {
    const source = read(file);
    const placeOf = (start: number): string =>
      `${file}:${source.slice(0, start).split('\n').length}`;
    new Visitor({
      TaggedTemplateExpression: ({tag, quasi, start}) => {
        if (tag.type === 'Identifier' && tag.name === 't') texts.set(textIn(quasi), placeOf(start));
      },
      NewExpression: ({callee, arguments: [code, message], start}) => {
        const isUsage = code?.type === 'Literal' && code.value === 'usage';
        const isString = message?.type === 'Literal' || message?.type === 'TemplateLiteral';
        if (callee.type === 'Identifier' && callee.name === 'AppError' && isUsage && isString)
          strings.push(placeOf(start));
      },
    }).visit(parseSync(file, source).program);
  }
  return {texts, strings};
}

const page = 'cli/inspect/page/browser';
const sources = globSync('{cli,actors,machines,tools}/**/*.ts', {cwd: root}).toSorted();
const isOfPage = (file: string): boolean => file.startsWith(`${page}/`);

/** Rows of other layers, which are texts by themselves. */
const rows = [
  ...[...settingsReference(), ...explainLayers([])].map(({text}) => text),
  ...rules.map(({description}) => description),
  ...ruleForms.map(({meaning}) => meaning),
  ...Object.values(offlineSentences),
];

const launcher = messagesIn(sources.filter((file) => !isOfPage(file)));

describe.each<[name: string, file: string, texts: Found['texts'], rows: readonly string[]]>([
  ['the launcher', 'cli/texts/ja.json', launcher.texts, rows],
  ['the inspector', `${page}/ja.json`, messagesIn(sources.filter(isOfPage)).texts, []],
])('the catalogue of %s', (_, file, texts, others) => {
  const catalogue = z.record(z.string(), z.string()).parse(JSON.parse(read(file)));

  test('has every text', () => {
    expect(texts.size).toBeGreaterThan(100);
    const needed = [
      ...[...texts].filter(([text]) => hasWords(text)),
      ...others.map((row) => [row]),
    ];
    expect(needed.filter(([text = '']) => !Object.hasOwn(catalogue, text))).toEqual([]);
  });

  test('has no other text', () => {
    const known = new Set([...texts.keys(), ...others]);
    // Words of the protocol, such as states, are looked up as they come.
    const stale = Object.keys(catalogue).filter(
      (text) => !known.has(text) && !text.endsWith('{:word}'),
    );
    expect(stale).toEqual([]);
  });

  test('has words and all values in each entry', () => {
    const faulty = Object.entries(catalogue).filter(
      ([text, words]) => words === '' || holesIn(words).symmetricDifference(holesIn(text)).size > 0,
    );
    expect(faulty).toEqual([]);
  });

  test('is in the order of its texts', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).toSorted());
  });

  test('has the same words in backticks as the other layers', () => {
    for (const row of others) expect(codeIn(catalogue[row])).toEqual(codeIn(row));
  });
});

function codeIn(text = ''): string[] {
  return (text.match(/`[^`]+`/g) ?? []).toSorted();
}

/** Without letters of its own, a text is the same in every language. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{:?[\w ]+\}/g, ''));
}

function holesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\{\d+\}/g));
}

test('every usage error of the launcher is a message', () => {
  expect(launcher.strings.filter((place) => place.startsWith('cli/'))).toEqual([]);
});
