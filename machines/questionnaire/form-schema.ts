/** Makes a form from a zod object or a JSON Schema, and returns its answers in that shape. */

import {z} from 'zod';

import {AppError} from '../domain/app-error.ts';
import {isJsonObject, type JsonObject} from '../domain/json.ts';
import {readQuestionnaire} from './questionnaire-reading.ts';
import type {AnswerValue, Questionnaire} from './questionnaire.ts';
import {fieldsOfSchema, type SchemaField} from './schema-fields.ts';

export interface FormNames {
  /** Default: `form`. */
  readonly id?: string;
  /** Default: the title of the schema, or the id. */
  readonly title?: string;
}

/** The part of the answers of an interview that is needed here. */
export interface GivenAnswers {
  readonly answers: Readonly<
    Record<string, {readonly status: string; readonly value?: AnswerValue}>
  >;
}

/**
 * The form that asks for the properties of a schema: texts with their formats, numbers, booleans, enumerations, lists of an
 * enumeration, and objects (the property `b` of an object `a` is the field `a.b`). `title` is the label of a field and
 * `description` its intent; `sensitivity`, `why`, `order` and `relevant_if` are as in a form. JSON Schema means Draft
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
 * The answers in the shape of the schema that the form was made from. A zod schema checks them: its error is thrown for
 * answers that it refuses, such as the answers of an incomplete form.
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
    throw new Error('it is not an object');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal([`${reason}; write a day as z.iso.date()`]);
  }
}

/** Names the property in place of `fields[2]`, which is not in the schema. */
function byProperty(problem: string, fields: readonly SchemaField[]): string {
  return problem.replace(
    /^fields\[(\d+)\]/,
    (whole, index) => fields[Number(index)]?.path.join('.') ?? whole,
  );
}

function refusal(problems: readonly string[]): AppError {
  return new AppError('usage', `no form can be made from this schema: ${problems.join('; ')}`);
}
