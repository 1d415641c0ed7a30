/** The forms in which a text may write a day, and the possible meanings of each. */

import type {Day} from '../../../machines/forms/interview/texts/parts.ts';
import {readKanjiNumber} from './number-words.ts';
import type {Occurrence} from './reading.ts';

export type DateReading =
  | ({readonly kind: 'date'} & Day)
  /** Written as a day that is not in the calendar. */
  | {readonly kind: 'none'}
  /** The two possible days; first the reading with the day before the month. */
  | {readonly kind: 'ambiguous'; readonly may: readonly [Day, Day]}
  /** With the month and the day, if they are certain. */
  | {readonly kind: 'yearless'; readonly month?: number; readonly day?: number};

interface Form {
  readonly pattern: RegExp;
  /** Undefined: it is not a date at all. */
  readonly read: (groups: Groups, names: Names) => DateReading | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Names and order that depend on the writer's place and language. */
interface Names {
  readonly months: ReadonlyMap<string, number>;
  readonly order: Order;
}

type Order = 'dayFirst' | 'monthFirst' | 'unknown';

const kanji = '〇一二三四五六七八九十';
const before = String.raw`(?<![\d/-]|\d[.])`;
const after = String.raw`(?![\d])`;
const dayName = String.raw`(?<d>\d{1,2})(?:st|nd|rd|th|er|º|\.)?`;
const monthName = String.raw`(?<name>\p{L}{3,12})\.?`;

const forms: readonly Form[] = [
  {
    pattern: new RegExp(
      String.raw`(?<era>令和|平成|昭和|大正|明治|(?<![a-z])[RHSTM]\.?)\s?(?<y>\d{1,2}|元|[${kanji}]{1,3})(?:年|[./-])\s?(?<m>\d{1,2}|[${kanji}]{1,2})(?:月|[./-])\s?(?<d>\d{1,2}|[${kanji}]{1,3})日?${after}`,
      'giu',
    ),
    read: ({era = '', y, m, d}) =>
      inEra(era, {year: y === '元' ? 1 : count(y), month: count(m), day: count(d)}),
  },
  {
    pattern: new RegExp(
      String.raw`${before}(?<y>\d{4}|[${kanji}]{4})(?:年\s?|\s?[-/.]\s?)(?<m>\d{1,2}|[${kanji}]{1,2})(?:月\s?|\s?[-/.]\s?)(?<d>\d{1,2}|[${kanji}]{1,3})日?${after}`,
      'gu',
    ),
    read: ({y, m, d}) => dayOf({year: count(y), month: count(m), day: count(d)}),
  },
  {
    pattern: new RegExp(
      String.raw`${before}(?<a>\d{1,2})\s?(?<mark>[-/.])\s?(?<b>\d{1,2})\s?\k<mark>\s?(?<y>\d{4}|\d{2})${after}`,
      'gu',
    ),
    read: ({a, b, mark, y = ''}, {order}) =>
      y.length === 2
        ? {kind: 'yearless'}
        : numeric(Number(a), Number(b), Number(y), mark === '.' ? 'dayFirst' : order),
  },
  {
    pattern: new RegExp(
      String.raw`${before}${dayName}[\s-]+(?:of |de )?${monthName}(?:,?[\s-]+(?:de )?(?<y>\d{4})${after})?`,
      'gu',
    ),
    read: byMonthName,
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\p{L})${monthName}\s+(?:the )?${dayName}${after}(?:,?\s+(?<y>\d{4})${after})?`,
      'gu',
    ),
    read: byMonthName,
  },
  {
    pattern: new RegExp(
      String.raw`${before}(?<m>\d{1,2}|[${kanji}]{1,2})月\s?(?<d>\d{1,2}|[${kanji}]{1,3})日`,
      'gu',
    ),
    read: ({m, d}) => ({kind: 'yearless', month: count(m), day: count(d)}),
  },
  {
    pattern: /(?<!\d)(?<y>(?:18|19|20)\d{2})(?<m>\d{2})(?<d>\d{2})(?!\d)/gu,
    read: ({y, m, d}) => dayOf({year: Number(y), month: Number(m), day: Number(d)}),
  },
  {pattern: /^\s*\d{1,2}\s?[/.-]\s?\d{1,2}\s*$/gu, read: () => ({kind: 'yearless'})},
];

/** All days in a text, in its order. */
export function datesIn(
  text: string,
  {
    language,
    country,
  }: {readonly language?: string | undefined; readonly country?: string | undefined},
): Occurrence<DateReading>[] {
  if (!/[\d年月日]/u.test(text)) return [];
  const names = {months: monthsOf(language), order: orderIn(country)};
  const found: Occurrence<DateReading>[] = [];
  let rest = text;
  for (const {pattern, read} of forms) {
    for (const {0: token, index, groups} of rest.matchAll(pattern)) {
      const value = read(groups ?? {}, names);
      if (!value) continue;
      found.push({value, start: index, end: index + token.length});
      rest = `${rest.slice(0, index)}${'\u0000'.repeat(token.length)}${rest.slice(index + token.length)}`;
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function count(written: string | undefined): number {
  if (written === undefined) return 0;
  return /^\d+$/.test(written) ? Number(written) : readKanjiNumber(written);
}

function dayOf(day: Day): DateReading {
  return isDay(day) ? {kind: 'date', ...day} : {kind: 'none'};
}

function byMonthName({d, name = '', y}: Groups, {months}: Names): DateReading | undefined {
  const month = months.get(name.toLowerCase());
  if (month === undefined) return undefined;
  const day = Number(d);
  if (y !== undefined) return dayOf({year: Number(y), month, day});
  // A leap year: the day may exist in some years only.
  return isDay({year: 2_000, month, day}) ? {kind: 'yearless', month, day} : {kind: 'none'};
}

function numeric(a: number, b: number, year: number, order: Order): DateReading {
  const dayFirst = {year, month: b, day: a};
  const monthFirst = {year, month: a, day: b};
  if (!isDay(dayFirst)) return dayOf(monthFirst);
  if (!isDay(monthFirst) || a === b || order === 'dayFirst') return dayOf(dayFirst);
  return order === 'monthFirst'
    ? dayOf(monthFirst)
    : {kind: 'ambiguous', may: [dayFirst, monthFirst]};
}

/** First and last day of each, as comparable numbers: 20190501. */
const eras: Readonly<
  Record<string, {readonly year: number; readonly from: number; readonly to: number}>
> = {
  令和: {year: 2018, from: 20190501, to: Infinity},
  平成: {year: 1988, from: 19890108, to: 20190430},
  昭和: {year: 1925, from: 19261225, to: 19890107},
  大正: {year: 1911, from: 19120730, to: 19261224},
  明治: {year: 1867, from: 18681023, to: 19120729},
};
const eraLetters: Readonly<Record<string, string>> = {
  r: '令和',
  h: '平成',
  s: '昭和',
  t: '大正',
  m: '明治',
};

function inEra(name: string, {year, month, day}: Day): DateReading {
  const era = eras[eraLetters[name.toLowerCase().charAt(0)] ?? name];
  if (!era || year < 1) return {kind: 'none'};
  const date = {year: era.year + year, month, day};
  const number = date.year * 10_000 + month * 100 + day;
  return number >= era.from && number <= era.to ? dayOf(date) : {kind: 'none'};
}

/** Day or month first, by country; unknown if both are usual, or if the year comes first. */
function orderIn(country: string | undefined): Order {
  if (country === undefined || country === 'CA') return 'unknown';
  try {
    const {language} = new Intl.Locale(`und-${country}`).maximize();
    const format = new Intl.DateTimeFormat(`${language}-${country}`, {
      dateStyle: 'short',
      calendar: 'gregory',
    });
    const first = format.formatToParts(0).find(({type}) => type !== 'literal');
    if (first?.type === 'day') return 'dayFirst';
    return first?.type === 'month' ? 'monthFirst' : 'unknown';
  } catch {
    return 'unknown';
  }
}

const monthsKnown = new Map<string, ReadonlyMap<string, number>>();

/** Names of months in English and in the language, long and short, in both the stand-alone form and the form in dates. */
function monthsOf(language = 'en'): ReadonlyMap<string, number> {
  const known = monthsKnown.get(language);
  if (known) return known;
  const made = new Map<string, number>([['sept', 9]]);
  for (const locale of new Set(['en', supported(language)])) {
    for (const month of ['long', 'short'] as const) {
      for (const options of [{month}, {month, day: 'numeric'}] as const)
        addMonths(made, locale, options);
    }
  }
  monthsKnown.set(language, made);
  return made;
}

function addMonths(
  to: Map<string, number>,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): void {
  const format = new Intl.DateTimeFormat(locale, {
    ...options,
    timeZone: 'UTC',
    calendar: 'gregory',
  });
  for (let month = 0; month < 12; month += 1) {
    const parts = format.formatToParts(Date.UTC(2_000, month, 1));
    const name = parts
      .find(({type}) => type === 'month')
      ?.value.toLowerCase()
      .replace(/\.$/, '');
    if (name !== undefined && /^\p{L}{3,12}$/u.test(name)) to.set(name, month + 1);
  }
}

function supported(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

// Days of the Gregorian calendar, without a clock.

export type {Day};

export function isDay({year, month, day}: Day): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(year, month);
}

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** `2026-03-04`. */
export function isoOf({year, month, day}: Day): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** The local day at a time (epoch ms). In UTC if the zone is unknown. */
export function dayAt(at: number, timezone: string | undefined): Day {
  const options = {year: 'numeric', month: 'numeric', day: 'numeric'} as const;
  const parts = formatIn(timezone, options).formatToParts(at);
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return {year: value('year'), month: value('month'), day: value('day')};
}

function formatIn(
  timezone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {...options, timeZone: timezone ?? 'UTC'});
  } catch {
    return new Intl.DateTimeFormat('en-US', {...options, timeZone: 'UTC'});
  }
}

export function plusDays({year, month, day}: Day, days: number): Day {
  const date = new Date(utc({year, month, day}) + days * 86_400_000);
  return {year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate()};
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(utc(day)).getUTCDay() || 7;
}

function utc({year, month, day}: Day): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
