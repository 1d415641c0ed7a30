/** Numbers for other fields, by the counted thing: `3 people`, 3人, if one field asks for the `Number of people`. */

import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fold} from './fold.ts';
import {numbersIn, withoutDates} from './values/number.ts';
import type {Occurrence, ReadingContext} from './values/reading.ts';

export interface Counted extends Occurrence<number> {
  readonly field: FormField;
}

/** Each number with the only field that asks for it; none if two numbers fit one field. */
export function countedIn(
  text: string,
  open: readonly FormField[],
  current: FormField | undefined,
  context: ReadingContext,
): readonly Counted[] {
  const fields = open.filter(isNumeric);
  if (fields.length === 0 || (current && isNumeric(current))) return [];
  const plain = withoutDates(text, context);
  const numbers = numbersIn(plain, context);
  const counted = numbers.flatMap((number) => {
    const [only, second] = countedBy(plain.slice(number.end), fields);
    if (!only || second) return [];
    return [{...number, end: number.end + only.length, field: only.field}];
  });
  const isOrdered =
    (current && typeOf(current).isProse) || open.some(({choices}) => choices !== undefined);
  const bare = counted.length > 0 || isOrdered ? [] : bareIn(plain, numbers, fields);
  const found = [...counted, ...bare];
  return found.filter(({field}) => found.filter((other) => other.field === field).length === 1);
}

function isNumeric(field: FormField): boolean {
  return typeOf(field).value === 'number';
}

/** The only number, for the only field, with nothing else in its part of the reply. */
function bareIn(
  text: string,
  numbers: readonly Occurrence<number>[],
  fields: readonly FormField[],
): readonly Counted[] {
  const [[number, secondNumber], [field, secondField]] = [numbers, fields];
  if (!number || secondNumber || !field || secondField) return [];
  const isAlone =
    /(?:^|[,;\n]|\band) *$/i.test(text.slice(0, number.start)) &&
    /^ *(?:です)?(?:[,;.\n]|and\b|$)/i.test(text.slice(number.end));
  return isAlone && number.end - number.start < text.trim().length ? [{...number, field}] : [];
}

/** Words after a number, and the labels of fields that ask for such a number. */
const counters: readonly (readonly [said: RegExp, asked: RegExp])[] = [
  [
    /^(?: ?(?:more )?(?:people|persons?|guests?|participants?|attendees?|visitors?|adults?|of us)\b| ?(?:人|名)(?!前|間))/i,
    /\b(?:people|persons|guests|participants|attendees|visitors)\b|人|名/i,
  ],
  [/^ ?(?:years? old\b|歳|才)/i, /\bage\b|歳|才|年齢/i],
  [/^ ?泊/, /泊|\bnights\b/i],
  [/^ ?個/, /個|数量|いくつ/],
  [/^ ?円/, /円|金額|予算|料金|費/],
  [/^ ?年(?!生|度|前|後|目)/, /年数|何年(?![生に度])|年間|\byears\b/i],
  [/^ ?[かヶカケ]月/, /月数|何[かヶカケ]月|\bmonths\b/i],
  [/^ ?週間/, /週数|何週|\bweeks\b/i],
  [/^ ?日間/, /日数|何日|日間|\bdays\b/i],
  [/^ ?時間/, /時間|\bhours\b/i],
  [/^ ?枚/, /枚/],
  [/^ ?冊/, /冊/],
  [/^ ?台/, /台/],
  [/^ ?本/, /本/],
  [/^ ?回/, /回/],
];

const noun = /^[ -](?:more |extra |other )?(?<word>[a-z]{2,30})(?! ?old\b)/i;

interface Asking {
  readonly field: FormField;
  /** Of the words that name the counted thing, in UTF-16 code units. */
  readonly length: number;
}

/** The fields that ask for a number of the thing named after it. */
function countedBy(after: string, fields: readonly FormField[]): readonly Asking[] {
  const counter = counters.find(([said]) => said.test(after));
  if (counter) {
    const [said, asked] = counter;
    const length = said.exec(after)?.[0].length ?? 0;
    return fields.filter((field) => asked.test(namesOf(field))).map((field) => ({field, length}));
  }
  const found = noun.exec(after);
  const word = singular(found?.groups?.['word'] ?? '');
  if (!found || word === '') return [];
  return fields
    .filter((field) => labelWords(field).has(word))
    .map((field) => ({field, length: found[0].length}));
}

function namesOf({label, id}: FormField): string {
  return `${fold(label).text} ${id.replaceAll(/[_-]/g, ' ')}`;
}

function labelWords(field: FormField): ReadonlySet<string> {
  return new Set((namesOf(field).match(/[a-z]+/gi) ?? []).map(singular));
}

function singular(word: string): string {
  return word.toLowerCase().replace(/(?<=[a-z]{2})s$/, '');
}
