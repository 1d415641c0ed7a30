/** One reply that fills several fields: a value is taken only when exactly one open field can take it. */

import {describe, expect, test} from 'vitest';

import type {Found} from '../../../machines/questionnaire/answer-reading.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {readReply} from '../../../tools/interview/index.ts';
import {fieldOf, noon} from './check.ts';

const english: readonly FormField[] = [
  fieldOf('text', {id: 'name', label: 'Full name'}),
  fieldOf('email', {id: 'email', label: 'Email address'}),
  fieldOf('date', {id: 'day', label: 'Day of the visit', min: 'today'}),
  fieldOf('choice', {id: 'lunch', label: 'Lunch', choices: ['none', 'vegetarian', 'meat']}),
  fieldOf('choices', {id: 'topics', label: 'Topics', choices: ['optics', 'acoustics']}),
  fieldOf('integer', {id: 'people', label: 'Number of people', min: 1, max: 12}),
  fieldOf('text', {id: 'experience', label: 'Experience in a lab'}),
];
const japanese: readonly FormField[] = [
  fieldOf('text', {id: 'name', label: 'お名前'}),
  fieldOf('email', {id: 'email', label: 'メールアドレス'}),
  fieldOf('date', {id: 'day', label: '見学日', min: 'today'}),
  fieldOf('choice', {id: 'lunch', label: '昼食', choices: ['なし', '野菜', '肉']}),
  fieldOf('integer', {id: 'people', label: '人数', min: 1, max: 12}),
];

interface Asked {
  readonly fields?: readonly FormField[];
  readonly done?: readonly string[];
  readonly language?: string;
}

async function read(
  field: string,
  text: string,
  {fields = english, done = [], ...more}: Asked = {},
) {
  return await readReply({text, about: {field}, fields, done, country: 'JP', at: noon, ...more});
}

function values(found: readonly Found[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(found.map(({field, value}) => [field, value]));
}

describe('next to an address', () => {
  test('a day and a choice are taken, with their words', async () => {
    const text = 'it is ann@example.org, and I come on 2026-12-03, vegetarian please';
    expect(await read('email', text)).toEqual({
      route: {kind: 'answer'},
      found: [
        {field: 'day', value: '2026-12-03', quote: '2026-12-03'},
        {field: 'lunch', value: 'vegetarian', quote: 'vegetarian'},
      ],
    });
  });

  test('Japanese values are taken as well; a day without its year stays as written', async () => {
    const text = 'hanako@example.jp です。12月3日に行きます。野菜で';
    const {found} = await read('email', text, {fields: japanese, language: 'ja'});
    expect(found).toEqual([
      {field: 'day', value: '12月3日', quote: '12月3日'},
      {field: 'lunch', value: '野菜', quote: '野菜'},
    ]);
  });

  test('a day relative to today is taken with its part of the reply', async () => {
    const {found} = await read('email', 'ann@example.org, and I come tomorrow');
    expect(found).toEqual([{field: 'day', value: '2026-11-23', quote: 'and I come tomorrow'}]);
  });

  test('several of several choices are taken', async () => {
    const {found} = await read('email', 'ann@example.org; optics and acoustics');
    expect(values(found)).toEqual({topics: ['optics', 'acoustics']});
  });
});

describe('nothing is guessed', () => {
  test.each([
    ['two days', 'ann@x.org, from 2026-12-03 to 2026-12-05'],
    ['a day before the first that the form takes', 'ann@x.org, since 2020-01-01'],
    ['a number of something else', 'ann@x.org, I have 3 cars'],
    ['a number that may be one of the choices', 'ann@x.org, 3'],
  ])('of %s', async (_, text) => expect((await read('email', text)).found).toEqual([]));

  test('when two fields take a day', async () => {
    const fields = [...english, fieldOf('date', {id: 'birth', label: 'Date of birth'})];
    expect((await read('email', 'ann@x.org, 2026-12-03', {fields})).found).toEqual([]);
  });

  test('in a story', async () => {
    const story = 'I worked with 3 people until 2026-12-30 in Kyoto';
    expect(await read('experience', story)).toEqual({route: {kind: 'answer'}, found: []});
  });
});

test('a number alone goes to the only field that takes one, within its bounds', async () => {
  const fields = [
    fieldOf('email', {id: 'email', label: 'Email'}),
    fieldOf('integer', {id: 'people', label: 'Guests', max: 12}),
  ];
  expect(values((await read('email', 'ann@x.org, 3', {fields})).found)).toEqual({people: 3});
  expect((await read('email', 'ann@x.org, 30', {fields})).found).toEqual([]);
  const two = [...fields, fieldOf('integer', {id: 'nights', label: 'How many nights?'})];
  expect((await read('email', 'ann@x.org, 3', {fields: two})).found).toEqual([]);
});

test('a list next to the name is separated from it', async () => {
  expect(await read('name', 'Ann Lee, ann@example.org, 2026-12-03')).toMatchObject({
    route: {kind: 'answer', text: 'Ann Lee'},
    found: [{field: 'email'}, {field: 'day'}],
  });
  const text = '山田花子です。12月3日に行きます';
  expect(await read('name', text, {fields: japanese, language: 'ja'})).toMatchObject({
    route: {kind: 'answer', text: '山田花子です'},
    found: [{field: 'day'}],
  });
});
