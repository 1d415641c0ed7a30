/** Numbers in another unit of time than the form asks for: they are converted, or refused. */

import {expect, test} from 'vitest';

import {check, factOf, fieldOf} from './check.ts';

const experience = fieldOf('text', {label: 'Experience in a lab'});
const years = factOf('years', 'a number', 'How many years');

async function yearsIn(text: string, fact = years): Promise<readonly (string | undefined)[]> {
  const {facts, problems} = await check(experience, [{text: 'some'}, {text, fact: 'years'}], {
    facts: [fact],
  });
  return [facts['years']?.value, problems[0]];
}

test.each([
  ['six months', '0.5'],
  ['18 months', '1.5'],
  ['7 months', '0.58'],
  ['about 3 years', '3'],
  ['3', '3'],
  ['６か月', '0.5'],
  ['3年', '3'],
])('%j are %s years', async (text, value) => {
  expect(await yearsIn(text)).toEqual([value, undefined]);
});

test.each(['six weeks', '10 days', '3週間'])('%j are not a number of years', async (text) => {
  expect(await yearsIn(text)).toEqual([undefined, 'I need a number of years here.']);
});

test('a criterion also names the unit, and applies to the number in it', async () => {
  const whole = factOf('years', 'an integer', '何年か');
  expect(await yearsIn('6か月', whole)).toEqual([
    undefined,
    'It has to be a whole number, without decimals.',
  ]);
  expect((await yearsIn('six months', factOf('years', 'a number of years')))[0]).toBe('0.5');
});

test('a field converts like its facts', async () => {
  const nights = fieldOf('integer', {label: 'Number of days'});
  expect((await check(nights, '2 weeks')).value).toBe(14);
  expect((await check(nights, 'two months')).problems).toEqual(['I need a number of days here.']);
  expect((await check(fieldOf('integer', {label: 'Year of birth'}), '1990')).value).toBe(1990);
  expect((await check(fieldOf('integer', {label: '何年生まれですか'}), '1990年')).value).toBe(1990);
});

test('a day beside a number is not a second number', async () => {
  const people = fieldOf('integer', {label: 'Number of people'});
  expect((await check(people, '3 people on 2026-12-03')).value).toBe(3);
  expect((await check(people, '12月3日に3人です')).value).toBe(3);
  expect((await check(fieldOf('number'), '3.5')).value).toBe(3.5);
});

test('a Japanese sentence ends before a number, and is not part of it', async () => {
  expect((await check(fieldOf('integer'), 'はい。3人です。')).value).toBe(3);
  expect((await check(fieldOf('integer'), 'そうですね、3人です')).value).toBe(3);
  expect((await check(fieldOf('date'), 'はい。2026年12月3日です。')).value).toBe('2026-12-03');
  expect((await check(fieldOf('number'), 'about .5')).value).toBe(0.5);
});
