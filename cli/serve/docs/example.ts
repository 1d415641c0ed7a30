/** Examples of JSON schemas: with every member, using the sample for its name if there is one. */

import {isJsonObject, type Json, type JsonObject} from '../../../machines/domain/json.ts';

const samples: JsonObject = {
  id: 'nbefzhf5khwj',
  interaction: 'nbefzhf5khwj',
  submission: 'nbefzhf5khwj',
  token: 'TOKEN',
  form: 'trip',
  title: 'Business trip',
  label: 'Your name',
  request: 'Where is the retry limit defined?',
  gate: 'nbefzhf5khwj/plan',
  reason: 'It does what was asked for.',
  prefix: 'npm test',
  text: 'Ann Lee',
  field: 'name',
  language: 'en',
  country: 'JP',
  timezone: 'Asia/Tokyo',
  code: 'not_found',
  message: 'there is no interaction nbefzhf5khwj',
  status: 'completed',
  type: 'text',
  at: 1_790_000_000_000,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
};

/** One example, or one for each alternative. `schemas`: by the names that references use. */
export function examplesOf(schema: Json | undefined, schemas: JsonObject): Json[] {
  const {oneOf, anyOf} = resolved(schema, schemas);
  const several = oneOf ?? anyOf;
  return Array.isArray(several)
    ? several.flatMap((each) => examplesOf(each, schemas))
    : [exampleOf(schema, schemas, '')];
}

function exampleOf(schema: Json | undefined, schemas: JsonObject, name: string): Json {
  const own = resolved(schema, schemas);
  const {type, properties, items} = own;
  const value = own['const'] ?? firstIn(own['enum']);
  if (value !== undefined) return value;
  const first = firstIn(own['oneOf']) ?? firstIn(own['anyOf']);
  if (first !== undefined) return exampleOf(first, schemas, name);
  if (isJsonObject(properties)) return membersOf(properties, schemas);
  if (type === 'array') return [exampleOf(items, schemas, name)];
  return samples[name] ?? plain[typeof type === 'string' ? type : ''] ?? '…';
}

function firstIn(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

const plain: JsonObject = {object: {}, integer: 1, number: 1, boolean: true};

function membersOf(properties: JsonObject, schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, schemas, name)]),
  );
}

/** The schema that a reference refers to; empty for a value that is not a schema. */
function resolved(schema: Json | undefined, schemas: JsonObject): JsonObject {
  if (!isJsonObject(schema)) return {};
  const {$ref: reference} = schema;
  if (typeof reference !== 'string') return schema;
  return resolved(schemas[reference.slice(reference.lastIndexOf('/') + 1)], schemas);
}
