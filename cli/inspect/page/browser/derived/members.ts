/** Members of JSON that another version, a model or a stranger may have written: an absent or different one is undefined or empty. */

import {isJsonArray, isJsonObject, type JsonObject} from '../../../../../machines/domain/json.ts';

export function textIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isJsonObject(value) ? value : undefined;
}

export function objectsIn(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}
