/** What no schema can say of a form: that its parts agree with each other. */

import {didYouMean} from '../domain/nearest.ts';
import type {FormPath, FormProblem} from './form-problem.ts';
import type {FieldType, FormField, Questionnaire} from './questionnaire.ts';
import {fieldsIn, type Leaf, leavesOf, type Literal, readRelevance} from './relevance.ts';

/** Why a text is not a pattern; undefined for a pattern. */
export type PatternCheck = (pattern: string) => string | undefined;

/** The fields of `questionnaire` stand as in the file, so that paths name its entries. */
export function checkQuestionnaire(
  questionnaire: Questionnaire,
  checkSyntax: PatternCheck,
): readonly FormProblem[] {
  const {fields} = questionnaire;
  const byId = new Map(fields.map((field) => [field.id, field]));
  const problems = [
    ...repeated(
      fields.map(({id}) => id),
      (index) => ['fields', index, 'id'],
    ),
    ...fields.flatMap((field, index) =>
      checkField(field, byId, checkSyntax).map(({path, text}) => ({
        path: ['fields', index, ...path],
        text,
      })),
    ),
    ...checkFacts(questionnaire, byId),
  ];
  return problems.length > 0 ? problems : circles(fields);
}

function checkFacts(
  {facts}: Questionnaire,
  byId: ReadonlyMap<string, FormField>,
): readonly FormProblem[] {
  const names = facts.map(({field, key}) => `${field}.${key}`);
  const strangers = facts.flatMap(({field}, index) =>
    byId.has(field) ? [] : [{path: ['facts', index, 'field'], text: noField(field, byId)}],
  );
  return [...strangers, ...repeated(names, (index) => ['facts', index, 'key'])];
}

function repeated(
  names: readonly string[],
  pathOf: (index: number) => FormPath,
): readonly FormProblem[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{path: pathOf(index), text: `"${name}" occurs twice`}],
  );
}

function noField(id: string, byId: ReadonlyMap<string, FormField>): string {
  return `there is no field "${id}"${didYouMean(id, byId.keys())}`;
}

function checkField(
  field: FormField,
  byId: ReadonlyMap<string, FormField>,
  checkSyntax: PatternCheck,
): readonly FormProblem[] {
  return [
    ...checkChoices(field),
    ...checkPattern(field, checkSyntax),
    ...checkBounds(field),
    ...checkRelevance(field, byId),
  ];
}

function checkChoices({type, choices}: FormField): readonly FormProblem[] {
  const path = ['choices'];
  if (type !== 'choice' && type !== 'choices') {
    const text = `a field of type ${type} takes none; write type = "choice", or "choices" for several`;
    return choices === undefined ? [] : [{path, text}];
  }
  if (!choices) return [{path, text: `is missing; a field of type ${type} takes a list of texts`}];
  const folded = choices.map((choice) => choice.normalize('NFKC').trim().toLowerCase());
  return repeated(folded, (index) => [...path, index]);
}

/** Of these the answer is a text that its author writes. */
const written: ReadonlySet<FieldType> = new Set(['text', 'email', 'url', 'phone']);

function checkPattern(
  {type, pattern}: FormField,
  checkSyntax: PatternCheck,
): readonly FormProblem[] {
  if (pattern === undefined) return [];
  const text = written.has(type)
    ? patternProblem(pattern, checkSyntax)
    : `a field of type ${type} takes none; text, email, url and phone do`;
  return text === undefined ? [] : [{path: ['pattern'], text}];
}

/** RE2, which matches in linear time, has neither of them. A backslash that is itself escaped begins nothing. */
const backtracking = /^(?:[^\\]|\\.)*?(?:\(\?<?[=!]|\\[1-9]|\\k<)/su;

function patternProblem(pattern: string, checkSyntax: PatternCheck): string | undefined {
  if (backtracking.test(pattern)) {
    return 'looks ahead, behind or back; write it without (?=…), (?<=…) and \\1, so that it is matched in linear time';
  }
  const problem = checkSyntax(pattern);
  return problem === undefined ? undefined : `is not an RE2 pattern: ${problem}`;
}

/** By JavaScript, whose syntax differs little from RE2's. */
export function checkJavaScriptSyntax(pattern: string): string | undefined {
  try {
    RegExp(pattern.replace(/^\(\?[ims]+\)/, ''));
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(': ') + 1).trim();
  }
}

function checkBounds(field: FormField): readonly FormProblem[] {
  const {min, max} = field;
  const bounds = [
    ['min', min],
    ['max', max],
  ] as const;
  const problems = bounds.flatMap(([key, bound]) => {
    const text = bound === undefined ? undefined : boundProblem(field.type, bound);
    return text === undefined ? [] : [{path: [key], text}];
  });
  if (problems.length > 0 || min === undefined || max === undefined) return problems;
  if (min === 'today' || max === 'today' || min <= max) return [];
  return [{path: ['min'], text: `${min} is more than max, ${max}`}];
}

function boundProblem(type: FieldType, bound: number | string): string | undefined {
  if (type === 'date') return dayProblem(bound);
  if (type === 'boolean' || type === 'choice') return `a field of type ${type} takes none`;
  if (typeof bound === 'string') return `of a field of type ${type} is a number`;
  if (type === 'number') return undefined;
  if (!Number.isInteger(bound)) return `of a field of type ${type} is a whole number`;
  return type === 'integer' || bound >= 0 ? undefined : 'counts, and so is at least 0';
}

function dayProblem(bound: number | string): string | undefined {
  const isGood = bound === 'today' || isDay(String(bound));
  return isGood ? undefined : 'of a date is a day: YYYY-MM-DD or today';
}

function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return (
    day !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function checkRelevance(
  {id, relevantIf}: FormField,
  byId: ReadonlyMap<string, FormField>,
): readonly FormProblem[] {
  if (relevantIf === undefined) return [];
  const path = ['relevant_if'];
  const reading = readRelevance(relevantIf);
  if (!reading.ok) return reading.problems.map((text) => ({path, text}));
  return leavesOf(reading.value).flatMap((leaf) => {
    if (leaf.field === id) return [{path, text: `"${id}" can't depend on itself`}];
    const field = byId.get(leaf.field);
    const text = field ? leafProblem(leaf, field) : noField(leaf.field, byId);
    return text === undefined ? [] : [{path, text}];
  });
}

/** What can never be so is a slip. */
function leafProblem(leaf: Leaf, field: FormField): string | undefined {
  if (leaf.kind === 'in') return first(leaf.values.map((value) => literalProblem(field, value)));
  if (leaf.kind !== 'compare') return undefined;
  const isOrder = leaf.operator !== '=' && leaf.operator !== '!=';
  if (isOrder && !ordered.has(field.type)) {
    return `"${field.id}", of type ${field.type}, has no order; ${leaf.operator} is for numbers and dates`;
  }
  return literalProblem(field, leaf.value);
}

const ordered: ReadonlySet<FieldType> = new Set(['number', 'integer', 'date']);

function literalProblem({id, type, choices}: FormField, value: Literal): string | undefined {
  const never = `"${id}", of type ${type}, is never ${typeof value === 'string' ? `'${value}'` : String(value)}`;
  if (choices) {
    if (typeof value === 'string' && choices.includes(value)) return undefined;
    return `${never}${didYouMean(String(value), choices)}`;
  }
  if (typeof value !== literalTypes[type])
    return `${never}; compare it with a ${literalTypes[type]}`;
  return type === 'date' && !isDay(String(value)) ? `${never}; write 'YYYY-MM-DD'` : undefined;
}

const literalTypes: Readonly<Record<FieldType, 'string' | 'number' | 'boolean'>> = {
  text: 'string',
  number: 'number',
  integer: 'number',
  date: 'string',
  email: 'string',
  url: 'string',
  phone: 'string',
  boolean: 'boolean',
  choice: 'string',
  choices: 'string',
};

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Fields whose relevance depends on itself, by way of others: the first such circle. */
function circles(fields: readonly FormField[]): readonly FormProblem[] {
  const above = new Map(
    fields.map(({id, relevantIf}) => [id, relevantIf === undefined ? [] : fieldsIn(relevantIf)]),
  );
  const cleared = new Set<string>();
  for (const {id} of fields) {
    const circle = circleFrom([id], above, cleared);
    if (circle) {
      const index = fields.findIndex((field) => field.id === circle[0]);
      const text = `depends on itself: ${circle.join(' → ')}`;
      return [{path: ['fields', index, 'relevant_if'], text}];
    }
  }
  return [];
}

/** Follows what the last field of a way depends on. `cleared`: fields from which no way leads into a circle. */
function circleFrom(
  way: readonly string[],
  above: ReadonlyMap<string, readonly string[]>,
  cleared: Set<string>,
): readonly string[] | undefined {
  const last = way.at(-1) ?? '';
  if (cleared.has(last)) return undefined;
  const begin = way.indexOf(last);
  if (begin < way.length - 1) return way.slice(begin);
  for (const next of above.get(last) ?? []) {
    const circle = circleFrom([...way, next], above, cleared);
    if (circle) return circle;
  }
  cleared.add(last);
  return undefined;
}
