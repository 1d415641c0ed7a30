/** Long replies, in every script: four times the length takes about four times as long, for every question. */

import {describe, expect, test} from 'vitest';

import {isMadeOf} from '../../../machines/questionnaire/answer-review.ts';
import {fieldTypes, type FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {readReply, readSetting} from '../../../tools/interview/index.ts';
import {isDeep, sampled} from '../../support/depth.ts';
import {check, factOf, fieldOf, noon} from './check.ts';

const choices = ['Red', 'Green', 'Blue', '1', '緑'];
const asked = fieldTypes.map((type) =>
  fieldOf(type, {id: type, label: `The ${type}`, ...(type.startsWith('choice') ? {choices} : {})}),
);
const others = Array.from({length: 90}, (_, at) =>
  fieldOf('text', {id: `x${at}`, label: `項目の名前その${at}（必須）`}),
);
const fields: readonly FormField[] = [...asked, ...others];
const criteria = [
  'a number',
  'a date',
  'one of: red, green',
  'matches /x{3}y/',
  'at least 9 words',
];
const facts = Array.from({length: 20}, (_, at) => factOf(`k${at}`, criteria[at], `事実その${at}`));

const scraps: Readonly<Record<string, string>> = {
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

const texts = Object.entries(scraps).flatMap(([what, scrap]) =>
  Object.entries(shapes).map(([how, shape]) => ({
    title: `${what} ${how}`,
    of: (length: number) => shape(scrap, length),
  })),
);

const short = 10_000;

/** Processor time of this thread, in ms: other work of the machine does not count. */
async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const {user, system} = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const measured = asked.filter(({type}) => isDeep || /^(?:text|number|date|choices)$/.test(type));

async function readAll(text: string): Promise<void> {
  for (const field of measured) {
    await readReply({text, about: {field: field.id}, fields, done: ['email'], at: noon});
    await check(field, [text, text], {facts});
  }
  await readReply({text, about: {confirmation: true}, fields, done: ['email'], at: noon});
  await readSetting({section: 'country', text});
}

/**
 * Four times as much takes 4 times as long where it is linear, 16 where it is quadratic; what takes next to nothing, any.
 * Measured again where it is not: the first measure may hold the work of a collector or a compiler.
 */
async function isInProportion(work: (length: number) => Promise<void>): Promise<boolean> {
  for (const _ of ['first', 'again']) {
    const few = await cpuMs(async () => await work(short));
    const many = await cpuMs(async () => await work(4 * short));
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
