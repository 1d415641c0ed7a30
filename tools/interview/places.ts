/** Finds addresses, days and numbers for other fields in a reply, and the text that remains without them. */

import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {AnswerValue, FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fillers} from './data/tables.ts';
import {fieldReaders, readerOf} from './field-readers.ts';
import {fold, type Folded, typed} from './fold.ts';
import {emailsIn, urlsIn} from './values/addresses.ts';
import {numbersIn, withoutDates} from './values/number.ts';
import type {Occurrence, ReadingContext} from './values/reading.ts';
import {readValue} from './values/value.ts';

/** The rest of a longer reply is not searched. */
const maxSearched = 10_000;

export interface Place extends Occurrence<AnswerValue> {
  readonly field: FormField;
  /** Verbatim. */
  readonly quote: string;
}

/** Places whose value only one of the open fields can take, and not the current one. */
export function placesIn(
  folded: Folded,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): readonly Place[] {
  const searched = folded.text.slice(0, maxSearched);
  const typedPlaces = Object.entries(fieldReaders).flatMap(([type, {find}]) => {
    const [field, second] = open.filter((other) => other.type === type);
    if (!find || !field || second || current?.type === type) return [];
    const [only, other] = find(searched, context);
    return only && !other ? [{...only, field}] : [];
  });
  const valid = typedPlaces.map(quotedIn(folded)).filter((place) => canBe(place, context));
  const others = masked(searched, [...emailsIn(searched), ...urlsIn(searched), ...valid]);
  const numbers = numberIn(others, open, current, context).map(quotedIn(folded));
  return [...valid, ...numbers.filter((place) => canBe(place, context))];
}

/** The only number, for the only field that takes one, with nothing else in its part of the reply. */
function numberIn(
  text: string,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): readonly Omit<Place, 'quote'>[] {
  const [field, secondField] = open.filter((one) => typeOf(one).value === 'number');
  if (!field || secondField || !current || canBeNumber([current, ...open], current)) return [];
  const plain = withoutDates(text, context);
  const [number, second] = numbersIn(plain, context);
  if (!number || second || number.end - number.start === text.trim().length) return [];
  const isAlone =
    /(?:^|[,;\n]|\band) *$/i.test(plain.slice(0, number.start)) &&
    /^ *(?:です)?(?:[,;.\n]|and\b|$)/i.test(plain.slice(number.end));
  return isAlone ? [{...number, field}] : [];
}

/** In a text a number may be about anything; a choice may be given by its number. */
function canBeNumber(fields: readonly FormField[], current: FormField): boolean {
  const {value, isProse} = typeOf(current);
  return value === 'number' || isProse === true || fields.some(({choices}) => choices);
}

function quotedIn(folded: Folded): (place: Omit<Place, 'quote'>) => Place {
  return (place) => ({...place, quote: typed(folded, place.start, place.end)});
}

/** A day without its year can be the answer as well: the year is asked for. */
function canBe({field, quote}: Place, context: ReadingContext): boolean {
  const folded = fold(quote);
  if ('value' in readValue(field, folded, context)) return true;
  return readerOf(field).isOpen?.(folded, context) === true;
}

const separators =
  /[\n,;/<>()]| and | - |[.] (?=(?:my|you|call|e-?mail|phone|tel|reach|contact|we|i)\b)|[.](?=[^ -~\n])/gi;

/** In a list of several values, the part that is not one of them: `Ann Lee` of `Ann Lee, ann@example.org`. */
export function restOf(folded: Folded, places: readonly Place[]): string | undefined {
  if (places.length === 0) return undefined;
  const spans = spansOf(masked(folded.text, places));
  const left = spans.filter(({text}) => !text.includes(mask) && /[\p{L}\p{N}]/u.test(text));
  const [only, second] = left;
  const areValues = spans.every((span) => left.includes(span) || holdsOnlyFillers(span.text));
  if (!only || second || !areValues) return undefined;
  return typed(folded, only.start, only.end);
}

/** Replaces a found value. */
export const mask = '\u0000';

export function masked(text: string, places: readonly Occurrence<unknown>[]): string {
  return places.reduce(
    (rest, {start, end}) => `${rest.slice(0, start)}${mask.repeat(end - start)}${rest.slice(end)}`,
    text,
  );
}

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function spansOf(text: string): Span[] {
  const ends = [...text.matchAll(separators)].map(
    ({0: mark, index}) => [index, mark.length] as const,
  );
  let start = 0;
  return [...ends, [text.length, 0] as const].map(([end, length]) => {
    const span = {text: text.slice(start, end), start, end};
    start = end + length;
    return span;
  });
}

/** The reply without the parts at its ends that hold nothing but these values; empty if nothing else is left. */
export function withoutValues(folded: Folded, places: readonly Place[]): string {
  if (places.length === 0) return folded.raw;
  const words = spansOf(masked(folded.text, places)).filter(({text}) => !holdsOnlyFillers(text));
  const [first, last] = [words[0], words.at(-1)];
  return first && last ? typed(folded, first.start, last.end) : '';
}

function holdsOnlyFillers(text: string): boolean {
  const known = fillers();
  return text
    .split(/[^\p{L}\p{N}'-]+/u)
    .every((word) => word === '' || known.has(word.toLowerCase()));
}
