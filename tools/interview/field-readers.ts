/** Readers of answers, one for each type of field. */

import {createRequire} from 'node:module';

import type * as Re2 from 're2js';

import {longDateOf} from '../../machines/forms/interview/texts/parts.ts';
import {type FieldType, typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField, AnswerValue} from '../../machines/questionnaire/questionnaire.ts';
import {cleaned, type Folded} from './fold.ts';
import {
  emailsIn,
  phonesIn,
  readEmail,
  readPhone,
  readUrl,
  urlsIn,
  isName,
  isOfName,
  isRepeated,
} from './values/addresses.ts';
import {isChoice, readChoice, readChoices, readYesNo, yesOrNo} from './values/choice.ts';
import {dayAt, isoOf} from './values/date-forms.ts';
import {daysIn, isOpenDay, readDate} from './values/date.ts';
import {readNumber, unitAsked} from './values/number.ts';
import type {Occurrence, ReadingContext, ValueReading, Complaint} from './values/reading.ts';

interface FieldReader {
  /** `before`: the person's previous reply on the same field. */
  readonly read: (
    folded: Folded,
    context: ReadingContext,
    field: FormField,
    before: Folded | undefined,
  ) => ValueReading;
  /** All such values in a longer text, for any field. Absent: they cannot be distinguished from other words. */
  readonly find?: (text: string, context: ReadingContext) => readonly Occurrence<string>[];
  /** Such a value is recognised anywhere in a text. */
  readonly isAddress?: true;
  /** A part of the value is open and is asked for next, such as the year of a day. */
  readonly isOpen?: (folded: Folded, context: ReadingContext) => boolean;
  /** A whole reply is plainly an answer, although it may be a command elsewhere. */
  readonly isPlain?: (folded: Folded, field: FormField) => boolean;
  /** The usual names for the only field of this type, in lower case. */
  readonly name?: RegExp;
  /** Done criteria of facts that require such a value. */
  readonly criterion?: ValueCriterion;
}

/** Without a pattern, `criteria.ts` reads the kind and its bounds. */
type ValueCriterion =
  | {readonly kind: 'number'; readonly isWhole: boolean; readonly pattern?: undefined}
  | {readonly kind: ValueKind; readonly pattern: RegExp};

/** For a yes or no, the type has the name of the programs. */
export type ValueKind = Exclude<FieldType, 'number'> | 'yesNo';

export const fieldReaders: Readonly<Record<FieldType, FieldReader>> = {
  text: {read: readText},
  number: {
    read: (folded, context, {label}) =>
      readNumber(folded, context, {isWhole: false, unit: unitAsked(label)}),
    criterion: {kind: 'number', isWhole: false},
  },
  integer: {
    read: (folded, context, {label}) =>
      readNumber(folded, context, {isWhole: true, unit: unitAsked(label)}),
    criterion: {kind: 'number', isWhole: true},
  },
  email: {
    read: readEmail,
    find: emailsIn,
    isAddress: true,
    name: /^(?:e-?mail|mail|e-?mail address|mail address|メール|メールアドレス|メアド|eメール|電子メール)$/,
    criterion: {
      kind: 'email',
      pattern:
        /^(?:an? )?(?:valid )?(?:e-?mail)(?: address)?$|^(?:有効な)?(?:電子)?メール(?:アドレス)?$/i,
    },
  },
  url: {
    read: readUrl,
    find: urlsIn,
    isAddress: true,
    name: /^(?:url|website|web site|web page|homepage|link|web address|ウェブサイト|サイト|ホームページ|リンク)$/,
    criterion: {
      kind: 'url',
      pattern:
        /^(?:an? )?(?:valid )?(?:url|web ?address|link|website)$|^(?:有効な)?(?:url|ウェブサイト|リンク)$/i,
    },
  },
  phone: {
    read: readPhone,
    find: phonesIn,
    isAddress: true,
    name: /^(?:phone|telephone|tel|mobile|cell|phone number|telephone number|mobile number|cell phone|電話|電話番号|携帯|携帯電話|携帯番号|tel)$/,
    criterion: {
      kind: 'phone',
      pattern: /^(?:an? )?(?:valid )?(?:(?:tele)?phone)(?: number)?$|^(?:有効な)?電話番号$/i,
    },
  },
  date: {
    read: (folded, context, _, before) => readDate(folded, context, before),
    find: daysIn,
    isOpen: isOpenDay,
    name: /^(?:date|日付|日にち)$/,
    criterion: {
      kind: 'date',
      pattern:
        /^(?:an? )?(?:valid |full |exact |calendar )?(?:date|day)$|^(?:有効な)?(?:日付|年月日|日にち)$/i,
    },
  },
  boolean: {
    read: readYesNo,
    isPlain: ({raw, text}) => raw.length <= 12 && yesOrNo(text) !== undefined,
    criterion: {
      kind: 'yesNo',
      pattern:
        /^(?:yes or no|yes\/no|a yes or no|either yes or no|a? ?boolean|true or false|true\/false|はい(?:か|または|\/|・|,)いいえ)$/i,
    },
  },
  choice: {
    read: (folded, _, {choices = []}) => readChoice(folded, choices),
    isPlain: isPlainChoice,
  },
  choices: {
    read: (folded, _, {choices = []}) => readChoices(folded, choices),
    isPlain: isPlainChoice,
  },
};

export function readerOf({type}: Pick<FormField, 'type'>): FieldReader {
  return fieldReaders[type];
}

function readText(
  folded: Folded,
  _: ReadingContext,
  field: FormField,
  before: Folded | undefined,
): ValueReading<string> {
  const value = cleaned(folded.raw);
  if (value === '') return {problem: (texts) => texts.blank};
  const isSure = !isOfName(field) || isName(folded.text) || isRepeated(folded, before);
  return isSure ? {value, quote: folded.raw.trim()} : {problem: (texts) => texts.notName};
}

/** `#2` is the number of a field. */
function isPlainChoice({raw, text}: Folded, {choices = []}: FormField): boolean {
  return isChoice(text, choices) && !/^\s*#/.test(raw);
}

// Reads the value of a field by its type, then checks it against the form's requirements.

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
function matchesWhole(pattern: string, text: string): boolean {
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
