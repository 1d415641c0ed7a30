/** Values of every type, as people write them in English and Japanese, with their units, and the problems of invalid ones. */

import {describe, expect, test} from 'vitest';

import type {FieldType, FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {numbered, cells, pairs, triples} from '../../support/rows.ts';
import {check, type CheckOptions, fieldOf, factOf} from './check.ts';

async function valueOf(
  type: FieldType,
  text: string,
  more: Partial<FormField> = {},
  options: CheckOptions = {},
): Promise<unknown> {
  const {value, problems} = await check(fieldOf(type, more), text, options);
  return value ?? problems.join(' ');
}

describe('numbers', () => {
  test.each(
    numbered(`
    12 ⇒ 12 ¦ 1,200 ⇒ 1200 ¦ 1 234 567 ⇒ 1234567 ¦ 12 years ⇒ 12 ¦ about twelve ⇒ 12
    twenty-five ⇒ 25 ¦ two hundred and six ⇒ 206 ¦ I have worked for twenty years now ⇒ 20
    I have one child ⇒ 1 ¦ a hundred ⇒ 100 ¦ -5 ⇒ -5 ¦ 3.5 ⇒ 3.5 ¦ 1,5 ⇒ 1.5 ¦ 20% ⇒ 20
    $1,200.50 ⇒ 1200.5 ¦ 10k ⇒ 10000 ¦ 2 million ⇒ 2000000 ¦ none ⇒ 0 ¦ １２ ⇒ 12 ¦ １２歳 ⇒ 12
    1.5万 ⇒ 15000 ¦ 3万5千 ⇒ 35000 ¦ ３万円 ⇒ 30000 ¦ 二十五 ⇒ 25 ¦ 三百六 ⇒ 306 ¦ 約十年です ⇒ 10
    これまでに三回ほど作りました ⇒ 3 ¦ 一つです ⇒ 1 ¦ なし ⇒ 0
  `),
  )('%j is %d', async (text, value) => expect(await valueOf('number', text)).toBe(value));

  test.each(
    cells(`
    many ¦ 10-12 ¦ 1/2 ¦ 2026-03-04 ¦ 10:30 ¦ COVID19 ¦ 一緒に ¦ それで十分です ¦ I am the one
    one two three ¦ 1.2.3 ¦ NaN ¦ Infinity ¦ 0x10
  `),
  )('%j is not a number', async (text) =>
    expect(await valueOf('number', text)).toBe('I need a number here, for example 12.'),
  );

  test('several numbers are ambiguous, and none is taken', async () => {
    expect(await valueOf('integer', '5 or 6')).toMatch(/more than one number/);
  });

  test('a whole number has no decimals, and is exact', async () => {
    expect(await valueOf('integer', '3.0')).toBe(3);
    expect(await valueOf('integer', '3.5')).toMatch(/whole number/);
    expect(await valueOf('integer', '9007199254740993')).toMatch(/whole number/);
  });

  test('a point groups thousands in countries with a decimal comma', async () => {
    const german = {language: 'de', country: 'DE'};
    expect(await valueOf('number', '1.234,5', {}, german)).toBe(1_234.5);
    expect(await valueOf('number', '1.234', {}, german)).toBe(1_234);
    expect(await valueOf('number', '1.234', {}, {language: 'en'})).toBe(1.234);
  });

  test('bounds are reported', async () => {
    expect(await valueOf('number', '15', {min: 18})).toBe('It has to be at least 18.');
    expect(await valueOf('number', '100', {max: 99})).toBe('It can be at most 99.');
    expect(await valueOf('number', '15', {min: 18}, {language: 'ja'})).toBe(
      '18以上の数でお願いします。',
    );
  });
});

describe('dates', () => {
  test.each(
    cells(`
    2026-03-04 ¦ 2026/3/4 ¦ ２０２６／３／４ ¦ 2026.03.04 ¦ 20260304 ¦ 4 March 2026
    4th of March, 2026 ¦ March 4, 2026 ¦ Mar. 4th 2026 ¦ Wednesday, 4 March 2026, I think
    4.3.2026 ¦ 2026年3月4日 ¦ 2026年 3月 4日（水）です ¦ 令和8年3月4日 ¦ 令和八年三月四日
    二〇二六年三月四日 ¦ R8.3.4 ¦ ㋿8年3月4日
  `),
  )('%s is 2026-03-04', async (text) => expect(await valueOf('date', text)).toBe('2026-03-04'));

  test.each(
    pairs(`
    令和元年5月1日 ⇒ 2019-05-01 ¦ 平成31年4月30日 ⇒ 2019-04-30 ¦ 昭和55年1月2日 ⇒ 1980-01-02
    29 February 2024 ⇒ 2024-02-29 ¦ 13/04/2026 ⇒ 2026-04-13 ¦ 04/13/2026 ⇒ 2026-04-13
    05/05/2026 ⇒ 2026-05-05
  `),
  )('%s is %s', async (text, date) => expect(await valueOf('date', text)).toBe(date));

  test.each(
    cells(`
    31 February ¦ 31 February 2026 ¦ 2026-02-30 ¦ 29.2.2026 ¦ 2026年13月1日 ¦ 令和8年2月30日
    平成35年1月1日 ¦ 昭和64年1月8日 ¦ 32/01/2026
  `),
  )('%s does not exist in the calendar', async (text) => {
    expect(await valueOf('date', text)).toBe(
      'That day is not in the calendar. Could you check it?',
    );
  });

  test.each([
    ['US', '2026-03-04'],
    ['GB', '2026-04-03'],
    ['AU', '2026-04-03'],
    ['FR', '2026-04-03'],
  ])('03/04/2026 is read by the country: %s', async (country, date) => {
    expect(await valueOf('date', '03/04/2026', {}, {country})).toBe(date);
  });

  test.each([[undefined], ['JP'], ['CA']])(
    '03/04/2026 leads to a question in %s',
    async (country) => {
      const options = country === undefined ? {} : {country};
      expect(await valueOf('date', '03/04/2026', {}, options)).toBe(
        'Is that 3 April 2026 or 4 March 2026?',
      );
    },
  );

  test.each([
    ['April', '2026-04-03'],
    ['the second one', '2026-03-04'],
    ['3 April', '2026-04-03'],
    ['1', '2026-04-03'],
    ['2026-03-05', '2026-03-05'],
  ])('asked which date, %j is %s', async (reply, date) => {
    const reading = await check(fieldOf('date'), ['03/04/2026', reply]);
    expect(reading).toMatchObject({value: date, problems: []});
  });

  test('a missing year may be given alone', async () => {
    expect(await valueOf('date', '3 April')).toBe('In which year? With four digits, please.');
    expect(await valueOf('date', '3/4/26')).toBe('In which year? With four digits, please.');
    const reading = await check(fieldOf('date'), ['4月3日', '2026年'], {language: 'ja'});
    expect(reading).toMatchObject({value: '2026-04-03', quote: '4月3日'});
  });

  test.each(
    pairs(`
    today ⇒ 2026-11-22 ¦ tomorrow ⇒ 2026-11-23 ¦ I can start the day after tomorrow ⇒ 2026-11-24
    in two weeks ⇒ 2026-12-06 ¦ 3 days ago ⇒ 2026-11-19 ¦ 今日 ⇒ 2026-11-22
    明日からです ⇒ 2026-11-23 ¦ 昨日 ⇒ 2026-11-21 ¦ １０日後 ⇒ 2026-12-02
  `),
  )('%s is %s', async (text, date) => expect(await valueOf('date', text)).toBe(date));

  test('today depends on the time zone of the person', async () => {
    const zones = ['Pacific/Kiritimati', 'America/Los_Angeles', 'No/Such_Zone'];
    const days = zones.map((timezone) => valueOf('date', 'tomorrow', {}, {timezone}));
    expect(await Promise.all(days)).toEqual(['2026-11-24', '2026-11-23', '2026-11-23']);
  });

  test.each(
    cells(`
    soon ¦ not tomorrow ¦ before 2026 ¦ May 2026 ¦ 来月 ¦ 12345678 ¦ every Friday
    Friday or Saturday ¦ by Friday ¦ tomorrow or Friday
  `),
  )('%j is not a date', async (text) =>
    expect(await valueOf('date', text)).toMatch(/I need a date/),
  );

  test('two dates are ambiguous, and neither is taken', async () => {
    expect(await valueOf('date', '2026-03-01 to 2026-03-05')).toMatch(/more than one date/);
  });

  test('bounds are days, and today is one', async () => {
    expect(await valueOf('date', '2026-03-04', {min: '2026-04-01'})).toBe(
      'The date can’t be before 1 April 2026.',
    );
    expect(await valueOf('date', 'tomorrow', {max: 'today'})).toBe(
      'The date can’t be after 22 November 2026.',
    );
    expect(await valueOf('date', 'today', {max: 'today', min: 'today'})).toBe('2026-11-22');
  });

  test('months are read in the language of the person', async () => {
    expect(await valueOf('date', '4. März 2026', {}, {language: 'de'})).toBe('2026-03-04');
    expect(await valueOf('date', '4 de marzo de 2026', {}, {language: 'es'})).toBe('2026-03-04');
    expect(await valueOf('date', '4 mars 2026', {}, {language: 'fr'})).toBe('2026-03-04');
  });
});

describe('addresses', () => {
  test.each([
    ['ann@example.org', 'ann@example.org'],
    ['It is Ann.Lee+jobs@Example.ORG.', 'Ann.Lee+jobs@example.org'],
    ['<ann@example.org>', 'ann@example.org'],
    ['mailto:ann@example.org', 'ann@example.org'],
    ['ａｎｎ＠example.org', 'ann@example.org'],
    ['ann@ex\u200bample.org', 'ann@example.org'],
    ['メールはann@example.jpです', 'ann@example.jp'],
    ['ann@example.org, ann@example.org', 'ann@example.org'],
  ])('%j has the email address %s', async (text, value) => {
    expect(await valueOf('email', text)).toBe(value);
  });

  test.each(
    cells(`
    ann ¦ ann@example ¦ ann at example.org ¦ ann@example..org ¦ @example.org ¦ ann@-example.org
  `),
  )('%j has no email address', async (text) =>
    expect(await valueOf('email', text)).toMatch(/I need an email address/),
  );

  test('two email addresses are ambiguous, and neither is taken', async () => {
    expect(await valueOf('email', 'a@x.org or b@x.org')).toMatch(/more than one email/);
  });

  test.each([
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['see example.org.', 'https://example.org'],
    ['www.Example.org/Path', 'https://www.example.org/Path'],
    ['（https://example.org/x）', 'https://example.org/x'],
    ['サイトはhttps://example.jp/です', 'https://example.jp'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('%j has the web address %s', async (text, value) => {
    expect(await valueOf('url', text)).toBe(value);
  });

  test.each(
    cells(`
    javascript:alert(1) ¦ ftp://example.org ¦ nothing ¦ https://user:pass@example.org ¦ e.g. this
  `),
  )('%j has no web address', async (text) =>
    expect(await valueOf('url', text)).toMatch(/I need a web address/),
  );
});

describe('phone numbers', () => {
  test.each([
    ...triples(`
    090-1234-5678 ⇒ JP ⇒ +819012345678 ¦ ０９０ー１２３４ー５６７８ ⇒ JP ⇒ +819012345678
    電話は03-1234-5678です ⇒ JP ⇒ +81312345678 ¦ (202) 555-0143 ⇒ US ⇒ +12025550143
    020 7946 0958 ⇒ GB ⇒ +442079460958 ¦ +44 20 7946 0958 ⇒ JP ⇒ +442079460958
  `),
    ['+44 20 7946 0958', undefined, '+442079460958'],
  ])('%s of %s is %s', async (text, country, value) => {
    expect(await valueOf('phone', text, {}, country === undefined ? {} : {country})).toBe(value);
  });

  test('a number without a known country needs its country code', async () => {
    expect(await valueOf('phone', '090-1234-5678')).toMatch(/country code/);
    expect(await valueOf('phone', '12345', {}, {country: 'JP'})).toMatch(
      /doesn’t look like a phone/,
    );
  });
});

describe('yes and no', () => {
  test.each(
    cells(`
    yes ¦ Yes! ¦ yep ¦ sure ¦ I do ¦ Yes, of course. ¦ no problem ¦ はい ¦ ええ ¦ はい、できます
    もちろんです ¦ あります ¦ oui
  `),
  )('%j is yes', async (text) => expect(await valueOf('boolean', text)).toBe(true));

  test.each(
    cells(`
    no ¦ Nope. ¦ not really ¦ No, thanks ¦ of course not ¦ I don't ¦ いいえ ¦ いいえ、ありません
    ないです ¦ nein
  `),
  )('%j is no', async (text) => expect(await valueOf('boolean', text)).toBe(false));

  test.each(['maybe', 'yes and no', 'no wait, yes', 'hmm', 'わかりません', 'はい、いいえ'])(
    '%j is neither',
    async (text) => expect(await valueOf('boolean', text)).toBe('Please answer yes or no.'),
  );
});

describe('choices', () => {
  const sizes = {choices: ['Small', 'Medium', 'Large', 'Extra large']};

  test.each(
    pairs(`
    Large ⇒ Large ¦ extra large ⇒ Extra large ¦ ＬＡＲＧＥ ⇒ Large ¦ l ⇒ Large ¦ ext ⇒ Extra large
    2 ⇒ Medium ¦ #2 ⇒ Medium ¦ the second one ⇒ Medium ¦ option 3 ⇒ Large ¦ ３番 ⇒ Large
    the last one ⇒ Extra large ¦ I would like medium, please ⇒ Medium
    I usually wear Extra Large shirts ⇒ Extra large
  `),
  )('%j chooses %s', async (text, choice) => {
    expect(await valueOf('choice', text, sizes)).toBe(choice);
  });

  test.each(['not large', 'small or large', '5', '0', 'purple', 'anything but small'])(
    '%j chooses none',
    async (text) =>
      expect(await valueOf('choice', text, sizes)).toMatch(/Please choose one of these/),
  );

  test('a typing error leads to a question', async () => {
    expect(await valueOf('choice', 'Meduim', sizes)).toMatch(/^Do you mean “Medium”\?/);
  });

  test('a number that is itself a choice is not a position in the list', async () => {
    expect(await valueOf('choice', '2', {choices: ['4', '2', '1']})).toBe('2');
    expect(await valueOf('choice', '2', {choices: ['1 year', '2 years']})).toBe('2 years');
    expect(await valueOf('choice', '1', {choices: ['2', '4']})).toMatch(/Please choose/);
  });

  test('words of only one choice select it', async () => {
    const jobs = {
      choices: ['Backend engineer', 'Frontend engineer', 'Head of design', '電動ろくろ'],
    };
    expect(await valueOf('choice', 'design', jobs)).toBe('Head of design');
    expect(await valueOf('choice', 'ろくろです', jobs)).toBe('電動ろくろ');
    expect(await valueOf('choice', 'engineer', jobs)).toMatch(/Please choose/);
    expect(await valueOf('choice', 'end', jobs)).toMatch(/Please choose/);
  });

  test('sizes can be named', async () => {
    const letters = {choices: ['S', 'M', 'L']};
    expect(await valueOf('choice', 'Large, please', letters)).toBe('L');
    expect(await valueOf('choice', 'Ｍサイズで', letters)).toBe('M');
  });

  test('Japanese choices are found in a sentence', async () => {
    const drinks = {choices: ['コーヒー', '紅茶', '緑茶']};
    expect(await valueOf('choice', '紅茶でお願いします', drinks)).toBe('紅茶');
    expect(await valueOf('choice', '紅茶ではなくて', drinks)).toMatch(/Please choose/);
  });

  test.each([
    ['red and blue', ['Red', 'Blue']],
    ['blue, red', ['Red', 'Blue']],
    ['1, 3', ['Red', 'Blue']],
    ['1と3', ['Red', 'Blue']],
    ['Red; red; RED', ['Red']],
    ['I like red and blue best', ['Red', 'Blue']],
    ['all of them', ['Red', 'Green', 'Blue']],
    ['none', []],
  ])('%j chooses several', async (text, choices) => {
    expect(await valueOf('choices', text, {choices: ['Red', 'Green', 'Blue']})).toEqual(choices);
  });

  test('no unknown choice of a list is dropped', async () => {
    const colours = {choices: ['Red', 'Green', 'Blue']};
    expect(await valueOf('choices', 'red, purple', colours)).toMatch(/Please choose from these/);
    expect(await valueOf('choices', 'not red', colours)).toMatch(/Please choose from these/);
  });

  test('names with commas and conjunctions are one choice', async () => {
    const foods = {choices: ['Fish and chips', 'Soup, salad', 'Soup']};
    expect(await valueOf('choices', 'soup, salad and fish and chips', foods)).toEqual([
      'Fish and chips',
      'Soup, salad',
    ]);
  });

  test('the number of choices has limits', async () => {
    const colours = {choices: ['Red', 'Green', 'Blue'], min: 2, max: 2};
    expect(await valueOf('choices', 'red', colours)).toBe('Please give at least 2 choices.');
    expect(await valueOf('choices', 'all', colours)).toBe('Please give at most 2 choices.');
  });
});

describe('texts', () => {
  test('patterns match the whole answer', async () => {
    const code = {pattern: '[A-Z]{3}-[0-9]{2}'};
    expect(await valueOf('text', 'ABC-12', code)).toBe('ABC-12');
    expect(await valueOf('text', 'xABC-123', code)).toMatch(/isn’t in the form/);
    expect(await valueOf('text', 'anything', {pattern: '(?<=x)y'})).toBe('anything');
  });

  test('lengths count characters as people do', async () => {
    expect(await valueOf('text', '👍👍', {max: 2})).toBe('👍👍');
    expect(await valueOf('text', '一二三', {max: 2})).toBe('Please give at most 2 characters.');
    expect(await valueOf('text', 'a', {min: 2})).toBe('Please give at least 2 characters.');
  });

  test('a text that is too short may be continued in a second reply', async () => {
    const reading = await check(fieldOf('text', {min: 20}), ['I like tea,', 'and coffee more']);
    expect(reading).toMatchObject({
      value: 'I like tea,\nand coffee more',
      quote: 'and coffee more',
    });
  });

  test('characters that hide text or control a terminal are removed; parts of words and emoji are kept', async () => {
    expect(await valueOf('text', ' a\u0000b\u001b[31m\u202ec\u{e0041} ')).toBe('ab[31mc');
    expect(await valueOf('text', '👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم');
    expect(await valueOf('text', '\u200b\u2060')).toBe('There was no text in your reply.');
  });

  test.each(
    pairs(`
    Name: Ann Lee ⇒ Ann Lee ¦ My name is Ann Lee. ⇒ Ann Lee ¦ Hi, I'm Ann ⇒ Ann
    名前は山田花子です ⇒ 山田花子 ¦ 山田花子と申します ⇒ 山田花子 ¦ Dr. Ann Lee ⇒ Dr. Ann Lee
    Imogen ⇒ Imogen
  `),
  )('%j names %s', async (text, name) => {
    expect(await valueOf('text', text, {id: 'name', label: 'Your name'})).toBe(name);
  });

  test('an answer that is not a name is unchanged', async () => {
    const text = "I'm the one who said: it is what it is.";
    expect(await valueOf('text', text, {label: 'Motto'})).toBe(text);
  });
});

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

async function dateIn(text: string, options: CheckOptions = {}): Promise<unknown> {
  const {value, problems} = await check(fieldOf('date'), text, options);
  return value ?? problems.join(' ');
}

test.each(
  pairs(`
  Friday ⇒ 2026-11-27 ¦ next Friday, please ⇒ 2026-11-27 ¦ this coming Monday ⇒ 2026-11-23
  Wednesday next week ⇒ 2026-11-25 ¦ next week on Wednesday ⇒ 2026-11-25
  next Sunday ⇒ 2026-11-29 ¦ last Monday ⇒ Is that 16 November 2026 or 9 November 2026?
  金曜日 ⇒ 2026-11-27 ¦ 来週の金曜日 ⇒ 2026-11-27 ¦ 再来週の火曜 ⇒ 2026-12-01
  先週の金曜日 ⇒ 2026-11-13
`),
)('on a Sunday, %s is %s', async (text, date) => expect(await dateIn(text)).toBe(date));

test.each(
  pairs(`
  Friday ⇒ 2026-11-27 ¦ next Friday ⇒ Is that 27 November 2026 or 4 December 2026?
  次の金曜日 ⇒ Is that 27 November 2026 or 4 December 2026? ¦ Friday next week ⇒ 2026-12-04
  今週の金曜日 ⇒ 2026-11-27 ¦ 来週の金曜日 ⇒ 2026-12-04
  Monday ⇒ Is that 23 November 2026 or 30 November 2026? ¦ next Monday ⇒ 2026-11-30
`),
)('on a Monday, %s is %s', async (text, date) => {
  const timezone = 'Pacific/Kiritimati';
  expect(await dateIn(text, {timezone})).toBe(date);
});

test.each([
  ['the second one', '2026-12-04'],
  ['27 November', '2026-11-27'],
  ['December', '2026-12-04'],
  ['tomorrow', '2026-11-24'],
])('asked which Friday, %j is %s', async (reply, date) => {
  const options = {timezone: 'Pacific/Kiritimati'};
  const reading = await check(fieldOf('date'), ['next Friday', reply], options);
  expect(reading).toMatchObject({value: date, problems: []});
});
