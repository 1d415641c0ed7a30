/** Languages, countries and time zones as people name them. */

import {describe, expect, test} from 'vitest';

import type {
  SettingReading,
  SettingToRead,
} from '../../../machines/questionnaire/answer-reading.ts';
import {readSetting} from '../../../tools/interview/index.ts';
import {pairs} from '../../support/rows.ts';

async function read(
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
  )('%j is %s', async (text, value) => expect(await read('language', text)).toEqual({value}));

  test.each(['', 'whatever', 'Klingon', '42', 'x'.repeat(100_000)])(
    '%j is not a language',
    async (text) => {
      const reading = await read('language', text);
      expect(reading.value).toBeUndefined();
      expect(reading.problem).toMatch(/the language is unknown/);
    },
  );

  test('with two languages, a question asks which one', async () => {
    expect(await read('language', 'English or Japanese')).toEqual({
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
  )('%j is %s', async (text, value) => expect(await read('country', text)).toEqual({value}));

  test.each(['', 'no', 'in', 'Mars', 'I do not know', 'DD', 'EU', 'x'.repeat(100_000)])(
    '%j is none',
    async (text) => {
      expect((await read('country', text)).value).toBeUndefined();
    },
  );

  test('several matching countries are named in the language of the person', async () => {
    expect((await read('country', 'Congo')).choices).toEqual([
      'Congo - Brazzaville',
      'Congo - Kinshasa',
    ]);
    expect((await read('country', 'コンゴ', {language: 'ja'})).choices).toEqual([
      'コンゴ共和国(ブラザビル)',
      'コンゴ民主共和国(キンシャサ)',
    ]);
    expect((await read('country', 'I moved from France to Germany')).choices).toEqual([
      'France',
      'Germany',
    ]);
  });

  test('a typing error leads to a question', async () => {
    expect((await read('country', 'Germny')).choices).toEqual(['Germany']);
  });
});

describe('a time zone', () => {
  test.each([
    ['JP', 'Asia/Tokyo'],
    ['GB', 'Europe/London'],
    ['DE', 'Europe/Berlin'],
    ['VN', 'Asia/Saigon'],
  ])('follows from a country with one clock: %s', async (country, value) => {
    expect(await read('timezone', '', {country})).toEqual({value});
  });

  test('in a country with several clocks, one zone per clock is offered, the best known first', async () => {
    const {value, choices = []} = await read('timezone', '', {country: 'US'});
    expect(value).toBeUndefined();
    expect(choices.slice(0, 4)).toEqual([
      'America/New_York',
      'America/Chicago',
      'America/Denver',
      'America/Phoenix',
    ]);
    expect(await read('timezone', '2', {country: 'US'})).toEqual({value: 'America/Chicago'});
    expect(await read('timezone', '9', {country: 'US'})).toMatchObject({choices});
  });

  test('without a country is not guessed', async () => {
    expect(await read('timezone', '')).toEqual({problem: 'the country is unknown'});
    expect(await read('timezone', '', {country: 'BV'})).toEqual({
      problem: 'no time zone is known for BV',
    });
    expect(await read('timezone', '', {country: 'nowhere'})).toMatchObject({
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
    expect(await read('timezone', text, country === undefined ? {} : {country})).toEqual({value});
  });

  test.each(['blah', 'UTC+99', 'No/Where', '../../etc/passwd'])(
    '%j is not a time zone',
    async (text) => {
      expect((await read('timezone', text)).value).toBeUndefined();
    },
  );
});
