/** Answers to a questionnaire: which are relevant, and which are private. */

import * as fc from 'fast-check';
import {assert, constantFrom, property, stringMatching} from 'fast-check';
import {expect, it, test} from 'vitest';

import {createPrivacy, masked} from '../../../machines/questionnaire/private-answers.ts';
import type {AnswerValue} from '../../../machines/questionnaire/questionnaire.ts';
import {
  fieldsIn,
  isRelevant,
  type Literal,
  readRelevance,
  type Relevance,
} from '../../../machines/questionnaire/relevance.ts';
import {cells} from '../../support/rows.ts';

const answers: Readonly<Record<string, AnswerValue>> = {
  size: 'L',
  age: 30,
  start: '2026-04-01',
  sizes: ['S', 'L'],
  newsletter: true,
  pets: false,
  remarks: ' ',
  国: 'JP',
};
const valueOf = (field: string): AnswerValue | undefined => answers[field];

it.each(
  cells(`
  size = 'L' ¦ size="L" ¦ size != 'M' ¦ age >= 30 and age < 31 and age <= 30 and age > -1.5
  start > '2026-03-31' ¦ sizes = 'S' and sizes != 'M' ¦ sizes in ('M', 'L') ¦ 国 in ('JP','US')
  size not in ('S','M') ¦ newsletter = true and pets = false ¦ newsletter and not pets
  remarks is blank and size is not blank ¦ not (size = 'S' or size = 'M')
  size = 'S' or size = 'L' and age = 30
`),
)('%s holds', (expression) => {
  expect(isRelevant(expression, valueOf)).toBe(true);
});

it.each(
  cells(`
  size = 'l' ¦ age = '30' ¦ (size = 'L' or size = 'S') and age = 31 ¦ remarks ¦ pets ¦ sizes = 'M'
  start < '2026-03-31'
`),
)('%s does not hold', (expression) => {
  expect(isRelevant(expression, valueOf)).toBe(false);
});

it('compares a field without a value as unequal to every value', () => {
  for (const operator of ['=', '<', '<=', '>', '>=']) {
    expect(isRelevant(`gone ${operator} 0`, valueOf)).toBe(false);
  }
  expect(isRelevant('gone != 0', valueOf)).toBe(true);
  expect(isRelevant('gone not in (0)', valueOf)).toBe(true);
  expect(isRelevant('gone is blank', valueOf)).toBe(true);
});

it('lists each field once', () => {
  expect(fieldsIn("a = 1 or not (b.c is blank and a in (2)) or d-e > '2026-01-01'")).toEqual([
    'a',
    'b.c',
    'd-e',
  ]);
});

it.each([
  ['', 'expected the id of a field, found the end'],
  ["size == 'L'", '"=" at character 6 has no meaning here; equality is written ='],
  ['size <> 3', '"<" at character 6 has no meaning here; inequality is written !='],
  ['a && b', '"&" at character 3 has no meaning here; write and'],
  [
    'size = L',
    'expected a value: a text in quotes, a number, true or false, found L at character 8',
  ],
  ["size = 'L", '"\'" at character 8 has no meaning here; this quote is never closed'],
  ['a = ‘x’', '"‘" at character 5 has no meaning here; texts are quoted by \''],
  ['(size', 'expected "and", "or" or ")", found the end'],
  ['size size', 'expected "and", "or" or the end, found size at character 6'],
  ['size is', 'expected "blank" or "not blank", found the end'],
  ['size not 3', 'expected "in", found 3 at character 10'],
  ["size in 'L'", `expected "(" and values, such as ('A', 'B'), found 'L' at character 9`],
  ["size in ('S' 'L')", `expected "," or ")", found 'L' at character 14`],
  ['and = 3', 'expected the id of a field, found and at character 1'],
])('%s: %s', (expression, problem) => {
  expect(readRelevance(expression)).toEqual({ok: false, problems: [problem]});
});

it('refuses an expression that is too long or nested too deep', () => {
  expect(readRelevance(`a = '${'x'.repeat(1_000)}'`)).toMatchObject({ok: false});
  expect(readRelevance(`${'('.repeat(200)}a${')'.repeat(200)}`)).toMatchObject({ok: false});
  expect(readRelevance(`${'('.repeat(40)}a${')'.repeat(40)}`)).toMatchObject({ok: true});
});

const field = fc.constantFrom('a', 'b.c', 'in', 'is', 'blank', '大きさ');
const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({maxLength: 8}),
  fc.constantFrom("it's", 'say "x"', "' or '1' = '1"),
  fc.integer({min: -1_000, max: 1_000}),
  fc.boolean(),
);
const {tree} = fc.letrec<{readonly tree: Relevance}>((tie) => ({
  tree: fc.oneof(
    {maxDepth: 4},
    fc.record({kind: fc.constant('answered' as const), field}),
    fc.record({kind: fc.constant('blank' as const), field}),
    fc.record({
      kind: fc.constant('compare' as const),
      field,
      operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      value: literal,
    }),
    fc.record({kind: fc.constant('in' as const), field, values: fc.array(literal, {minLength: 1})}),
    fc.record({kind: fc.constant('not' as const), of: tie('tree')}),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('tree'), {minLength: 2, maxLength: 3}),
    }),
  ),
}));

function written(value: Literal): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function printed(relevance: Relevance): string {
  if (relevance.kind === 'not') return `not (${printed(relevance.of)})`;
  if (relevance.kind === 'and' || relevance.kind === 'or') {
    return relevance.of.map((each) => `(${printed(each)})`).join(` ${relevance.kind} `);
  }
  const {field: id} = relevance;
  if (relevance.kind === 'in') return `${id} in (${relevance.values.map(written).join(',')})`;
  if (relevance.kind === 'compare') return `${id}${relevance.operator}${written(relevance.value)}`;
  return relevance.kind === 'blank' ? `${id} is blank` : id;
}

const short = tree.filter((each) => printed(each).length <= 1_000);

it('reads every printed condition back as the same condition', () => {
  fc.assert(
    fc.property(short, (relevance) => {
      expect(readRelevance(printed(relevance))).toEqual({ok: true, value: relevance});
    }),
  );
});

it('never throws for any text, and can evaluate every expression that it accepts', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({unit: 'binary'})), (text) => {
      const reading = readRelevance(text);
      const outcome = reading.ok ? isRelevant(text, () => undefined) : reading.problems.length > 0;
      expect(outcome).toBeTypeOf('boolean');
    }),
  );
});

it('follows the laws of logic for any answers', () => {
  const value = fc.oneof(literal, fc.array(fc.string({maxLength: 2})), fc.constant(undefined));
  const values = fc.dictionary(field, value);
  fc.assert(
    fc.property(short, short, values, (a, b, given) => {
      const holds = (relevance: Relevance): boolean =>
        isRelevant(printed(relevance), (id) => (Object.hasOwn(given, id) ? given[id] : undefined));
      fc.pre(printed(a).length + printed(b).length < 900);
      expect(holds({kind: 'and', of: [a, b]})).toBe(holds(a) && holds(b));
      expect(holds({kind: 'or', of: [a, b]})).toBe(holds(a) || holds(b));
      expect(holds({kind: 'not', of: a})).toBe(!holds(a));
    }),
  );
});

const fields = [
  {id: 'name', sensitivity: 'none'},
  {id: 'passport', sensitivity: 'secret'},
];

function recordOf(value: string | number, quote: string) {
  return {passport: {status: 'done', value, quote, facts: {}, history: [], replies: []}};
}

const answer = stringMatching(/^[A-Z0-9][A-Za-z0-9 .+*-]{2,30}[A-Z0-9]$/);
const around = constantFrom('', ' ', ', ', '「', '：', '"', '\n', '(', '番号は');

test('no private answer is left in any text, wherever it is quoted', () => {
  assert(
    property(answer, answer, around, around, (value, quote, before, after) => {
      const privacy = createPrivacy({fields}, {fields: recordOf(value, quote)});
      const text = `${before}${value}${after} ${before}${quote}${after}`;
      const shown = privacy.data({message: text, list: [{deep: text}], value});
      const left = JSON.stringify(shown).replaceAll(masked, '');
      expect(left).not.toContain(JSON.stringify(value).slice(1, -1));
      expect(left).not.toContain(JSON.stringify(quote).slice(1, -1));
    }),
  );
});

test('a corrected answer stays masked, and so does a number', () => {
  const record = {...recordOf(4815162, 'about 4,815,162').passport, history: [{value: 'X7777777'}]};
  const {data} = createPrivacy({fields}, {fields: {passport: record}});
  expect(data({text: 'X7777777 became 4815162', found: {value: 4815162}})).toEqual({
    text: `${masked} became ${masked}`,
    found: {value: masked},
  });
});

test('other words stay unchanged, even if they contain a private answer', () => {
  const {text, data} = createPrivacy({fields}, {fields: recordOf('Ann1', 'Ann1')});
  expect(text('Annabel, Ann12 and XAnn1')).toBe('Annabel, Ann12 and XAnn1');
  expect(data({field: 'name', value: 'Bob', count: 3})).toEqual({
    field: 'name',
    value: 'Bob',
    count: 3,
  });
});

test('a reply to a private field is masked entirely, an agent’s message only where it quotes the reply', () => {
  const said = [
    {from: 'agent', field: 'passport', text: 'Is 4711 right?'},
    {from: 'person', field: 'passport', text: '4711'},
  ];
  expect(createPrivacy({fields}, said).data(said)).toEqual([
    {from: 'agent', field: 'passport', text: `Is ${masked} right?`},
    {from: 'person', field: 'passport', text: masked},
  ]);
});

test('the record of a private field has no answer, however short it is', () => {
  const [record, other] = [
    recordOf(47, '47').passport,
    {...recordOf(47, '47').passport, by: 'rules'},
  ];
  const {data} = createPrivacy({fields});
  expect(data({fields: {passport: record, name: other}})).toEqual({
    fields: {passport: {...record, value: masked, quote: masked}, name: other},
  });
});
