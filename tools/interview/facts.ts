/** The facts of a field, found in a person's words by rule: by their name, by their kind, or asked about by themselves. */

import type {FieldReply} from '../../machines/domain/answer-reading.ts';
import type {FactValue} from '../../machines/domain/answers.ts';
import type {FactDefinition, FieldType, FormField} from '../../machines/domain/questionnaire.ts';
import {type Criterion, criterionOf} from './criteria.ts';
import {cleaned, fold, type Folded, quoted} from './fold.ts';
import {labelledParts} from './labels.ts';
import type {Complaint, ReadingContext} from './values/reading.ts';
import {compile, lengthOf, readValue} from './values/value.ts';

export type FactReading = FactValue | {readonly problem: Complaint};

interface Stated {
  readonly fact: FactDefinition;
  /** Undefined where only a model can judge it. */
  readonly criterion: Criterion | undefined;
}

/** Facts of the field that the replies hold, by key; of the one that was asked about last, what is wrong with it. */
export function factsIn(
  field: FormField,
  facts: readonly FactDefinition[],
  replies: readonly FieldReply[],
  context: ReadingContext,
): {readonly found: Readonly<Record<string, FactValue>>; readonly problem?: Complaint} {
  const stated = facts.map((fact) => ({fact, criterion: criterionOf(fact.doneCriteria ?? '')}));
  const readings = stated.map(
    (one) => [one, readingOf(one, stated, field, replies, context)] as const,
  );
  const found = readings.flatMap(([{fact}, reading]) =>
    reading && 'value' in reading ? [[fact.key, reading] as const] : [],
  );
  const last = readings.find(([{fact}]) => fact.key === replies.at(-1)?.fact)?.[1];
  return {
    found: Object.fromEntries(found),
    ...(last && 'problem' in last ? {problem: last.problem} : {}),
  };
}

/** Whether rules can judge all of them. */
export function areOfRules(facts: readonly FactDefinition[]): boolean {
  return facts.every(
    ({doneCriteria = ''}) => doneCriteria.trim() === '' || criterionOf(doneCriteria),
  );
}

function readingOf(
  one: Stated,
  all: readonly Stated[],
  field: FormField,
  replies: readonly FieldReply[],
  context: ReadingContext,
): FactReading | undefined {
  const own = replies.filter(({fact}) => fact === one.fact.key).map(({text}) => text);
  const named = replies.flatMap(({text}) => namedIn(text, one, all));
  const readings = [...named, ...own].map((text) => readFact(one.criterion, text, context));
  const good = readings.findLast((reading) => 'value' in reading);
  const general = replies.filter(({fact}) => fact !== one.fact.key).map(({text}) => text);
  return (
    good ??
    lengthy(one.criterion, [...general, ...own]) ??
    inPassing(one, all, field, general, context) ??
    readings.at(-1)
  );
}

/** `Years: 12`, by the key of the fact or its words. */
function namedIn(text: string, {fact}: Stated, all: readonly Stated[]): string[] {
  const names = all.map((one) => pseudoField('text', {id: one.fact.key, label: one.fact.fact}));
  const {parts} = labelledParts(fold(text), names);
  return parts.filter(({field}) => field.id === fact.key).map((part) => part.text);
}

/** A field as its reader takes one, for a fact that has the same kind of value. */
function pseudoField(type: FieldType, more: Partial<FormField>): FormField {
  return {id: 'fact', label: 'fact', required: true, sensitivity: 'none', order: 0, type, ...more};
}

/** What was said on the fact by itself: anything will do where no rule says more. */
function readFact(
  criterion: Criterion | undefined,
  text: string,
  context: ReadingContext,
): FactReading {
  const folded = fold(text);
  if (criterion?.kind === 'matches') return matched(criterion.pattern, folded);
  if (criterion?.kind === 'length' && sizeIn(criterion.unit, text) < criterion.min) {
    const {unit, min} = criterion;
    return {problem: (texts) => texts.tooShort(unit, min)};
  }
  const reading = readValue(fieldOf(criterion), folded, context);
  if ('problem' in reading) return reading;
  return {value: writtenOut(reading.value), quote: reading.quote};
}

function writtenOut(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function fieldOf(criterion: Criterion | undefined): FormField {
  if (criterion?.kind === 'number') {
    const {isWhole, min, max} = criterion;
    const bounds = {...(min === undefined ? {} : {min}), ...(max === undefined ? {} : {max})};
    return pseudoField(isWhole ? 'integer' : 'number', bounds);
  }
  if (criterion?.kind === 'oneOf') return pseudoField('choice', {choices: criterion.choices});
  return pseudoField(criterion ? typesOf[criterion.kind] : 'text', {});
}

const typesOf = {
  date: 'date',
  email: 'email',
  url: 'url',
  phone: 'phone',
  yesNo: 'boolean',
  notBlank: 'text',
  matches: 'text',
  length: 'text',
} as const;

/** The first part of the words that matches. */
function matched(pattern: string, folded: Folded): FactReading {
  const matcher = compile(pattern)?.matcher(folded.text);
  if (!matcher?.find() || matcher.start() === matcher.end())
    return {problem: (texts) => texts.notMatching};
  const [start, end] = [matcher.start(), matcher.end()];
  return {value: folded.text.slice(start, end), quote: quoted(folded, start, end)};
}

/** More words than any criterion asks for. */
const maxCounted = 100_000;

function sizeIn(unit: 'words' | 'characters', text: string): number {
  const plain = cleaned(text);
  if (unit === 'characters') return lengthOf(plain);
  const segments = new Intl.Segmenter('ja', {granularity: 'word'}).segment(
    plain.slice(0, maxCounted),
  );
  let words = 0;
  for (const {isWordLike} of segments) if (isWordLike === true) words += 1;
  return words;
}

/** What must be said at some length may be said in several replies; the longest is its quote. */
function lengthy(
  criterion: Criterion | undefined,
  texts: readonly string[],
): FactValue | undefined {
  if (criterion?.kind !== 'length') return undefined;
  const value = texts.map(cleaned).join('\n');
  if (sizeIn(criterion.unit, value) < criterion.min) return undefined;
  const [longest = ''] = texts.toSorted((a, b) => b.length - a.length);
  return {value, quote: longest.trim()};
}

/**
 * In replies to the field itself, only what can be meant for no other: the only fact of its kind, of another kind than the
 * field's own value.
 */
function inPassing(
  {criterion}: Stated,
  all: readonly Stated[],
  {type}: FormField,
  texts: readonly string[],
  context: ReadingContext,
): FactValue | undefined {
  if (!criterion) return undefined;
  const isAlone =
    all.filter((other) => other.criterion && isAlike(other.criterion, criterion)).length === 1;
  if (!isAlone || kindOf(criterion) === typeKinds[type]) return undefined;
  if (criterion.kind === 'notBlank' || criterion.kind === 'yesNo') {
    if (all.length > 1 || type !== 'text') return undefined;
  }
  return texts
    .map((text) => readFact(criterion, text, context))
    .findLast((reading) => 'value' in reading);
}

function isAlike(a: Criterion, b: Criterion): boolean {
  if (a.kind === 'oneOf' && b.kind === 'oneOf')
    return a.choices.some((choice) => b.choices.includes(choice));
  return a.kind === 'matches' && b.kind === 'matches' ? a.pattern === b.pattern : a.kind === b.kind;
}

function kindOf({kind}: Criterion): string {
  return kind === 'yesNo' ? 'boolean' : kind;
}

const typeKinds: Readonly<Record<FieldType, string>> = {
  text: '',
  number: 'number',
  integer: 'number',
  date: 'date',
  email: 'email',
  url: 'url',
  phone: 'phone',
  boolean: 'boolean',
  choice: '',
  choices: '',
};
