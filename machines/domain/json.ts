/** Plain JSON: all that a machine's context, an event or a journal entry may hold. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Vouches that a value is plain JSON: types can't tell, as an interface has no index signature. */
export function asJson(value: object): JsonObject {
  return value as JsonObject;
}
