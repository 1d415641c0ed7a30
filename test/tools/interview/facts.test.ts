/** Facts by rule: the criteria that can be checked, and the values found in a person's words. */

import {describe, expect, test} from 'vitest';

import {criterionOf} from '../../../tools/interview/criteria.ts';
import {check, factOf, fieldOf} from './check.ts';

const text = fieldOf('text', {label: 'Experience'});

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
    expect(await check(text, 'x')).toMatchObject({suffices: true});
    expect(await check(text, 'x', {facts: [factOf('a', 'a number'), factOf('b')]})).toMatchObject({
      suffices: true,
    });
    expect(await check(text, 'x', {facts: [factOf('a', 'sounds honest')]})).toMatchObject({
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
    const reading = await check(text, said, {facts});
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
    expect(await check(text, '12 years', {facts})).toMatchObject({
      facts: {},
      missing: ['years', 'jobs'],
    });
    const named = await check(text, 'I am a nurse\nyears: 12\njobs: 3', {facts});
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
    expect(await check(text, 'My number is AB-123, I think', {facts})).toMatchObject({
      facts: {code: {value: 'AB-123'}},
    });
  });

  test('a long text for the only fact may be given in several replies', async () => {
    const facts = [factOf('story', 'at least 8 words')];
    expect(await check(text, 'I was a nurse', {facts})).toMatchObject({missing: ['story']});
    const replies = [{text: 'I was a nurse'}, {text: 'for many years in Leeds', fact: 'story'}];
    expect(await check(text, replies, {facts})).toMatchObject({
      missing: [],
      facts: {
        story: {value: 'I was a nurse\nfor many years in Leeds', quote: 'for many years in Leeds'},
      },
    });
  });

  test('Japanese also has words and characters', async () => {
    const words = [factOf('story', '5語以上')];
    expect(await check(text, '看護師として東京で働きました', {facts: words})).toMatchObject({
      missing: [],
    });
    const characters = [factOf('story', '20文字以上')];
    expect(await check(text, '看護師です', {facts: characters})).toMatchObject({
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
    expect(await check(text, replies, {facts})).toMatchObject({
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
    expect(await check(text, asked, {facts})).toMatchObject({
      missing: ['years', 'why'],
      problems: ['I need a number here, for example 12.'],
    });
    const again = [...asked, {text: 'well, 12', fact: 'years'}];
    expect(await check(text, again, {facts})).toMatchObject({missing: ['why'], problems: []});
  });

  test('yes and no are recorded as booleans', async () => {
    const able = [factOf('able', 'yes or no')];
    const replies = [{text: 'Driving'}, {text: 'はい、できます', fact: 'able'}];
    expect((await check(text, replies, {facts: able})).facts).toEqual({
      able: {value: 'yes', quote: 'はい、できます'},
    });
  });

  test('a known fact stays', async () => {
    const known = {years: {value: '5', quote: 'five years'}};
    expect(await check(text, 'I was a nurse for 12 years', {facts, known})).toMatchObject({
      facts: known,
      missing: ['why'],
    });
  });
});
