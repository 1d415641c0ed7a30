/** Checks that the parts of a form agree with each other, which a schema can't express. */

import {didYouMean} from '../domain/nearest.ts';
import {isDay, typeOf, typesThat} from './field-types.ts';
import type {FormField, Questionnaire} from './questionnaire.ts';
import {fieldsIn, type Leaf, leavesOf, type Literal, readRelevance} from './relevance.ts';

/** Returns the problem of a pattern; undefined for a valid one. */
export type PatternCheck = (pattern: string) => string | undefined;

/** The fields of `questionnaire` must be in the order of the file, so that paths name its entries. */
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

function checkChoices(field: FormField): readonly FormProblem[] {
  const {type, choices} = field;
  const path = ['choices'];
  if (!typeOf(field).choices) {
    const [one, several] = typesThat((row) => row.choices !== undefined);
    const text = `a field of type ${type} takes none; write type = "${one}", or "${several}" for several`;
    return choices === undefined ? [] : [{path, text}];
  }
  if (!choices) return [{path, text: `is missing; a field of type ${type} takes a list of texts`}];
  const folded = choices.map((choice) => choice.normalize('NFKC').trim().toLowerCase());
  return repeated(folded, (index) => [...path, index]);
}

function checkPattern(field: FormField, checkSyntax: PatternCheck): readonly FormProblem[] {
  const {type, pattern} = field;
  if (pattern === undefined) return [];
  const text = typeOf(field).hasPattern
    ? patternProblem(pattern, checkSyntax)
    : `a field of type ${type} takes none; ${withPattern()} do`;
  return text === undefined ? [] : [{path: ['pattern'], text}];
}

function withPattern(): string {
  const types = typesThat(({hasPattern}) => hasPattern === true);
  return `${types.slice(0, -1).join(', ')} and ${types.at(-1)}`;
}

/** Lookarounds and backreferences: RE2, which matches in linear time, has neither. An escaped backslash starts none. */
const backtracking = /^(?:[^\\]|\\.)*?(?:\(\?<?[=!]|\\[1-9]|\\k<)/su;

function patternProblem(pattern: string, checkSyntax: PatternCheck): string | undefined {
  if (backtracking.test(pattern)) {
    return 'has a lookahead, a lookbehind or a backreference; write it without (?=…), (?<=…) and \\1, so that it is matched in linear time';
  }
  const problem = checkSyntax(pattern);
  return problem === undefined ? undefined : `is not an RE2 pattern: ${problem}`;
}

/** Checks a pattern with JavaScript, whose syntax differs little from RE2's. */
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
    const text = bound === undefined ? undefined : boundProblem(field, bound);
    return text === undefined ? [] : [{path: [key], text}];
  });
  if (problems.length > 0 || min === undefined || max === undefined) return problems;
  if (min === 'today' || max === 'today' || min <= max) return [];
  return [{path: ['min'], text: `${min} is more than max, ${max}`}];
}

function boundProblem(field: FormField, bound: number | string): string | undefined {
  const {boundProblem: check} = typeOf(field);
  return check ? check(bound, field.type) : `a field of type ${field.type} takes none`;
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

/** A comparison that can never be true is reported as a mistake. */
function leafProblem(leaf: Leaf, field: FormField): string | undefined {
  if (leaf.kind === 'in') return first(leaf.values.map((value) => literalProblem(field, value)));
  if (leaf.kind !== 'compare') return undefined;
  const isOrder = leaf.operator !== '=' && leaf.operator !== '!=';
  if (isOrder && !typeOf(field).isOrdered) {
    return `"${field.id}", of type ${field.type}, has no order; ${leaf.operator} is for numbers and dates`;
  }
  return literalProblem(field, leaf.value);
}

function literalProblem(field: FormField, value: Literal): string | undefined {
  const {id, type, choices} = field;
  const {value: wanted, isDay: isOfDays} = typeOf(field);
  const never = `"${id}", of type ${type}, is never ${typeof value === 'string' ? `'${value}'` : String(value)}`;
  if (choices) {
    if (typeof value === 'string' && choices.includes(value)) return undefined;
    return `${never}${didYouMean(String(value), choices)}`;
  }
  if (typeof value !== wanted) return `${never}; compare it with a ${wanted}`;
  return isOfDays && !isDay(String(value)) ? `${never}; write 'YYYY-MM-DD'` : undefined;
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** The first circle of fields whose relevance depends on itself through other fields. */
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

/** Follows the dependencies of the last field of `way`. `cleared`: fields from which no way leads into a circle. */
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

// A problem of a form, with its path.

type FormPath = readonly (string | number)[];

export interface FormProblem {
  /** `['fields', 2, 'pattern']`, with the keys of files. */
  readonly path: FormPath;
  readonly text: string;
}

/** `fields[2].pattern: is not …`. */
export function problemText({path, text}: FormProblem): string {
  return path.length === 0 ? text : `${pathText(path)}: ${text}`;
}

function pathText(path: FormPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index > 0 ? `.${part}` : part))
    .join('');
}
