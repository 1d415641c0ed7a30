/** Reads a person's replies on a field by rule: the typed value, the facts, the problems and the missing parts. */

import {textsFor} from '../../machines/forms/interview/texts/texts.ts';
import type {AnswerCheck, AnswerReading} from '../../machines/questionnaire/answer-reading.ts';
import type {FactValue} from '../../machines/questionnaire/answers.ts';
import {
  typeOf,
  defaultType,
  type FieldType,
  fieldTypes,
  typesThat,
} from '../../machines/questionnaire/field-types.ts';
import type {FormField, FactDefinition} from '../../machines/questionnaire/questionnaire.ts';
import {type Criterion, criterionOf} from './criteria.ts';
import {fieldReaders, readValue, compile, lengthOf} from './field-readers.ts';
import {fold, type Folded, cleaned, quotedPart} from './fold.ts';
import {withoutName, labelledParts} from './labels.ts';
import type {ReadingContext, ValueReading, Complaint} from './values/reading.ts';

/** Never rejects. Takes time linear in the length of the replies. */
export async function checkAnswer(check: AnswerCheck): Promise<AnswerReading> {
  const {field, facts, replies, known, language, country, timezone, at} = check;
  const context = {language, country, timezone, at};
  const foldedReplies = replies.map(({text, fact, at: saidAt}) => ({
    folded: fold(text.trim()),
    fact,
    at: saidAt,
  }));
  const own = foldedReplies.filter(({fact}) => fact === undefined);
  const hasFacts = facts.length > 0;
  const reading = readAnswer(field, own, context, {isFirst: hasFacts});
  const {found, problem} = factsIn(field, facts, foldedReplies, context);
  const {problems: texts} = textsFor(language);
  const allFacts = {...found, ...known};
  const complaints = [
    ...('problem' in reading ? [reading.problem] : []),
    ...(problem ? [problem] : []),
  ];
  return {
    ...('problem' in reading ? {} : reading),
    facts: allFacts,
    problems: [...new Set(complaints.map((complaint) => complaint(texts)))],
    missing: facts.map(({key}) => key).filter((key) => !(key in allFacts)),
    suffices: areOfRules(facts),
  };
}

interface Said {
  readonly folded: Folded;
  /** Epoch ms; undefined: when the last reply was given. */
  readonly at: number | undefined;
}

/**
 * The last reply with a value counts, so that a person may correct it. For a text with facts the first one counts: the later
 * replies state the facts.
 */
function readAnswer(
  field: FormField,
  replies: readonly Said[],
  context: ReadingContext,
  {isFirst}: {readonly isFirst: boolean},
): ValueReading {
  const readings = replies.map(({folded, at = context.at}, index) =>
    readValue(field, withoutName(folded, field), {...context, at}, replies[index - 1]?.folded),
  );
  const good = readings.filter((reading) => 'value' in reading);
  const chosen = typeOf(field).isProse && isFirst ? good[0] : good.at(-1);
  return (
    chosen ??
    together(
      field,
      replies.map(({folded}) => folded),
      context,
    ) ??
    readings.at(-1) ?? {problem: (texts) => texts.blank}
  );
}

/** A text that is too short may be continued in several replies; the longest reply is its quote. */
function together(
  field: FormField,
  replies: readonly Folded[],
  context: ReadingContext,
): ValueReading | undefined {
  if (!typeOf(field).isProse || replies.length < 2) return undefined;
  const texts = replies.map(({raw}) => raw);
  const reading = readValue(field, fold(texts.join('\n')), context);
  if ('problem' in reading) return undefined;
  const [quote = ''] = texts.toSorted((a, b) => b.length - a.length);
  return {value: reading.value, quote};
}

// Finds the facts of a field in a person's words by rule: by their name, by their kind, or as the answer to a question about them.

type FactReading = FactValue | {readonly problem: Complaint};

interface Stated {
  readonly fact: FactDefinition;
  /** Undefined if only a model can judge it. */
  readonly criterion: Criterion | undefined;
}

/** A reply on the field, or on one fact of it. */
interface FoldedReply {
  readonly folded: Folded;
  readonly fact: string | undefined;
}

interface Saying {
  readonly field: FormField;
  readonly all: readonly Stated[];
  readonly replies: readonly FoldedReply[];
  /** Their parts that name a fact. */
  readonly named: readonly FoldedReply[];
  readonly context: ReadingContext;
}

/** Facts of the field in the replies, by key; for the fact that was asked about last, the problem with it. */
function factsIn(
  field: FormField,
  facts: readonly FactDefinition[],
  replies: readonly FoldedReply[],
  context: ReadingContext,
): {readonly found: Readonly<Record<string, FactValue>>; readonly problem?: Complaint} {
  const all = facts.map((fact) => ({fact, criterion: criterionOf(fact.doneCriteria ?? '')}));
  const saying = {field, all, replies, named: namedIn(replies, facts), context};
  const readings = all.map((one) => [one, readingOf(one, saying)] as const);
  const found = readings.flatMap(([{fact}, reading]) =>
    reading && 'value' in reading ? [[fact.key, reading] as const] : [],
  );
  const last = readings.find(([{fact}]) => fact.key === replies.at(-1)?.fact)?.[1];
  return {
    found: Object.fromEntries(found),
    ...(last && 'problem' in last ? {problem: last.problem} : {}),
  };
}

/** Rules can judge all of them. */
function areOfRules(facts: readonly FactDefinition[]): boolean {
  return facts.every(
    ({doneCriteria = ''}) => doneCriteria.trim() === '' || criterionOf(doneCriteria),
  );
}

function readingOf(one: Stated, saying: Saying): FactReading | undefined {
  const {replies, named, context} = saying;
  const isOwn = ({fact}: FoldedReply): boolean => fact === one.fact.key;
  const own = replies.filter(isOwn);
  const general = replies.filter((reply) => !isOwn(reply));
  const readings = [...named.filter(isOwn), ...own].map(({folded}) =>
    readFact(one, folded, context),
  );
  const good = readings.findLast((reading) => 'value' in reading);
  return (
    good ??
    lengthy(one.criterion, [...general, ...own]) ??
    inPassing(one, general, saying) ??
    readings.at(-1)
  );
}

/** `Years: 12`, by the key of the fact or its words. */
function namedIn(replies: readonly FoldedReply[], facts: readonly FactDefinition[]): FoldedReply[] {
  const names = facts.map(({key, fact}) => pseudoField(defaultType, {id: key, label: fact}));
  return replies.flatMap(({folded}) =>
    labelledParts(folded, names).parts.map(({field, text}) => ({
      fact: field.id,
      folded: fold(text),
    })),
  );
}

/** A field, as its reader expects one, for a fact with the same kind of value. */
function pseudoField(type: FieldType, more: Partial<FormField>): FormField {
  return {id: 'fact', label: 'fact', required: true, sensitivity: 'none', order: 0, type, ...more};
}

/** A reply to a question about the fact: if no rule applies, any text is accepted. */
function readFact({fact, criterion}: Stated, folded: Folded, context: ReadingContext): FactReading {
  if (criterion?.kind === 'matches') return matched(criterion.pattern, folded);
  if (criterion?.kind === 'length' && !hasLength(cleaned(folded.raw), criterion)) {
    const {unit, min} = criterion;
    return {problem: (texts) => texts.tooShort(unit, min)};
  }
  const reading = readValue(
    fieldOf(criterion, `${fact.fact} ${fact.doneCriteria ?? ''}`),
    folded,
    context,
  );
  if ('problem' in reading) return reading;
  return {value: writtenOut(reading.value), quote: reading.quote};
}

function writtenOut(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

function fieldOf(criterion: Criterion | undefined, label: string): FormField {
  const type = typeFor(criterion);
  if (criterion?.kind === 'oneOf') return pseudoField(type, {choices: criterion.choices});
  if (criterion?.kind !== 'number') return pseudoField(type, {});
  const {min, max} = criterion;
  const bounds = {...(min === undefined ? {} : {min}), ...(max === undefined ? {} : {max})};
  return pseudoField(type, {label, ...bounds});
}

/** The type whose reader reads what the criterion asks for. */
function typeFor(criterion: Criterion | undefined): FieldType {
  if (criterion?.kind === 'oneOf') {
    return typesThat(({choices}) => choices === 'one')[0] ?? defaultType;
  }
  const isRead = (type: FieldType): boolean => {
    const {criterion: own} = fieldReaders[type];
    if (!own || own.kind !== criterion?.kind) return false;
    return (
      own.kind !== 'number' || criterion.kind !== 'number' || own.isWhole === criterion.isWhole
    );
  };
  return fieldTypes.find(isRead) ?? defaultType;
}

/** The first part of the words that matches. */
function matched(pattern: string, folded: Folded): FactReading {
  const matcher = compile(pattern)?.matcher(folded.text);
  if (!matcher?.find() || matcher.start() === matcher.end())
    return {problem: (texts) => texts.notMatching};
  const [start, end] = [matcher.start(), matcher.end()];
  return {value: folded.text.slice(start, end), quote: quotedPart(folded, start, end)};
}

type Length = Extract<Criterion, {readonly kind: 'length'}>;

/** Only the beginning of a longer text is searched for words. */
const maxCounted = 100_000;

function hasLength(plain: string, {unit, min}: Length): boolean {
  if (unit === 'characters') return lengthOf(plain) >= min;
  const segments = new Intl.Segmenter('ja', {granularity: 'word'}).segment(
    plain.slice(0, maxCounted),
  );
  let words = 0;
  for (const {isWordLike} of segments) {
    if (isWordLike === true) words += 1;
    if (words >= min) return true;
  }
  return words >= min;
}

/** A text with a minimum length may be given in several replies; the longest reply is its quote. */
function lengthy(
  criterion: Criterion | undefined,
  replies: readonly FoldedReply[],
): FactValue | undefined {
  if (criterion?.kind !== 'length') return undefined;
  const texts = replies.map(({folded}) => folded.raw);
  const value = texts.map(cleaned).join('\n');
  if (!hasLength(value, criterion)) return undefined;
  const [quote = ''] = texts.toSorted((a, b) => b.length - a.length);
  return {value, quote};
}

/**
 * From replies to the field itself, only values that fit no other fact: the only fact of its kind, and of another kind than the
 * field's own value.
 */
function inPassing(
  one: Stated,
  replies: readonly FoldedReply[],
  {all, field: {type}, context}: Saying,
): FactValue | undefined {
  const {criterion} = one;
  if (!criterion) return undefined;
  const isAlone =
    all.filter((other) => other.criterion && isAlike(other.criterion, criterion)).length === 1;
  if (!isAlone || criterion.kind === fieldReaders[type].criterion?.kind) return undefined;
  if (criterion.kind === 'notBlank' || criterion.kind === 'yesNo') {
    if (all.length > 1 || !typeOf({type}).isProse) return undefined;
  }
  return replies
    .map(({folded}) => readFact(one, folded, context))
    .findLast((reading) => 'value' in reading);
}

function isAlike(a: Criterion, b: Criterion): boolean {
  if (a.kind === 'oneOf' && b.kind === 'oneOf')
    return a.choices.some((choice) => b.choices.includes(choice));
  return a.kind === 'matches' && b.kind === 'matches' ? a.pattern === b.pattern : a.kind === b.kind;
}
