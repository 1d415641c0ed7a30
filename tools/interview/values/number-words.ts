/** Numbers in words: `twenty-five`, `two hundred and six`; 二十五, 三百六. */

import type {Occurrence} from './reading.ts';

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const multiples: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
};
const word = [...ones.toReversed(), ...tens, ...Object.keys(multiples)].join('|');
const run = new RegExp(
  String.raw`(?<![\p{L}\d-])(?:a (?=hundred|thousand|million))?(?:${word})(?:(?: and |[ -])(?:${word}))*(?![\p{L}-])`,
  'giu',
);
/** Words before and after `one` where it is a pronoun. */
const pronounBefore = /\b(?:the|this|that|which|no|any|every|some|each|last|first|only|another) $/i;
const pronounAfter = /^ (?:who|that|which|day)\b/i;

/** The numbers that a text names in English, in its order. */
export function numberWordsIn(text: string): Occurrence<number>[] {
  return [...text.matchAll(run)].flatMap(({0: token, index}) => {
    const end = index + token.length;
    const isPronoun =
      /^one$/i.test(token) &&
      (pronounBefore.test(text.slice(0, index)) || pronounAfter.test(text.slice(end)));
    const value = isPronoun ? undefined : valueOf(token.toLowerCase().split(/[ -]/));
    return value === undefined ? [] : [{value, start: index, end}];
  });
}

/** Undefined for words that do not form one number: `one two three`. */
function valueOf(words: readonly string[]): number | undefined {
  let total = 0;
  let group = 0;
  let room = Infinity;
  for (const each of words.filter((one) => one !== 'and' && one !== 'a')) {
    const multiple = multiples[each];
    const value = multiple ?? simpleValue(each);
    if (multiple === undefined && value >= room) return undefined;
    if (multiple === undefined) group += value;
    else if (multiple === 100) group = Math.max(group, 1) * 100;
    else [total, group] = [total + Math.max(group, 1) * multiple, 0];
    room = multiple ?? (value >= 20 ? 10 : 0);
  }
  return total + group;
}

function simpleValue(each: string): number {
  const one = ones.indexOf(each);
  return one >= 0 ? one : (tens.indexOf(each) + 2) * 10;
}

const kanjiDigits = '〇一二三四五六七八九';
const kanji = `${kanjiDigits}十百千万`;
/** Without a counter, a character such as 一 is part of another word; and 十分 means enough. */
const counted = new RegExp(
  String.raw`(?<![${kanji}\d])(?!十分(?![間前後]))[${kanji}]{1,12}(?=年|歳|才|人|名|個|本|枚|回|件|円|[かヶカケ]月|時間|日|分|社|台|冊|つ|ほど|くらい|ぐらい|$|(?:です|だ)?[.!]?$)`,
  'gu',
);
const kanjiUnits: Readonly<Record<string, number>> = {十: 10, 百: 100, 千: 1_000};

/** The numbers that a text writes in kanji with a counter. */
export function kanjiNumbersIn(text: string): Occurrence<number>[] {
  return [...text.matchAll(counted)].map(({0: token, index}) => ({
    value: readKanjiNumber(token),
    start: index,
    end: index + token.length,
  }));
}

/** From kanji digits alone: 二〇二六 as well as 二千二十六. */
export function readKanjiNumber(written: string): number {
  if (/^[〇一二三四五六七八九]+$/u.test(written)) {
    return Number(Array.from(written, (char) => kanjiDigits.indexOf(char)).join(''));
  }
  let total = 0;
  let group = 0;
  let digit = 0;
  for (const char of written) {
    const unit = kanjiUnits[char];
    if (char === '万') [total, group, digit] = [total + Math.max(group + digit, 1) * 10_000, 0, 0];
    else if (unit === undefined) digit = kanjiDigits.indexOf(char);
    else [group, digit] = [group + Math.max(digit, 1) * unit, 0];
  }
  return total + group + digit;
}
