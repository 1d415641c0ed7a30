/** Plain JSON: the only values that a machine's context, an event or a journal entry may hold. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member that an object has itself: names from outside may be those of members that every object inherits. */
export function ownMember<Value>(
  members: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Asserts that a value is plain JSON. The compiler can't check it, because an interface has no index signature. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}
