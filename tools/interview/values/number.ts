/** Numbers as people write them: 1,200 and 1 200, 1.5万 and 3万5千, 二十, twelve. */

import type {TimeUnit} from '../../../machines/forms/interview/texts/interview-texts.ts';
import {type Folded, quotedPart} from '../fold.ts';
import {datesIn} from './date-forms.ts';
import {kanjiNumbersIn, numberWordsIn} from './number-words.ts';
import {isTooLong, type Occurrence, type ReadingContext, type ValueReading} from './reading.ts';

const digits = String.raw`\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![.\d])|(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '_]\d{3})+|\d+)(?:[.,]\d+)?|(?<=^|[\s(¥$€£+-])\.\d+`;
const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  m: 1e6,
  百: 1e2,
  千: 1e3,
  万: 1e4,
  億: 1e8,
  兆: 1e12,
};
const scale = String.raw`(?:[百千万億兆]|[ ]?(?:thousand|million|billion)\b|[km]\b)`;
/** Letters before a number make it part of a name: COVID19. */
const number = new RegExp(
  String.raw`(?<![\p{Script=Latin}\d]|\d[.,])(?:[-+](?=[\d.])|(?:minus|negative|マイナス) ?)?(?:${digits})(?:${scale}(?:(?:${digits})${scale})*(?:\d+)?)?(?![.,]?\d)(?!\p{Script=Latin}+\d)`,
  'giu',
);

const zero = /^(?:none|zero|nil|nothing|なし|無し|ありません|ゼロ|零|いません)\.?$/i;

/**
 * Exactly one number, with any text around it: `about 12 years`, `¥1,200`, `12歳`. A number in another unit than
 * `unit` is converted to it, or refused.
 */
export function readNumber(
  folded: Folded,
  context: ReadingContext,
  {isWhole, unit}: {readonly isWhole: boolean; readonly unit?: TimeUnit | undefined},
): ValueReading<number> {
  if (isTooLong(folded)) return {problem: (texts) => texts.notNumber(isWhole)};
  const [only, second] = numbersIn(withoutDates(folded.text, context), context);
  if (!only) return {problem: (texts) => texts.notNumber(isWhole)};
  if (second) return {problem: (texts) => texts.severalNumbers};
  if (!Number.isFinite(only.value)) return {problem: (texts) => texts.notNumber(isWhole)};
  const reading = inUnit(only, unit, folded);
  const isBroken = 'value' in reading && isWhole && !Number.isSafeInteger(reading.value);
  return isBroken ? {problem: (texts) => texts.notWhole} : reading;
}

function inUnit(
  {value, start, end}: Occurrence<number>,
  unit: TimeUnit | undefined,
  folded: Folded,
): ValueReading<number> {
  const said = unit && unitSaid(folded.text.slice(end));
  const amount = said ? converted(value, said, unit) : value;
  if (unit && amount === undefined) return {problem: (texts) => texts.otherUnit(unit)};
  return {value: amount ?? value, quote: quotedPart(folded, start, end)};
}

/** Masks the digits of days with a month, which are not numbers; the text keeps its length. */
export function withoutDates(text: string, context: ReadingContext): string {
  const days = datesIn(text, context).filter(({value}) => 'month' in value);
  return days.reduce(
    (rest, {start, end}) =>
      `${rest.slice(0, start)}${'\u0000'.repeat(end - start)}${rest.slice(end)}`,
    text,
  );
}

/** All numbers in a text, in its order; digits joined by other marks, such as 1/2, are not a number. */
export function numbersIn(text: string, context: ReadingContext): Occurrence<number>[] {
  const whole = text.trim();
  if (zero.test(whole)) return [{value: 0, start: 0, end: text.length}];
  const found = [...text.matchAll(number)].flatMap(({0: token, index}) => {
    const value = valueOf(token, context);
    return value === undefined ? [] : [{value, start: index, end: index + token.length}];
  });
  if (found.length > 0) return arePartsOfOther(found, text) ? [] : found;
  return [...numberWordsIn(text), ...kanjiNumbersIn(text)];
}

/** Numbers that are part of something else: 1/2, 10:30, 2026-03-04, 10-12. */
function arePartsOfOther(found: readonly Occurrence<number>[], text: string): boolean {
  return found.some(({end}, at) => {
    const next = found[at + 1];
    return next !== undefined && /^\s?[/:⁄-]?\s?$/u.test(text.slice(end, next.start));
  });
}

function valueOf(token: string, context: ReadingContext): number | undefined {
  const isNegative = /^(?:-|minus|negative|マイナス)/i.test(token);
  const parts = [...token.matchAll(new RegExp(String.raw`(${digits})(${scale})?`, 'giu'))];
  const values = parts.map(([, written = '', unit = '']) => {
    const base = decimal(written, context);
    return base === undefined ? undefined : base * (scales[unit.trim().toLowerCase()] ?? 1);
  });
  if (values.includes(undefined) || values.length === 0) return undefined;
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
  // 1.1 thousand is 1,100, despite floating-point errors.
  const exact = parts.some(([, , unit]) => unit !== undefined) ? Number(sum.toPrecision(15)) : sum;
  return isNegative ? -exact : exact;
}

const groupedByCommas = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const groupedByPoints = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/** A comma before three digits groups thousands, unless the language writes decimals with it. */
function decimal(written: string, {language, country}: ReadingContext): number | undefined {
  const plain = written.replaceAll(/[ '_]/g, '');
  if (hasDecimalComma(language, country) ? groupedByPoints.test(plain) : isOfPoints(plain)) {
    return Number(plain.replaceAll('.', '').replace(',', '.'));
  }
  const isSmall = hasDecimalComma(language, country) && /^\d+,\d{3}$/.test(plain);
  if (groupedByCommas.test(plain) && !isSmall) return Number(plain.replaceAll(',', ''));
  const text = plain.replace(',', '.');
  return /^\d*\.?\d+$/.test(text) ? Number(text) : undefined;
}

/** 1.234,5 and 1.234.567 are unambiguous. */
function isOfPoints(plain: string): boolean {
  return groupedByPoints.test(plain) && (plain.includes(',') || plain.split('.').length > 2);
}

function hasDecimalComma(language: string | undefined, country: string | undefined): boolean {
  if (language === undefined) return false;
  const locale =
    country === undefined || language.includes('-') ? language : `${language}-${country}`;
  try {
    return new Intl.NumberFormat(locale).format(1.5).includes(',');
  } catch {
    return false;
  }
}

// Units of time in labels and in replies: `How many years`, `six months`; 年数, 6か月.

export type {TimeUnit};

/** `asked` finds the unit in a label, `said` right after a number. The year of a birth is not a number of years. */
const units: Readonly<Record<TimeUnit, {readonly asked: RegExp; readonly said: RegExp}>> = {
  years: {
    asked: /\byears\b|何年(?![生にの度代])|年数|年間/i,
    said: /^[\s-]*(?:years?|yrs?)\b|^\s?年/i,
  },
  months: {asked: /\bmonths\b|何[かヶカケ]月|月数/i, said: /^[\s-]*months?\b|^\s?[かヶカケ]月/i},
  weeks: {asked: /\bweeks\b|何週間|週数/i, said: /^[\s-]*weeks?\b|^\s?週/i},
  days: {asked: /\bdays\b|何日間|日数/i, said: /^[\s-]*days?\b|^\s?日/i},
  hours: {asked: /\bhours\b|何時間|時間数/i, said: /^[\s-]*(?:hours?|hrs?)\b|^\s?時間/i},
  minutes: {asked: /\bminutes\b|何分/i, said: /^[\s-]*(?:minutes?|mins?)\b|^\s?分/i},
};
const names = ['years', 'months', 'weeks', 'days', 'hours', 'minutes'] as const;

/** The number of smaller units in a larger one; other pairs have no fixed ratio. */
const sizes: readonly (readonly [TimeUnit, TimeUnit, number])[] = [
  ['years', 'months', 12],
  ['weeks', 'days', 7],
  ['hours', 'minutes', 60],
];

/** Undefined for a label with no unit, or with several. */
export function unitAsked(label: string): TimeUnit | undefined {
  const [unit, second] = names.filter((name) => units[name].asked.test(label));
  return second === undefined ? unit : undefined;
}

/** The unit that follows a number. */
function unitSaid(after: string): TimeUnit | undefined {
  return names.find((name) => units[name].said.test(after));
}

/** Rounded to hundredths. Undefined if the units have no fixed ratio. */
function converted(value: number, from: TimeUnit, to: TimeUnit): number | undefined {
  if (from === to) return value;
  for (const [large, small, size] of sizes) {
    if (from === small && to === large) return Math.round((value / size) * 100) / 100;
    if (from === large && to === small) return value * size;
  }
  return undefined;
}
