/** Reads the value of a field by its type, then checks it against the form's requirements. */

import {createRequire} from 'node:module';

import type * as Re2 from 're2js';

import {longDateOf} from '../../../machines/forms/interview/texts/parts.ts';
import {typeOf} from '../../../machines/questionnaire/field-types.ts';
import type {AnswerValue, FormField} from '../../../machines/questionnaire/questionnaire.ts';
import {readerOf} from '../field-readers.ts';
import type {Folded} from '../fold.ts';
import {dayAt, isoOf} from './date-forms.ts';
import type {Complaint, ReadingContext, ValueReading} from './reading.ts';

/** `before`: the person's previous reply on the same field. */
export function readValue(
  field: FormField,
  folded: Folded,
  context: ReadingContext,
  before?: Folded,
): ValueReading {
  if (folded.text.trim() === '') return {problem: (texts) => texts.blank};
  const reading = readerOf(field).read(folded, context, field, before);
  if ('problem' in reading) return reading;
  const problem = outOfBounds(field, reading.value, context) ?? unmatched(field, reading.value);
  return problem ? {problem} : reading;
}

function outOfBounds(
  field: FormField,
  value: AnswerValue,
  context: ReadingContext,
): Complaint | undefined {
  if (typeOf(field).isDay) return dateOutOfBounds(field, String(value), context);
  const size = sizeOf(value);
  if (size === undefined) return undefined;
  const [min, max] = [numberOf(field.min), numberOf(field.max)];
  const kind =
    typeof value === 'number' ? 'number' : typeof value === 'string' ? 'text' : 'choices';
  if (min !== undefined && size < min) return (texts) => texts.tooLittle(kind, min);
  if (max !== undefined && size > max) return (texts) => texts.tooMuch(kind, max);
  return undefined;
}

/** The number itself, the number of characters of a text, the number of selected choices. */
function sizeOf(value: AnswerValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return lengthOf(value);
  return typeof value === 'boolean' ? undefined : value.length;
}

/** In characters as people count them, not in code units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function numberOf(bound: number | string | undefined): number | undefined {
  return typeof bound === 'number' ? bound : undefined;
}

function dateOutOfBounds(
  {min, max}: FormField,
  value: string,
  {at, timezone, language}: ReadingContext,
): Complaint | undefined {
  const day = (bound: number | string): string =>
    bound === 'today' ? isoOf(dayAt(at, timezone)) : String(bound);
  const shown = (bound: string): string => longDateOf(bound, language);
  if (min !== undefined && value < day(min)) {
    return (texts) => texts.tooEarly(shown(day(min)));
  }
  if (max !== undefined && value > day(max)) return (texts) => texts.tooLate(shown(day(max)));
  return undefined;
}

function unmatched({pattern}: FormField, value: AnswerValue): Complaint | undefined {
  if (pattern === undefined || typeof value !== 'string') return undefined;
  return matchesWhole(pattern, value) ? undefined : (texts) => texts.notMatching;
}

const load = createRequire(import.meta.url);

/** RE2 takes time linear in the text. An invalid pattern blocks nobody: checking the form reports it to the author. */
export function matchesWhole(pattern: string, text: string): boolean {
  return compile(pattern)?.matches(text) ?? true;
}

export function compile(pattern: string): Re2.RE2JS | undefined {
  const {RE2JS}: typeof Re2 = load('re2js');
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
