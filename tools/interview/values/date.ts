/** Reads dates. A day that is not in the calendar is refused, and an ambiguous one is asked about: nothing is guessed. */

import {longDate} from '../../../machines/forms/interview/texts/parts.ts';
import {fold, type Folded, quotedPart} from '../fold.ts';
import {type Day, isDay, isoOf} from './calendar.ts';
import {type DateReading, datesIn} from './date-forms.ts';
import {
  type Complaint,
  isTooLong,
  type Occurrence,
  type ReadingContext,
  type ValueReading,
} from './reading.ts';
import {relativeDate} from './relative-date.ts';

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
