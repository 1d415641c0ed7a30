/** Every text for people exists in both languages, with the same values in it. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {type ESTree, parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {chatTexts} from '../../../cli/chat/texts.ts';
import {doctorTexts} from '../../../cli/doctor/texts.ts';
import {gateTexts} from '../../../cli/gate/texts.ts';
import type {Reader} from '../../../cli/language.ts';
import {progressTexts} from '../../../cli/render/live/texts.ts';
import {machineTexts} from '../../../cli/render/tables/machine-texts.ts';
import {retentionTexts} from '../../../cli/render/tables/retention-texts.ts';
import {tableTexts} from '../../../cli/render/tables/texts.ts';
import {toolTexts} from '../../../cli/render/tools/tool-texts.ts';
import {trustTexts} from '../../../cli/render/trust/trust-texts.ts';

const root = join(import.meta.dirname, '../../..');

const leafSchema = z.union([z.string(), z.custom<Message>((value) => typeof value === 'function')]);

interface Pair {
  readonly place: string;
  readonly en: ESTree.Node;
  readonly ja: ESTree.Node;
  readonly source: string;
}

/** A pair `{en: …, ja: …}` in the source. */
function pairsIn(file: string): readonly Pair[] {
  const source = readFileSync(join(root, file), 'utf8');
  const pairs: Pair[] = [];
  new Visitor({
    ObjectExpression: ({properties, start}) => {
      const valueOf = (name: string): ESTree.Node | undefined =>
        properties
          .flatMap((each) => (each.type === 'Property' && !each.shorthand ? [each] : []))
          .find(({key}) => key.type === 'Identifier' && key.name === name)?.value;
      const [en, ja] = [valueOf('en'), valueOf('ja')];
      const line = source.slice(0, start).split('\n').length;
      if (en && ja) pairs.push({place: `${file}:${line}`, en, ja, source});
    },
  }).visit(parseSync(file, source).program);
  return pairs;
}

const pairs = globSync('cli/**/*.ts', {cwd: root})
  .filter((file) => !file.startsWith('cli/serve/page/'))
  .toSorted()
  .flatMap(pairsIn);

/** The source without the words in its strings. */
function namesIn(expression: string): readonly string[] {
  return expression.replaceAll(/'[^']*'|(?<=\})[^`$]*(?=`)/g, '').match(/[A-Za-z]\w*/g) ?? [];
}

/** The text and the names of the values in it; undefined for a computed text. */
function writtenIn(node: ESTree.Node, source: string): Written | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') {
    return {text: node.value, values: []};
  }
  if (node.type !== 'TemplateLiteral') return undefined;
  const values = node.expressions
    .flatMap(({start, end}) => namesIn(source.slice(start, end)))
    .filter(
      (name) =>
        !['en', 'ja', 'say', 'reader', 'wordIn', 'join', 'inJapanese', 'countText'].includes(name),
    );
  return {text: node.quasis.map(({value}) => value.raw).join(''), values};
}

interface Written {
  readonly text: string;
  readonly values: readonly string[];
}

function isEmpty({text, values}: Written): boolean {
  return text === '' && values.length === 0;
}

test('there are many pairs', () => expect(pairs.length).toBeGreaterThan(200));

test('no text is empty in one language only', () => {
  const faulty = pairs.filter(({en, ja, source}) => {
    const [english, japanese] = [writtenIn(en, source), writtenIn(ja, source)];
    if (!english || !japanese) return false;
    return isEmpty(english) !== isEmpty(japanese);
  });
  expect(faulty.map(({place}) => place)).toEqual([]);
});

test('both texts of a pair have the same values', () => {
  const faulty = pairs.flatMap(({place, en, ja, source}) => {
    const [english, japanese] = [writtenIn(en, source), writtenIn(ja, source)];
    if (!english || !japanese) return [];
    const missing = new Set(english.values).difference(new Set(japanese.values));
    return missing.size > 0 ? [`${place}: ${[...missing].join(', ')}`] : [];
  });
  expect(faulty).toEqual([]);
});

describe.each<[name: string, texts: (reader: Reader) => object]>([
  ['progress', progressTexts],
  ['gate', gateTexts],
  ['chat', chatTexts],
  ['tables', tableTexts],
  ['machines', machineTexts],
  ['retention', retentionTexts],
  ['tools', toolTexts],
  ['trust', trustTexts],
  ['doctor', doctorTexts],
])('the messages of %s', (_, texts) => {
  const [english, japanese] = [leavesOf(texts({})), leavesOf(texts({language: 'ja'}))];

  test('exist in both languages, and none is empty', () => {
    expect([...japanese.keys()].filter((name) => !name.startsWith('words.'))).toEqual(
      [...english.keys()].filter((name) => !name.startsWith('words.')),
    );
    const empty = [...japanese].filter(([, leaf]) => leaf === '');
    expect(empty.map(([name]) => name)).toEqual(
      [...english].filter(([, leaf]) => leaf === '').map(([name]) => name),
    );
  });

  test('have the same values', () => {
    for (const [name, message] of english) {
      const other = japanese.get(name);
      if (typeof message !== 'function' || typeof other !== 'function') continue;
      const values = Array.from({length: message.length}, (_value, index) => `‹${index}›`);
      const [own, others] = [message, other].map((each) => String(each(...values)));
      expect({name, held: values.filter((value) => others?.includes(value))}).toEqual({
        name,
        held: values.filter((value) => own?.includes(value)),
      });
    }
  });
});

type Message = (...values: readonly string[]) => unknown;

/** Each text with its path. */
function leavesOf(texts: object, path = ''): ReadonlyMap<string, string | Message> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) {
        return Array.from(leavesOf(value, `${path}${name}.`));
      }
      return [[`${path}${name}`, leafSchema.parse(value)] as const];
    }),
  );
}

/** Errors whose text comes from elsewhere. */
const english = /^cli\/(?:charts\/paths\.ts|interview\/start\.ts)/;

test('every usage error has a Japanese text', () => {
  const faulty = globSync('cli/**/*.ts', {cwd: root})
    .filter((file) => !english.test(file))
    .filter((file) => /new AppError\(\s*'usage'/.test(readFileSync(join(root, file), 'utf8')));
  expect(faulty).toEqual([]);
});
