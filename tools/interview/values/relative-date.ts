/** Days relative to today: `tomorrow`, `in 3 days`, `next Friday`, 明後日, 3日前. */

import type {Folded} from '../fold.ts';
import {dayAt, plusDays, weekdayOf} from './calendar.ts';
import type {DateReading} from './date-forms.ts';
import type {ReadingContext} from './reading.ts';
import {weekdayIn} from './weekday.ts';

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
