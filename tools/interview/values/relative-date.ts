/** Days relative to today: `tomorrow`, `in 3 days`, `next Friday`, 明後日, 3日前. */

import type {Folded} from '../fold.ts';
import {dayAt, plusDays, weekdayOf} from './calendar.ts';
import type {DateReading} from './date-forms.ts';
import type {ReadingContext} from './reading.ts';

// Days of the week relative to today: `Friday`, `next Friday`, `Friday next week`, 来週の金曜日.

const numbers: ReadonlyMap<string, number> = new Map(
  [
    ['monday', '月'],
    ['tuesday', '火'],
    ['wednesday', '水'],
    ['thursday', '木'],
    ['friday', '金'],
    ['saturday', '土'],
    ['sunday', '日'],
  ].flatMap((names, at) => names.map((name) => [name, at + 1] as const)),
);

const english =
  /\b(?:(?<before>this|next|last) week,? (?:on )?|(?<which>this|next|last|coming) )?(?<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?:,? (?:of )?(?<after>this|next|last) week\b)?/gi;
const japanese =
  /(?:(?<before>今週|来週|再来週|先週)の?|(?<which>次|今度|前)の)?(?<day>[月火水木金土日])曜日?/gu;

const repeated = /\b(?:every|each|any)\b|毎週/i;

/**
 * The number of days from today, which is weekday 1 (Monday) to 7; two where both readings are usual: on a Monday, `next Friday` is
 * in four days or in eleven. Undefined for a text that names no day, or several.
 */
function weekdayIn(text: string, today: number): readonly number[] | undefined {
  const {day = '', which = '', before = '', after = ''} = partsIn(text) ?? {};
  const wanted = numbers.get(day.toLowerCase());
  if (wanted === undefined) return undefined;
  const weeks = weeksAhead[`${before}${after}`.toLowerCase()];
  if (weeks !== undefined) return [wanted - today + 7 * weeks];
  return daysTo(wanted, today, which.toLowerCase());
}

function partsIn(text: string): Readonly<Record<string, string | undefined>> | undefined {
  if (repeated.test(text)) return undefined;
  const [only, second] = [...text.matchAll(english), ...text.matchAll(japanese)];
  return second ? undefined : only?.groups;
}

const weeksAhead: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  先週: -1,
  今週: 0,
  来週: 1,
  再来週: 2,
};

function daysTo(wanted: number, today: number, which: string): readonly number[] {
  const ahead = (wanted - today + 7) % 7;
  const kind = kinds[which];
  if (ahead === 0) return kind === undefined ? [0, 7] : [kind === 'last' ? -7 : 7];
  const isThisWeek = wanted > today;
  if (kind === 'next' && isThisWeek) return [ahead, ahead + 7];
  if (kind === 'last') return isThisWeek ? [ahead - 7] : [ahead - 7, ahead - 14];
  return [ahead];
}

const kinds: Readonly<Record<string, 'coming' | 'next' | 'last'>> = {
  coming: 'coming',
  next: 'next',
  次: 'next',
  今度: 'next',
  last: 'last',
  前: 'last',
};

/** Longer names come first, as they contain the shorter ones. */
const dayNames: readonly (readonly [RegExp, number])[] = [
  [/\bday after tomorrow\b|明後日|あさって/i, 2],
  [/\bday before yesterday\b|一昨日|おととい/i, -2],
  [/\btomorrow\b|明日|あした|(?<!\p{L})あす(?!\p{L})/iu, 1],
  [/\byesterday\b|昨日|きのう/i, -1],
  [/\btoday\b|今日|本日|きょう/i, 0],
];
const counted =
  /\bin (?<ahead>\d{1,4}|an?|one|two|three) (?<aheadUnit>day|week)s?\b|\b(?<ago>\d{1,4}|an?|one|two|three) (?<agoUnit>day|week)s? ago\b|(?<kanji>\d{1,4})(?<kanjiUnit>日|週間)(?<way>後|前)/i;
const counts: Readonly<Record<string, number>> = {a: 1, an: 1, one: 1, two: 2, three: 3};

const negated =
  /\b(?:not|never|since|until|by)\b|n't\b|(?<!\bday )\b(?:before|after)\b|じゃない|ではない|以降|以前|まで/i;
const maxLength = 100;

/** A text that may mean two days is ambiguous. */
export function relativeDate(
  {text}: Folded,
  {at, timezone}: ReadingContext,
): DateReading | undefined {
  if (text.length > maxLength || negated.test(text)) return undefined;
  const today = dayAt(at, timezone);
  const weekdays = weekdayIn(text, weekdayOf(today));
  const days = daysIn(text);
  if (days !== undefined) return weekdays ? undefined : {kind: 'date', ...plusDays(today, days)};
  const [first, second] = (weekdays ?? []).map((ahead) => plusDays(today, ahead));
  if (!first) return undefined;
  return second ? {kind: 'ambiguous', may: [first, second]} : {kind: 'date', ...first};
}

/** Also undefined when there are several. */
function daysIn(text: string): number | undefined {
  const groups = counted.exec(text)?.groups;
  const found = groups ? [countOf(groups)] : [];
  let rest = text;
  for (const [pattern, days] of dayNames) {
    if (!pattern.test(rest)) continue;
    found.push(days);
    rest = rest.replace(pattern, ' ');
  }
  return found.length === 1 ? found[0] : undefined;
}

function countOf(groups: Readonly<Record<string, string | undefined>>): number {
  const {ahead, ago, kanji, way} = groups;
  const written = (ahead ?? ago ?? kanji ?? '').toLowerCase();
  const days = (counts[written] ?? Number(written)) * (isInWeeks(groups) ? 7 : 1);
  return ago !== undefined || way === '前' ? -days : days;
}

function isInWeeks({
  aheadUnit,
  agoUnit,
  kanjiUnit,
}: Readonly<Record<string, string | undefined>>): boolean {
  return /week|週/i.test(aheadUnit ?? agoUnit ?? kanjiUnit ?? '');
}
