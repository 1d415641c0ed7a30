/** A form from what a program has, a zod object or a JSON Schema; and its answers back in that shape. */

import {z} from 'zod';

import {AppError} from '../domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../domain/json.ts';
import {readQuestionnaire} from './questionnaire-reading.ts';
import type {AnswerValue, Questionnaire} from './questionnaire.ts';
import {fieldsOfSchema, type SchemaField} from './schema-fields.ts';

export interface FormNames {
  /** Otherwise `form`. */
  readonly id?: string;
  /** Otherwise that of the schema, or the id. */
  readonly title?: string;
}

/** The answers of an interview, as far as they are wanted here. */
export interface GivenAnswers {
  readonly answers: Readonly<
    Record<string, {readonly status: string; readonly value?: AnswerValue}>
  >;
}

/**
 * The form that asks for what a schema describes: the properties of objects (those of an object `a` are fields `a.b`),
 * texts with their formats, numbers, booleans, enumerations and lists of those. `title` is a field's label and
 * `description` its intent; `sensitivity`, `why`, `order` and `relevant_if` are as in a form. JSON Schema is that of Draft
 * 2020-12. Throws AppError `usage` that names every property that can't be asked for.
 */
export function formFromSchema(
  schema: z.ZodObject | JsonObject,
  {id = 'form', title}: FormNames = {},
): Questionnaire {
  const root = jsonSchemaOf(schema);
  const {fields, problems} = fieldsOfSchema(root);
  if (problems.length > 0) throw refusal(problems);
  const {description} = root;
  const reading = readQuestionnaire({
    id,
    title: title ?? root['title'] ?? id,
    ...(description === undefined ? {} : {description}),
    fields: fields.map(({entry}) => entry),
  });
  if (!reading.ok) throw refusal(reading.problems.map((problem) => byProperty(problem, fields)));
  return reading.value;
}

/**
 * What was answered, in the shape of the schema that the form was made from; checked by zod if it is zod's, whose error is
 * thrown for answers that it refuses, such as those of a form that is not complete.
 */
export function answersFor<Schema extends z.ZodObject>(
  schema: Schema,
  given: GivenAnswers,
): z.infer<Schema>;
export function answersFor(schema: JsonObject, given: GivenAnswers): JsonObject;
export function answersFor(schema: z.ZodObject | JsonObject, {answers}: GivenAnswers): object {
  const {fields} = fieldsOfSchema(jsonSchemaOf(schema));
  const shaped: Record<string, unknown> = {};
  for (const {path, isNullable} of fields) {
    const {status, value} = answers[path.join('.')] ?? {};
    const answer = status === 'done' ? value : undefined;
    if (answer !== undefined || isNullable) put(shaped, path, answer ?? null);
  }
  return isZod(schema) ? schema.parse(shaped) : shaped;
}

function put(
  object: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    object[key] = value;
    return;
  }
  const inner = (object[key] ??= {}) as Record<string, unknown>;
  put(inner, rest, value);
}

function isZod(schema: z.ZodObject | JsonObject): schema is z.ZodObject {
  return '_zod' in schema;
}

function jsonSchemaOf(schema: z.ZodObject | JsonObject): JsonObject {
  if (!isZod(schema)) return schema;
  try {
    const json: unknown = z.toJSONSchema(schema, {io: 'input'});
    if (isJsonObject(json)) return json;
    throw new Error('it is no object');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal([`${reason}; a day is z.iso.date()`]);
  }
}

/** `fields[2].pattern: …` names a place that nobody has written. */
function byProperty(problem: string, fields: readonly SchemaField[]): string {
  return problem.replace(
    /^fields\[(\d+)\]/,
    (whole, index) => fields[Number(index)]?.path.join('.') ?? whole,
  );
}

function refusal(problems: readonly string[]): AppError {
  return new AppError('usage', `no form can be made from this schema: ${problems.join('; ')}`);
}
