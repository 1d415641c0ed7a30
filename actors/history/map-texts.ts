/** Replaces texts in plain data. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';

/** `map` receives each text, and the name of the member that holds it or the list around it. */
export function mapTexts(
  value: JsonObject,
  map: (text: string, member: string) => string,
): JsonObject {
  const mapped = (each: Json, member: string): Json => {
    if (typeof each === 'string') return map(each, member);
    if (Array.isArray(each)) return each.map((item: Json) => mapped(item, member));
    return isJsonObject(each) ? mapTexts(each, map) : each;
  };
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, mapped(each, member)]),
  );
}
