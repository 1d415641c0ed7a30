/** Members of JSON that another version, a model or a stranger may have written: an absent or different one is undefined or empty. */

import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../../../machines/domain/json.ts';

export function textIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = object?.[name];
  return typeof value === 'number' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isJsonObject(value) ? value : undefined;
}

export function textsIn(object: JsonObject | undefined, name: string): readonly string[] {
  return listIn(object, name).filter((each) => typeof each === 'string');
}

export function objectsIn(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  return listIn(object, name).filter((each) => isJsonObject(each));
}

function listIn(object: JsonObject | undefined, name: string): readonly Json[] {
  const value = object?.[name];
  return isJsonArray(value) ? value : [];
}
