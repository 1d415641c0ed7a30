/** Several changes in one reply: `change the number of people to 5 and topics to acoustics`, 人数を5人に、分野を音響に. */

import type {FieldChange, Route} from '../../machines/questionnaire/answer-reading.ts';
import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {
  type Correction,
  maxCorrectionLength,
  namedCorrection,
  numberedCorrection,
  shortValue,
  statedValue,
} from './corrections.ts';
import {fold, type Folded, typed} from './fold.ts';
import {labelledParts} from './labels.ts';
import {commandOf} from './phrases.ts';

export interface SeveralCorrections {
  /** In the given order; each field once. */
  readonly changes: readonly Correction[];
  /** Further requested changes: names that fit no field. */
  readonly unread: readonly string[];
}

const separator =
  / *(?:[,;\n]|[.](?=\s|[^ -~]|$)) *(?:(?:and|then|also|そして|それと|それから|あと)\b ?)*| (?:and|then|also|&)(?: (?:then|also))? /gi;

/** Undefined for a reply with one change or none. */
export function severalCorrections(
  text: string,
  fields: readonly FormField[],
): SeveralCorrections | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  let read: Read | undefined = {changes: [], unread: []};
  for (const part of partsOf(folded.text)) {
    read = read && withPart(read, folded, part, fields);
  }
  if (!read || read.changes.length + read.unread.length < 2) return undefined;
  const isOnce = new Set(read.changes.map(({field}) => field)).size === read.changes.length;
  return isOnce ? read : undefined;
}

interface Read extends SeveralCorrections {
  readonly changes: readonly Change[];
}

/** Undefined if a part belongs to no change. */
function withPart(
  {changes, unread}: Read,
  folded: Folded,
  {start, end}: Part,
  fields: readonly FormField[],
): Read | undefined {
  const words = typed(folded, start, end);
  const last = changes.at(-1);
  const change = changeIn(words, fields, last !== undefined);
  if (change) return {changes: [...changes, {...change, end}], unread};
  if (!last) return isCourtesy(words) ? {changes, unread} : undefined;
  if (last.text === undefined) return undefined;
  const name = typeOf(last.field).isProse ? undefined : unknownName(words);
  if (name !== undefined) return {changes, unread: [...unread, name]};
  const longer = extended(last, typed(folded, last.end, end), end);
  return {changes: [...changes.slice(0, -1), longer], unread};
}

interface Part {
  readonly start: number;
  readonly end: number;
}

interface Change extends Correction {
  /** The end of the part that contains the value. */
  readonly end: number;
}

/** `nuts and soy` is one value. */
function extended({text = '', ...change}: Change, more: string, end: number): Change {
  const isJoined = /^[,;、，.。]/u.test(more);
  return {...change, text: `${text}${isJoined ? '' : ' '}${more}`.trim(), end};
}

function partsOf(text: string): readonly Part[] {
  const marks = [...text.matchAll(separator)].map(
    ({0: mark, index}) => [index, index + mark.length] as const,
  );
  const starts = [0, ...marks.map(([, end]) => end)];
  return starts
    .map((start, at) => ({start, end: marks[at]?.[0] ?? text.length}))
    .filter(({start, end}) => text.slice(start, end).trim() !== '');
}

const numbered =
  /^(?:.*\b(?:change|correct|set|update) )?(?:number |no\.? ?|#)?\d{1,3}(?:番目?)?(?: ?[:=]| (?:to|is|should be) |[をは])/i;

/** Only the first change may begin with a verb. */
function changeIn(
  part: string,
  fields: readonly FormField[],
  isAfterChange: boolean,
): Correction | undefined {
  if (numbered.test(fold(part).text)) return numberedCorrection(part, fields);
  const {parts, before} = labelledParts(fold(part), fields);
  const [labelled] = before === '' ? parts : [];
  if (labelled) return {...labelled, how: 'exact'};
  const named = namedCorrection(part, fields);
  if (named) return named;
  const stated =
    (isAfterChange ? namedCorrection(`change ${part}`, fields) : undefined) ??
    shortValue(part, fields) ??
    statedValue(part, fields);
  return stated?.text === undefined ? undefined : stated;
}

const courtesies: ReadonlySet<string | undefined> = new Set(['agree', 'disagree', 'lost']);

function isCourtesy(part: string): boolean {
  return (
    courtesies.has(commandOf(part)) ||
    /^(?:please|actually|wait|oh|but|すみません|やはり)$/i.test(part)
  );
}

const unknown =
  /^(?:change |set |make )?(?:the |my )?(?!(?:it|that|this|they|i|we|you|there|which|what)\b)(?<name>.{1,40}?) (?:to|should be|is|are) \S|^(?<native>[^ -~]{1,20}?)[をは].+[にへで]/iu;

/** The name of an unknown field that a part wants to change; its value may be private. */
function unknownName(part: string): string | undefined {
  const {name, native} = unknown.exec(part)?.groups ?? {};
  return name ?? native;
}

export function severalRoute({changes, unread}: SeveralCorrections): Route | undefined {
  const [first, ...more] = changes.map(asChange);
  return (
    first && {
      kind: 'correct',
      ...first,
      ...(more.length > 0 ? {more} : {}),
      ...(unread.length > 0 ? {unread} : {}),
    }
  );
}

function asChange({field, text}: Correction): FieldChange {
  return {field: field.id, ...(text === undefined || text === '' ? {} : {text})};
}
