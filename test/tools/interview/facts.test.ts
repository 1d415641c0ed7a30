/** Facts in a reply, replies that hold several values, and the data of countries and languages. */

import {describe, expect, test} from 'vitest';

import type {
  Found,
  SettingReading,
  SettingToRead,
} from '../../../machines/questionnaire/answer-reading.ts';
import type {FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {criterionOf} from '../../../tools/interview/criteria.ts';
import {readReply, readSetting} from '../../../tools/interview/index.ts';
import {pairs} from '../../support/rows.ts';
import {check, factOf, fieldOf, noon} from './check.ts';

const experience = fieldOf('text', {label: 'Experience'});

describe('criteria', () => {
  test.each([
    ['a number', {kind: 'number', isWhole: false}],
    ['Must be a number.', {kind: 'number', isWhole: false}],
    ['a number of years', {kind: 'number', isWhole: false}],
    ['an integer', {kind: 'number', isWhole: true}],
    ['a whole number from 0 to 60', {kind: 'number', isWhole: true, min: 0, max: 60}],
    ['a number, at least 3', {kind: 'number', isWhole: false, min: 3}],
    ['数値', {kind: 'number', isWhole: false}],
    ['1以上10以下の整数であること', {kind: 'number', isWhole: true, min: 1, max: 10}],
    ['a date', {kind: 'date'}],
    ['日付であること', {kind: 'date'}],
    ['an email address', {kind: 'email'}],
    ['電話番号', {kind: 'phone'}],
    ['yes or no', {kind: 'yesNo'}],
    ['はいかいいえ', {kind: 'yesNo'}],
    ['not blank', {kind: 'notBlank'}],
    ['空欄でないこと', {kind: 'notBlank'}],
    ['one of: Remote, Office or Hybrid', {kind: 'oneOf', choices: ['Remote', 'Office', 'Hybrid']}],
    ['紅茶、緑茶、コーヒーのいずれか', {kind: 'oneOf', choices: ['紅茶', '緑茶', 'コーヒー']}],
    ['matches /[A-Z]{2}/i', {kind: 'matches', pattern: '(?i)[A-Z]{2}'}],
    ['matches [A-Z]-[0-9]', {kind: 'matches', pattern: '[A-Z]-[0-9]'}],
    ['^[0-9]{3}に一致すること', {kind: 'matches', pattern: '^[0-9]{3}'}],
    ['at least 20 words', {kind: 'length', unit: 'words', min: 20}],
    ['50文字以上', {kind: 'length', unit: 'characters', min: 50}],
  ])('%j is a rule', (stated, criterion) => expect(criterionOf(stated)).toEqual(criterion));

  test.each([
    '',
    'names something specific about our company',
    'a number of good reasons, at length',
    'one of a kind',
    'a convincing answer',
    '具体的な理由があること',
    'x'.repeat(1_000_000),
  ])('only a model can judge %j', (stated) => expect(criterionOf(stated)).toBeUndefined());

  test('an answer suffices by rule only if all its criteria are rules', async () => {
    expect(await check(experience, 'x')).toMatchObject({suffices: true});
    expect(
      await check(experience, 'x', {facts: [factOf('a', 'a number'), factOf('b')]}),
    ).toMatchObject({
      suffices: true,
    });
    expect(await check(experience, 'x', {facts: [factOf('a', 'sounds honest')]})).toMatchObject({
      suffices: false,
    });
  });
});

describe('facts in passing', () => {
  test('a number is found in a sentence, and so are a date and a choice next to it', async () => {
    const facts = [
      factOf('years', 'a number'),
      factOf('until', 'a date'),
      factOf('where', 'one of: Remote, Office, Hybrid'),
      factOf('role', 'not blank'),
    ];
    const said = 'I worked 12 years from the office, until 4 March 2026';
    const reading = await check(experience, said, {facts});
    expect(reading).toMatchObject({
      value: said,
      quote: said,
      facts: {
        years: {value: '12'},
        until: {value: '2026-03-04'},
        where: {value: 'Office'},
      },
      missing: ['role'],
      problems: [],
    });
  });

  test('two numbers are ambiguous, and neither is taken', async () => {
    const facts = [factOf('years', 'a number'), factOf('jobs', 'a number')];
    expect(await check(experience, '12 years', {facts})).toMatchObject({
      facts: {},
      missing: ['years', 'jobs'],
    });
    const named = await check(experience, 'I am a nurse\nyears: 12\njobs: 3', {facts});
    expect(named).toMatchObject({
      facts: {years: {value: '12', quote: '12'}, jobs: {value: '3'}},
      missing: [],
    });
  });

  test('the value of the field itself is not a fact of the same kind', async () => {
    const facts = [factOf('years', 'a number')];
    expect(await check(fieldOf('integer'), '50000', {facts})).toMatchObject({
      value: 50_000,
      missing: ['years'],
    });
  });

  test('a pattern takes the part that matches', async () => {
    const facts = [factOf('code', 'matches /[A-Z]{2}-\\d{3}/')];
    expect(await check(experience, 'My number is AB-123, I think', {facts})).toMatchObject({
      facts: {code: {value: 'AB-123'}},
    });
  });

  test('a long text for the only fact may be given in several replies', async () => {
    const facts = [factOf('story', 'at least 8 words')];
    expect(await check(experience, 'I was a nurse', {facts})).toMatchObject({missing: ['story']});
    const replies = [{text: 'I was a nurse'}, {text: 'for many years in Leeds', fact: 'story'}];
    expect(await check(experience, replies, {facts})).toMatchObject({
      missing: [],
      facts: {
        story: {value: 'I was a nurse\nfor many years in Leeds', quote: 'for many years in Leeds'},
      },
    });
  });

  test('Japanese also has words and characters', async () => {
    const words = [factOf('story', '5語以上')];
    expect(await check(experience, '看護師として東京で働きました', {facts: words})).toMatchObject({
      missing: [],
    });
    const characters = [factOf('story', '20文字以上')];
    expect(await check(experience, '看護師です', {facts: characters})).toMatchObject({
      missing: ['story'],
    });
  });
});

describe('facts asked separately', () => {
  const facts = [factOf('years', 'a number'), factOf('why')];

  test('the reply is the value', async () => {
    const replies = [
      {text: 'I was a nurse'},
      {text: 'about twelve years', fact: 'years'},
      {text: ' To help. ', fact: 'why'},
    ];
    expect(await check(experience, replies, {facts})).toMatchObject({
      value: 'I was a nurse',
      facts: {
        years: {value: '12', quote: 'about twelve years'},
        why: {value: 'To help.', quote: 'To help.'},
      },
      missing: [],
      problems: [],
    });
  });

  test('an invalid value is reported, and another one replaces it', async () => {
    const asked = [{text: 'I was a nurse'}, {text: 'many', fact: 'years'}];
    expect(await check(experience, asked, {facts})).toMatchObject({
      missing: ['years', 'why'],
      problems: ['I need a number here, for example 12.'],
    });
    const again = [...asked, {text: 'well, 12', fact: 'years'}];
    expect(await check(experience, again, {facts})).toMatchObject({missing: ['why'], problems: []});
  });

  test('yes and no are recorded as booleans', async () => {
    const able = [factOf('able', 'yes or no')];
    const replies = [{text: 'Driving'}, {text: 'はい、できます', fact: 'able'}];
    expect((await check(experience, replies, {facts: able})).facts).toEqual({
      able: {value: 'yes', quote: 'はい、できます'},
    });
  });

  test('a known fact stays', async () => {
    const known = {years: {value: '5', quote: 'five years'}};
    expect(await check(experience, 'I was a nurse for 12 years', {facts, known})).toMatchObject({
      facts: known,
      missing: ['why'],
    });
  });
});

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

async function readSettings(
  section: SettingToRead['section'],
  text: string,
  more: Partial<SettingToRead> = {},
): Promise<SettingReading> {
  return await readSetting({section, text, ...more});
}

describe('a language', () => {
  test.each(
    pairs(`
    English ⇒ en ¦ english please ⇒ en ¦ I’d like to use English ⇒ en ¦ 日本語 ⇒ ja
    日本語でお願いします ⇒ ja ¦ ニホンゴ ⇒ ja ¦ Japanese ⇒ ja ¦ nihongo ⇒ ja ¦ ja ⇒ ja
    en-GB ⇒ en-GB ¦ pt_BR ⇒ pt-BR ¦ Deutsch ⇒ de ¦ auf Deutsch bitte ⇒ de ¦ español ⇒ es
    中文 ⇒ zh ¦ 한국어 ⇒ ko ¦ français ⇒ fr ¦ hello ⇒ en ¦ こんにちは ⇒ ja ¦ 안녕하세요 ⇒ ko
  `),
  )('%j is %s', async (text, value) =>
    expect(await readSettings('language', text)).toEqual({value}),
  );

  test.each(['', 'whatever', 'Klingon', '42', 'x'.repeat(100_000)])(
    '%j is not a language',
    async (text) => {
      const reading = await readSettings('language', text);
      expect(reading.value).toBeUndefined();
      expect(reading.problem).toMatch(/the language is unknown/);
    },
  );

  test('with two languages, a question asks which one', async () => {
    expect(await readSettings('language', 'English or Japanese')).toEqual({
      problem: 'several languages are named',
      choices: ['en', 'ja'],
    });
  });
});

describe('a country', () => {
  test.each(
    pairs(`
    Japan ⇒ JP ¦ 日本 ⇒ JP ¦ 日本に住んでいます ⇒ JP ¦ I live in the United Kingdom. ⇒ GB
    the UK ⇒ GB ¦ England ⇒ GB ¦ us ⇒ US ¦ U.S.A. ⇒ US ¦ America ⇒ US ¦ 米国です ⇒ US
    アメリカ ⇒ US ¦ Holland ⇒ NL ¦ Deutschland ⇒ DE ¦ Côte d’Ivoire ⇒ CI ¦ Guinea-Bissau ⇒ GW
    South Korea ⇒ KR ¦ 대한민국 ⇒ KR ¦ 中国 ⇒ CN ¦ Niger ⇒ NE ¦ Nigeria ⇒ NG ¦ New Zealand ⇒ NZ
    DE ⇒ DE ¦ jp ⇒ JP ¦ Türkiye ⇒ TR ¦ Turkey ⇒ TR ¦ I am in London at the moment ⇒ GB
    New York ⇒ US
  `),
  )('%j is %s', async (text, value) =>
    expect(await readSettings('country', text)).toEqual({value}),
  );

  test.each(['', 'no', 'in', 'Mars', 'I do not know', 'DD', 'EU', 'x'.repeat(100_000)])(
    '%j is none',
    async (text) => {
      expect((await readSettings('country', text)).value).toBeUndefined();
    },
  );

  test('several matching countries are named in the language of the person', async () => {
    expect((await readSettings('country', 'Congo')).choices).toEqual([
      'Congo - Brazzaville',
      'Congo - Kinshasa',
    ]);
    expect((await readSettings('country', 'コンゴ', {language: 'ja'})).choices).toEqual([
      'コンゴ共和国(ブラザビル)',
      'コンゴ民主共和国(キンシャサ)',
    ]);
    expect((await readSettings('country', 'I moved from France to Germany')).choices).toEqual([
      'France',
      'Germany',
    ]);
  });

  test('a typing error leads to a question', async () => {
    expect((await readSettings('country', 'Germny')).choices).toEqual(['Germany']);
  });
});

describe('a time zone', () => {
  test.each([
    ['JP', 'Asia/Tokyo'],
    ['GB', 'Europe/London'],
    ['DE', 'Europe/Berlin'],
    ['VN', 'Asia/Saigon'],
  ])('follows from a country with one clock: %s', async (country, value) => {
    expect(await readSettings('timezone', '', {country})).toEqual({value});
  });

  test('in a country with several clocks, one zone per clock is offered, the best known first', async () => {
    const {value, choices = []} = await readSettings('timezone', '', {country: 'US'});
    expect(value).toBeUndefined();
    expect(choices.slice(0, 4)).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
    ]);
    expect(await readSettings('timezone', '2', {country: 'US'})).toEqual({
      value: 'America/Chicago',
    });
    expect(await readSettings('timezone', '9', {country: 'US'})).toMatchObject({choices});
  });

  test('without a country is not guessed', async () => {
    expect(await readSettings('timezone', '')).toEqual({problem: 'the country is unknown'});
    expect(await readSettings('timezone', '', {country: 'BV'})).toEqual({
      problem: 'no time zone is known for BV',
    });
    expect(await readSettings('timezone', '', {country: 'nowhere'})).toMatchObject({
      problem: expect.any(String),
    });
  });

  test.each([
    ['Asia/Tokyo', undefined, 'Asia/Tokyo'],
    ['asia/tokyo', undefined, 'Asia/Tokyo'],
    ['Los Angeles', 'US', 'America/Los_Angeles'],
    ['I live near New York.', 'US', 'America/New_York'],
    ['UTC+9', 'JP', 'Asia/Tokyo'],
    ['GMT-5', undefined, 'Etc/GMT+5'],
    ['+09:00', undefined, 'Etc/GMT-9'],
    ['UTC', undefined, 'UTC'],
  ])('%s in %s is %s', async (text, country, value) => {
    expect(await readSettings('timezone', text, country === undefined ? {} : {country})).toEqual({
      value,
    });
  });

  test.each(['blah', 'UTC+99', 'No/Where', '../../etc/passwd'])(
    '%j is not a time zone',
    async (text) => {
      expect((await readSettings('timezone', text)).value).toBeUndefined();
    },
  );
});
