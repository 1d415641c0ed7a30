/** Hostile replies and long ones. */

import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  option,
  oneof,
  string,
  tuple,
} from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
  type FieldType,
  fieldTypes,
  type FormField,
} from '../../../machines/questionnaire/questionnaire.ts';
import {isSaid, isMadeOf} from '../../../machines/questions/interview.ts';
import {readReply, readSetting} from '../../../tools/interview/index.ts';
import {dayAt, isDay, isoOf, plusDays} from '../../../tools/interview/values/date-forms.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {isDeep, sampled} from '../../support/depth.ts';
import {cells} from '../../support/rows.ts';
import {check, factOf, fieldOf, noon} from './check.ts';

const fields: readonly FormField[] = fieldTypes.map((type) =>
  fieldOf(type, {
    id: type,
    label: `The ${type}`,
    ...(type.startsWith('choice') ? {choices: ['Red', 'Green', 'Blue', '1', '緑']} : {}),
  }),
);
const facts = [
  factOf('number', 'a number'),
  factOf('date', 'a date'),
  factOf('choice', 'one of: red, green'),
  factOf('pattern', 'matches /(a|a)*b/'),
  factOf('words', 'at least 5 words'),
  factOf('any'),
];

/** Replies as composed by people and machines. */
const scraps = array(
  oneof(
    constantFrom(
      '12',
      '3/4/2026',
      '2026-03-04',
      '3月4日',
      'ann@x.org',
      '+44 20 7946 0958',
      'https://x.org',
      'red',
      '緑',
      'yes',
      'いいえ',
    ),
    constantFrom(
      ' ',
      ', ',
      '\n',
      ': ',
      '、',
      '：',
      ' to ',
      ' is ',
      'は',
      'を',
      'です',
      '?',
      'no, ',
      'change ',
      'my ',
      'The email',
      'The date',
    ),
    constantFrom(
      'skip',
      'why',
      'submit',
      'pause',
      'in English please',
      '日本語で',
      '\u200b',
      '\u202e',
      '\ud800',
      '\u0000',
      '１２',
      '万',
      '令和',
    ),
    string({unit: 'binary', maxLength: 5}),
  ),
  {maxLength: 12},
).map((parts) => parts.join(''));

describe('any reply', () => {
  test('has a class, and every value found in it is quoted from it', async () => {
    await assert(
      asyncProperty(scraps, constantFrom(...fieldTypes), async (text, id) => {
        for (const about of [
          {field: id},
          {confirmation: true},
          {paused: true},
          {section: 'country'},
        ] as const) {
          const {route, found} = await readReply({text, about, fields, done: ['email'], at: noon});
          expect(route.kind).toBeTypeOf('string');
          const said = 'text' in route && route.text !== undefined ? [route.text] : [];
          for (const quote of [...said, ...found.map((one) => one.quote)])
            expect(text).toContain(quote);
          const taken = 'field' in about ? [id, 'email'] : ['email'];
          for (const {field} of found) expect(taken).not.toContain(field);
        }
      }),
      {numRuns: isDeep ? 500 : 100},
    );
  });

  test('has a value with quoted words, or a problem', async () => {
    await assert(
      asyncProperty(
        scraps,
        option(scraps),
        constantFrom(...fields),
        async (text, before, field) => {
          const replies = before === null ? [text] : [before, text];
          const {value, quote = '', problems, facts: found} = await check(field, replies, {facts});
          expect(value === undefined).toBe(problems.length > 0);
          const said = replies.map((reply) => reply.trim());
          expect(said.some((reply) => reply.includes(quote))).toBe(true);
          for (const fact of Object.values(found))
            expect(said.some((reply) => reply.includes(fact.quote))).toBe(true);
        },
      ),
      {numRuns: isDeep ? 500 : 100},
    );
  });

  test('names a setting, or none', async () => {
    const sections = constantFrom('language', 'country', 'timezone' as const);
    await assert(
      asyncProperty(
        scraps,
        sections,
        option(constantFrom('US', 'JP', 'ZZ', '')),
        async (text, section, country) => {
          const {value, problem} = await readSetting({
            section,
            text,
            ...(country === null ? {} : {country}),
          });
          expect((value === undefined) !== (problem === undefined)).toBe(true);
        },
      ),
      {numRuns: isDeep ? 300 : 60},
    );
  });

  test('a day in any notation is that day', async () => {
    const days = integer({min: -40_000, max: 40_000}).map((count) =>
      plusDays({year: 2000, month: 1, day: 1}, count),
    );
    const names = cells(`
      January ¦ February ¦ March ¦ April ¦ May ¦ June ¦ July ¦ August ¦ September ¦ October
      November ¦ December
    `);
    await assert(
      asyncProperty(tuple(days, integer({min: 0, max: 4})), async ([day, form]) => {
        const {year, month, day: date} = day;
        const written = [
          isoOf(day),
          `${year}年${month}月${date}日`,
          `${date} ${names[month - 1]} ${year}`,
          `${names[month - 1]} ${date}, ${year}`,
          `${date}.${month}.${year}`,
        ][form];
        expect(isDay(day)).toBe(true);
        expect((await check(fieldOf('date'), written ?? '')).value).toBe(isoOf(day));
      }),
    );
    expect(dayAt(noon, 'Asia/Tokyo')).toEqual({year: 2026, month: 11, day: 22});
  });
});

describe('a megabyte', () => {
  const million = 1_000_000;
  const texts: readonly (readonly [what: string, text: string])[] = [
    ['letters', 'a'.repeat(million)],
    ['digits', '1'.repeat(million)],
    ['digits and commas', '1,'.repeat(million / 2)],
    ['blanks', `${' '.repeat(million)}x`],
    ['lines', '\n'.repeat(million)],
    ['at signs', 'a@'.repeat(million / 2)],
    ['domains', 'a.'.repeat(million / 2)],
    ['labels', 'The email: a@x.org\n'.repeat(million / 20)],
    ['colons', ':'.repeat(million)],
    ['changes', 'change my email to '.repeat(million / 20)],
    ['hidden characters', '\u200b\u202e'.repeat(million / 2)],
    ['wide characters', '１'.repeat(million)],
    ['kanji numbers', '十万'.repeat(million / 2)],
    ['Japanese without an end', 'メールは'.repeat(million / 4)],
    ['half of a pair', '\ud83d'.repeat(million)],
    ['yes and no', 'yes no '.repeat(million / 7)],
    ['pluses', '+'.repeat(million)],
  ];

  test.each(sampled(texts, 6))('of %s takes little time', async (_, text) => {
    const before = cpuMs();
    for (const field of fields.filter(({type}) => /^(?:text|email|date|choices)$/.test(type))) {
      await readReply({text, about: {field: field.id}, fields, done: ['email'], at: noon});
      await check(field, text, {facts: facts.slice(0, 3)});
    }
    await readReply({text, about: {confirmation: true}, fields, done: ['email'], at: noon});
    await readSetting({section: 'country', text});
    expect(cpuMs() - before).toBeLessThan(20_000);
  });

  test('includes a pattern that would backtrack', async () => {
    const text = 'a'.repeat(100_000);
    const before = cpuMs();
    await check(fieldOf('text', {pattern: '(a|a)*b'}), text, {
      facts: [factOf('p', 'matches /(a*)*c/')],
    });
    expect(cpuMs() - before).toBeLessThan(5_000);
  });
});

test('hidden text in a reply gives no orders, and is not kept', async () => {
  const hidden = Array.from('submit now', (char) =>
    String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0)),
  ).join('');
  const {route} = await readReply({
    text: `Ann${hidden}`,
    about: {confirmation: true},
    fields,
    done: [],
    at: noon,
  });
  expect(route).toEqual({kind: 'unclear'});
  const {value, quote = ''} = await check(fieldOf('text'), `Ann${hidden}`);
  expect(value).toBe('Ann');
  expect(isSaid(quote, [`Ann${hidden}`])).toBe(true);
});

test.each(fieldTypes)(
  'an empty reply to a field of type %s is not an answer',
  async (type: FieldType) => {
    for (const text of ['', ' ', '\n', '\u200b', '　']) {
      const {value, problems} = await check(fieldOf(type, {choices: ['a']}), text);
      expect(value).toBeUndefined();
      expect(problems).toEqual(['There was no text in your reply.']);
    }
  },
);

test('equal, blank or unusual labels match no field by accident', async () => {
  const strange = ['', '?', 'Name', 'Name', '__proto__', '.*', '('].map((label, at) =>
    fieldOf('text', {id: `f${at}`, label}),
  );
  for (const text of cells(`
    name: x ¦ : x ¦ ?: x ¦ __proto__: x ¦ .*: x ¦ (: x ¦ change name to x ¦ my name is x
  `)) {
    const {route} = await readReply({
      text,
      about: {field: 'f0'},
      fields: strange,
      done: ['f2', 'f3'],
      at: noon,
    });
    expect(['answer', 'correct']).toContain(route.kind);
    const named = 'field' in route ? route.field : 'f4';
    expect(['f4', 'f5', 'f6']).toContain(named);
  }
});

const choices = ['Red', 'Green', 'Blue', '1', '緑'];
const asked = fieldTypes.map((type) =>
  fieldOf(type, {id: type, label: `The ${type}`, ...(type.startsWith('choice') ? {choices} : {})}),
);
const others = Array.from({length: 90}, (_, at) =>
  fieldOf('text', {id: `x${at}`, label: `項目の名前その${at}（必須）`}),
);
const longFields: readonly FormField[] = [...asked, ...others];
const criteria = [
  'a number',
  'a date',
  'one of: red, green',
  'matches /x{3}y/',
  'at least 9 words',
];
const longFacts = Array.from({length: 20}, (_, at) =>
  factOf(`k${at}`, criteria[at], `事実その${at}`),
);

const longScraps: Readonly<Record<string, string>> = {
  letters: 'a',
  'short words': 'a b ',
  digits: '1',
  'digits and commas': '1,',
  'wide digits': '１',
  'digits and long vowels': '1ー',
  'kanji numbers': '十万',
  'zeros of kanji': '〇',
  'Arabic digits': '٣',
  'combining marks': '\u0301',
  'letters with marks': 'e\u0301\u0302',
  emoji: '😀',
  families: '👨‍👩‍👧',
  hiragana: 'あ',
  'half-width katakana': 'ｶﾞ',
  'a sentence of Japanese': '私の名前は田中です。',
  hangul: '한',
  Thai: 'กำ',
  'one character for eighteen': '\ufdfa',
  'what is hidden': '\u200b\u202e',
  'half of a pair': '\ud83d',
  'ideographic spaces': '　',
  blanks: ' ',
  lines: '\n',
  'marks of exclamation': '!',
  brackets: '（',
  pluses: '+',
  'at signs': 'a@',
  'domains of wide letters': 'ａ．',
  'phone numbers': '+1 202 555 0123 ',
  dates: '2026年3月',
  months: 'March ',
  names: 'a:,',
  labels: 'The email: a@x.org\n',
  'labels without an end': 'The choices:,',
  'labels of Japanese': '項目の名前その1（必須）：',
  choices: 'red and ',
  'denied choices': 'not red ',
  'yes and no': 'yes no ',
};

const shapes: Readonly<Record<string, (scrap: string, length: number) => string>> = {
  alone: repeated,
  'to an end': (scrap, length) => `${repeated(scrap, length)}x1あ`,
  'line by line': (scrap, length) => repeated(`${repeated(scrap, 90)}x\n`, length),
};

function repeated(scrap: string, length: number): string {
  return scrap.repeat(Math.ceil(length / scrap.length)).slice(0, length);
}

const texts = Object.entries(longScraps).flatMap(([what, scrap]) =>
  Object.entries(shapes).map(([how, shape]) => ({
    title: `${what} ${how}`,
    of: (length: number) => shape(scrap, length),
  })),
);

const short = 10_000;

async function threadMs(work: () => Promise<void>): Promise<number> {
  const before = cpuMs();
  await work();
  return cpuMs() - before;
}

const measured = asked.filter(({type}) => isDeep || /^(?:text|number|date|choices)$/.test(type));

async function readAll(text: string): Promise<void> {
  for (const field of measured) {
    await readReply({
      text,
      about: {field: field.id},
      fields: longFields,
      done: ['email'],
      at: noon,
    });
    await check(field, [text, text], {facts: longFacts});
  }
  await readReply({
    text,
    about: {confirmation: true},
    fields: longFields,
    done: ['email'],
    at: noon,
  });
  await readSetting({section: 'country', text});
}

/**
 * Four times as much takes 4 times as long where it is linear, 16 where it is quadratic; what takes next to nothing, any.
 * Measured again where it is not: the first measure may hold the work of a collector or a compiler.
 */
async function isInProportion(work: (length: number) => Promise<void>): Promise<boolean> {
  for (const _ of ['first', 'again']) {
    const few = await threadMs(async () => await work(short));
    const many = await threadMs(async () => await work(4 * short));
    if (many < 7 * (few + 30)) return true;
  }
  return false;
}

async function compareWords(count: number): Promise<void> {
  const words = Array.from({length: count}, (_, at) => `w${(at * 7_919) % 900_001}`);
  isMadeOf(words.toReversed().join(' '), [words.join(' ')]);
}

describe('reading', {timeout: 60_000}, () => {
  test.each(sampled(texts, 13))('$title takes time in proportion', async ({of}) => {
    expect(await isInProportion(async (length) => await readAll(of(length)))).toBe(true);
  });

  test('the search for quoted words takes time in proportion', async () => {
    expect(await isInProportion(compareWords)).toBe(true);
  });
});
