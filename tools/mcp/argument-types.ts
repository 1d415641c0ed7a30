/** Arguments by the JSON Schema of their server. Its patterns are not run: they are texts of others. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';

/** Undefined if the value has the type that the schema names, or if it names none. */
export function typeProblem(schema: unknown, value: Json): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const {type, enum: options} = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length > 0 && !types.some((each) => isOfType(each, value))) {
    return `must be of the type ${types.join(' or ')}`;
  }
  if (Array.isArray(options) && isScalar(value) && options.every(isScalar)) {
    return options.includes(value) ? undefined : `must be one of ${options.map(quoted).join(', ')}`;
  }
  return undefined;
}

function quoted(value: Json): string {
  return JSON.stringify(value);
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function isOfType(type: string, value: Json): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return isJsonObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type;
}

/** Providers refuse alternatives at the root of a schema, so these are left to the server. */
export function withoutAlternatives(schema: JsonObject): JsonObject {
  const {$schema: _, anyOf: _any, oneOf: _one, allOf: _all, ...offered} = schema;
  return offered;
}
