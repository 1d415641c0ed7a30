/** Reads dates. A day that is not in the calendar is refused, and an ambiguous one is asked about: nothing is guessed. */

import {longDate} from '../../../machines/forms/interview/texts/parts.ts';
import {fold, type Folded, quotedPart} from '../fold.ts';
import {
  type Day,
  isDay,
  isoOf,
  type DateReading,
  datesIn,
  dayAt,
  plusDays,
  weekdayOf,
} from './date-forms.ts';
import {
  type Complaint,
  isTooLong,
  type Occurrence,
  type ReadingContext,
  type ValueReading,
} from './reading.ts';

/** ISO 8601, as in 2026-03-04. `before`: the person's previous reply to the same question. */
export function readDate(
  folded: Folded,
  context: ReadingContext,
  before?: Folded,
): ValueReading<string> {
  if (isTooLong(folded)) return {problem: (texts) => texts.notDate};
  const found = datesIn(folded.text, context);
  if (found.some((date) => isShifted(folded.text, date)))
    return {problem: (texts) => texts.notDate};
  if (found.length > 1) return {problem: (texts) => texts.severalDates};
  const [only] = found;
  if (only?.value.kind === 'date') return said(folded, only, only.value);
  const completed = before && complete(folded, only?.value, before, context);
  if (completed) return completed;
  if (only) return {problem: complaintOf(only.value, context)};
  return readRelative(folded, context);
}

/** `The day after 4 March`, 3月4日の翌日: another day is meant. */
function isShifted(text: string, {start, end}: Occurrence<DateReading>): boolean {
  const before = /\b(?:after|before)\s+(?:the\s+)?$/i.test(text.slice(0, start));
  return before || /^\s*の?(?:翌|前日|次の日|以降|以前)/u.test(text.slice(end));
}

/** All days in a text; a day without its year is kept as written. */
export function daysIn(text: string, context: ReadingContext): readonly Occurrence<string>[] {
  const written = datesIn(text, context).map(({value, start, end}) => ({
    start,
    end,
    value: value.kind === 'date' ? isoOf(value) : text.slice(start, end),
  }));
  return written.length > 0 ? written : relativeDaysIn(text, context);
}

/** `I come tomorrow`: the part of the text with the day. */
function relativeDaysIn(text: string, context: ReadingContext): readonly Occurrence<string>[] {
  return [...text.matchAll(/[^,;.\n]+/g)].flatMap(({0: part, index}) => {
    const day = relativeDate(fold(part), context);
    return day?.kind === 'date'
      ? [{value: isoOf(day), start: index, end: index + part.length}]
      : [];
  });
}

/** One day without its year. */
export function isOpenDay({text}: Folded, context: ReadingContext): boolean {
  const [only, second] = datesIn(text, context);
  return only?.value.kind === 'yearless' && only.value.month !== undefined && !second;
}

function readRelative(folded: Folded, context: ReadingContext): ValueReading<string> {
  const relative = relativeDate(folded, context);
  if (!relative) return {problem: (texts) => texts.notDate};
  if (relative.kind !== 'date') return {problem: complaintOf(relative, context)};
  return said(folded, whole(folded, relative), relative);
}

function said(
  folded: Folded,
  {start, end}: Occurrence<DateReading>,
  day: Day,
): ValueReading<string> {
  return {value: isoOf(day), quote: quotedPart(folded, start, end)};
}

function whole({text}: Folded, value: DateReading): Occurrence<DateReading> {
  return {value, start: 0, end: text.length};
}

function complaintOf(reading: DateReading, {language}: ReadingContext): Complaint {
  if (reading.kind === 'none') return (texts) => texts.noSuchDate;
  if (reading.kind !== 'ambiguous') return (texts) => texts.yearMissing;
  const [first, second] = reading.may.map((day) => longDate(day, language));
  return (texts) => texts.whichDate(first ?? '', second ?? '');
}

/** The reply may contain only the missing part of the previous one, such as the year. */
function complete(
  folded: Folded,
  reading: DateReading | undefined,
  before: Folded,
  context: ReadingContext,
): ValueReading<string> | undefined {
  if (isTooLong(before)) return undefined;
  const [written, second] = datesIn(before.text, context);
  const relative = relativeDate(before, context);
  const open = written ?? (relative && whole(before, relative));
  if (!open || second) return undefined;
  const day =
    open.value.kind === 'ambiguous'
      ? chosen(open.value.may, reading, folded.text)
      : dated(open.value, folded.text);
  return day && isDay(day) ? said(before, open, day) : undefined;
}

function chosen(
  may: readonly [Day, Day],
  reading: DateReading | undefined,
  text: string,
): Day | undefined {
  if (reading?.kind === 'yearless') {
    return may.find(({month, day}) => month === reading.month && day === reading.day);
  }
  if (firstOf.test(text)) return may[0];
  if (secondOf.test(text)) return may[1];
  const named = may.filter(({year, month}) =>
    datesIn(`${text.trim()} 1 ${year}`, {}).some(
      ({value}) => value.kind === 'date' && value.month === month,
    ),
  );
  return named.length === 1 ? named[0] : undefined;
}

const firstOf = /^\s*(?:1|(?:the )?(?:first|former)(?: one)?|day first|前者|最初|1番目?)\W*$/i;
const secondOf = /^\s*(?:2|(?:the )?(?:second|latter|last)(?: one)?|month first|後者|2番目?)\W*$/i;

function dated(open: DateReading, text: string): Day | undefined {
  const year = /^\D{0,10}(\d{4})\D{0,10}$/.exec(text)?.[1];
  if (open.kind !== 'yearless' || year === undefined) return undefined;
  return open.month === undefined || open.day === undefined
    ? undefined
    : {year: Number(year), month: open.month, day: open.day};
}

// Days relative to today: `tomorrow`, `in 3 days`, `next Friday`, 明後日, 3日前.

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
function relativeDate({text}: Folded, {at, timezone}: ReadingContext): DateReading | undefined {
  if (text.length > maxLength || negated.test(text)) return undefined;
  const today = dayAt(at, timezone);
  const weekdays = weekdayIn(text, weekdayOf(today));
  const days = daysAhead(text);
  if (days !== undefined) return weekdays ? undefined : {kind: 'date', ...plusDays(today, days)};
  const [first, second] = (weekdays ?? []).map((ahead) => plusDays(today, ahead));
  if (!first) return undefined;
  return second ? {kind: 'ambiguous', may: [first, second]} : {kind: 'date', ...first};
}

/** Also undefined when there are several. */
function daysAhead(text: string): number | undefined {
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
