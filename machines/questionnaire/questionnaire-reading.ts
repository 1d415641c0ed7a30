/**
 * Reads a questionnaire from the data of a form, as in TOML, in JSON or in a program. Keys may be in snake_case, as in
 * files, or in camelCase, as in code; `null` means absent. The shape `{fieldId, sortOrder}, {formFieldId, factKey}` is
 * read, too.
 */

import {z} from 'zod';

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';
import {didYouMean} from '../domain/nearest.ts';
import {once} from '../domain/once.ts';
import type {Reading} from '../questions/reading.ts';
import {defaultType, fieldTypes} from './field-types.ts';
import {
  checkJavaScriptSyntax,
  checkQuestionnaire,
  type FormProblem,
  type PatternCheck,
  problemText,
} from './questionnaire-checks.ts';
import {
  type FactDefinition,
  type FormField,
  type Questionnaire,
  sensitivities,
} from './questionnaire.ts';
import {isId, leavesOf, readRelevance, reservedWords} from './relevance.ts';

// Converts the keys of a form that a program has to the keys of form files.

type Names = Readonly<Record<string, string>>;

const fieldNames: Names = {relevantIf: 'relevant_if', sortOrder: 'order'};
const factNames: Names = {
  doneCriteria: 'done_criteria',
  questioningHints: 'questioning_hints',
  factKey: 'key',
  formFieldId: 'field',
};

/**
 * Returns the form with the keys of files and without nulls. In a field, `{id, fieldId}` are its row and its id; a fact may
 * name its field by either, and its own row is dropped. A form without an id gets `name`, or `form` if it has such rows.
 * Data that is not an object is returned unchanged.
 */
function asFormFile(data: unknown, name?: string): unknown {
  if (!isJsonObject(data)) return data;
  const form = withoutNulls(data);
  const ids = idsByRow(form['fields']);
  const id = name ?? (ids.size > 0 ? 'form' : undefined);
  return {
    ...(id === undefined ? {} : {id}),
    ...form,
    ...('fields' in form ? {fields: convertEach(form['fields'], asField)} : {}),
    ...('facts' in form ? {facts: convertEach(form['facts'], (fact) => asFact(fact, ids))} : {}),
  };
}

function asField(given: JsonObject): JsonObject {
  const {fieldId, ...field} = renamed(given, fieldNames);
  return fieldId === undefined ? field : {...field, id: fieldId};
}

function asFact(given: JsonObject, ids: ReadonlyMap<Json, Json>): JsonObject {
  if (!('formFieldId' in given)) return renamed(given, factNames);
  const {id: _row, ...fact} = renamed(given, factNames);
  const {field = ''} = fact;
  return {...fact, field: ids.get(field) ?? field};
}

function idsByRow(fields: Json | undefined): ReadonlyMap<Json, Json> {
  const rows = Array.isArray(fields) ? (fields as readonly Json[]).filter(isJsonObject) : [];
  return new Map(
    rows.flatMap(({id, fieldId}) =>
      id === undefined || fieldId === undefined ? [] : [[id, fieldId]],
    ),
  );
}

function convertEach(list: Json | undefined, change: (entry: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(list)) return list;
  const entries: readonly Json[] = list;
  return entries.map((entry) => (isJsonObject(entry) ? change(withoutNulls(entry)) : entry));
}

function renamed(given: JsonObject, names: Names): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}

function withoutNulls(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

export type FormReading =
  | {
      readonly ok: true;
      readonly questionnaire: Questionnaire;
      /** Ids of the fields in the order of the file. Indexes in the paths of problems refer to it. */
      readonly asWritten: readonly string[];
    }
  | {readonly ok: false; readonly problems: readonly FormProblem[]};

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.trim() !== '', 'is blank')
    .refine((value) => value.isWellFormed(), 'contains a lone surrogate');

type Schemas = ReturnType<typeof schemas>;

/** Built when the first form is read: most runs read none. */
const schemas = once(() => {
  const id = text(100)
    .refine(isId, 'is not an id: use letters, digits and _, and . and - between them')
    .refine((value) => !reservedWords.has(value), 'is a word of relevant_if; choose another id')
    .refine((value) => !(value in {}), 'is a name that every object has; choose another id');

  const bound = z.union([z.number(), text(20)], 'takes a number, or a day in quotes');

  const field = z.strictObject({
    id,
    label: text(500),
    intent: text(2_000).exactOptional(),
    required: z.boolean().default(false),
    type: z.enum(fieldTypes).default(defaultType),
    choices: z.array(text(200)).min(1).max(500).exactOptional(),
    pattern: text(1_000).exactOptional(),
    min: bound.exactOptional(),
    max: bound.exactOptional(),
    sensitivity: z.enum(sensitivities).default('none'),
    order: z.number().exactOptional(),
    relevant_if: text(1_000).exactOptional(),
    why: text(2_000).exactOptional(),
  });

  const fact = z.strictObject({
    field: id,
    key: id,
    fact: text(1_000),
    done_criteria: text(1_000).exactOptional(),
    questioning_hints: text(2_000).exactOptional(),
  });

  const form = z.strictObject({
    id,
    title: text(500).exactOptional(),
    description: text(5_000).exactOptional(),
    fields: z.array(field).min(1).max(300),
    facts: z.array(fact).max(1_000).default([]),
  });
  return {field, fact, form};
});

/** Each problem begins with its path: `fields[2].pattern: …`. */
export function readQuestionnaire(data: unknown): Reading<Questionnaire> {
  const reading = readForm(data);
  if (reading.ok) return {ok: true, value: reading.questionnaire};
  return {ok: false, problems: reading.problems.map(problemText)};
}

/**
 * Returns each problem with its path, so that a caller can locate it in the source. `name` is the id of a form without an
 * id; the title defaults to the id. The sound keys of an entry that can't be read are still checked, so that all problems
 * are reported at once.
 */
export function readForm(
  data: unknown,
  name?: string,
  checkSyntax: PatternCheck = checkJavaScriptSyntax,
): FormReading {
  const file = asFormFile(data, name);
  const parsed = schemas().form.safeParse(file, {jitless: true});
  if (!parsed.success) {
    const {issues} = parsed.error;
    const unread = issues.flatMap((issue) => problemsOf(issue, file));
    const others = checkQuestionnaire(soundPart(file, issues), checkSyntax);
    return {ok: false, problems: [...unread, ...others]};
  }
  const {fields, facts, title = parsed.data.id, ...rest} = parsed.data;
  const questionnaire: Questionnaire = {
    ...rest,
    title,
    fields: fields.map((each, index) => fieldOf(each, index)),
    facts: facts.map((each) => factOf(each)),
  };
  const problems = checkQuestionnaire(questionnaire, checkSyntax);
  if (problems.length > 0) return {ok: false, problems};
  const asWritten = fields.map(({id: each}) => each);
  return {ok: true, questionnaire: inOrder(questionnaire), asWritten};
}

/** The form without the keys that can't be read. */
function soundPart(file: unknown, issues: readonly z.core.$ZodIssue[]): Questionnaire {
  const {field, fact} = schemas();
  const fields = soundEntries(valueAt(file, ['fields']), issues, 'fields').map(
    ({entry, faulty}, index) => {
      const named = {id: `${unnamed}-${index}`, label: unnamed, ...entry};
      const isOfUnknownType = faulty.has('type') || faulty.has('choices');
      const known = isOfUnknownType ? {id: named.id, label: named.label} : named;
      return {isOfUnknownType, field: fieldOf(field.parse(known, {jitless: true}), index)};
    },
  );
  const unknown = new Set(fields.flatMap((each) => (each.isOfUnknownType ? each.field.id : [])));
  const anyField = fields[0]?.field.id ?? unnamed;
  const facts = soundEntries(valueAt(file, ['facts']), issues, 'facts').map(({entry}, index) => {
    const named = {field: anyField, key: `${unnamed}-${index}`, fact: unnamed, ...entry};
    return factOf(fact.parse(named, {jitless: true}));
  });
  return {
    id: '',
    title: '',
    fields: fields.map((each) => withoutRelevanceTo(unknown, each.field)),
    facts: fields.length === 0 ? [] : facts,
  };
}

/** Replaces a name that can't be read. It is similar to no other name, so that it is never suggested. */
const unnamed = 'entry-without-a-name-that-can-be-read';

function withoutRelevanceTo(unknown: ReadonlySet<string>, field: FormField): FormField {
  const {relevantIf, ...rest} = field;
  const reading = relevantIf === undefined ? undefined : readRelevance(relevantIf);
  const isOpen =
    reading?.ok === true && leavesOf(reading.value).some((leaf) => unknown.has(leaf.field));
  return isOpen ? rest : field;
}

function fieldOf({relevant_if, ...rest}: z.infer<Schemas['field']>, index: number): FormField {
  const {order = index + 1} = rest;
  return {...rest, order, ...(relevant_if === undefined ? {} : {relevantIf: relevant_if})};
}

function factOf({
  done_criteria,
  questioning_hints,
  ...rest
}: z.infer<Schemas['fact']>): FactDefinition {
  return {
    ...rest,
    ...(done_criteria === undefined ? {} : {doneCriteria: done_criteria}),
    ...(questioning_hints === undefined ? {} : {questioningHints: questioning_hints}),
  };
}

function inOrder(questionnaire: Questionnaire): Questionnaire {
  const {fields} = questionnaire;
  return {...questionnaire, fields: fields.toSorted((a, b) => a.order - b.order)};
}

function problemsOf(issue: z.core.$ZodIssue, file: unknown): readonly FormProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(path);
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `unknown key${didYouMean(key, known)}`,
    }));
  }
  return [{path, text: describe(issue, valueAt(file, path))}];
}

function keysAt([list]: readonly (string | number)[]): readonly string[] {
  const {field, fact, form} = schemas();
  const schema = list === 'fields' ? field : list === 'facts' ? fact : form;
  return Object.keys(schema.shape);
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  const taken = takenBy(issue);
  if (taken !== undefined) {
    return value === undefined
      ? `is missing; it takes ${taken}`
      : `takes ${taken}, not ${show(value)}${nearOne(issue, value)}`;
  }
  if (issue.code === 'too_big') return `is longer than ${String(issue.maximum)}`;
  return issue.code === 'too_small' ? 'is empty' : issue.message;
}

function takenBy(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String).join(', ');
  return issue.code === 'invalid_type' ? (typeNames[issue.expected] ?? issue.expected) : undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table of keys',
};

function nearOne(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return '';
  return didYouMean(value, issue.values.map(String));
}

function show(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a table';
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 57)}…"` : json;
}

// Removes from each entry of a list the keys that a schema refused.

interface Issue {
  readonly path: readonly PropertyKey[];
  /** The unknown keys of an entry. */
  readonly keys?: readonly string[];
}

interface SoundEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  /** The removed keys. */
  readonly faulty: ReadonlySet<string>;
}

/** Returns one item for each entry, in order. `list` is the key of the list: the paths of its issues begin with it. */
function soundEntries(
  value: unknown,
  issues: readonly Issue[],
  list: string,
): readonly SoundEntry[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: unknown, index): SoundEntry => {
    const faulty = new Set(
      issues
        .filter(({path}) => path[0] === list && path[1] === index)
        .flatMap(({path, keys}) => keys ?? path.slice(2, 3).map(String)),
    );
    const known = typeof entry === 'object' && entry !== null ? Object.entries(entry) : [];
    return {entry: Object.fromEntries(known.filter(([key]) => !faulty.has(key))), faulty};
  });
}
