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

// Shapes of plain JSON, checked by hand because the data from outside is on the hottest path of a run.

/** Returns the problem with a value, which the message calls `name`; undefined when the value fits. */
export type Shape = (value: Json | undefined, name: string) => string | undefined;

export const text: Shape = (value, name) =>
  typeof value === 'string' ? undefined : `${name} is not a text`;

export const number: Shape = (value, name) =>
  typeof value === 'number' ? undefined : `${name} is not a number`;

export const share: Shape = (value, name) =>
  typeof value === 'number' && value >= 0 && value <= 1
    ? undefined
    : `${name} is not a number from 0 to 1`;

export const boolean: Shape = (value, name) =>
  typeof value === 'boolean' ? undefined : `${name} is neither true nor false`;

export const anyObject: Shape = (value, name) =>
  isJsonObject(value) ? undefined : `${name} is not an object`;

export function oneOf(...words: readonly string[]): Shape {
  return (value, name) =>
    typeof value === 'string' && words.includes(value)
      ? undefined
      : `${name} is not one of ${words.join(', ')}`;
}

export function optional(shape: Shape): Shape {
  return (value, name) => (value === undefined ? undefined : shape(value, name));
}

export function listOf(item: Shape, least = 0): Shape {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} is not a list`;
    if (value.length < least) return `${name} has fewer than ${least} members`;
    const members: readonly Json[] = value;
    for (const [index, member] of members.entries()) {
      const problem = item(member, `${name}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object with at least these members. */
export function objectOf(members: Readonly<Record<string, Shape>>): Shape {
  const shapes = Object.entries(members);
  return (value, name) => {
    if (!isJsonObject(value)) return `${name} is not an object`;
    for (const [key, shape] of shapes) {
      const problem = shape(value[key], `${name}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object with the shape that `kinds` has for the value of its `member`, or with the shape `rest`. */
export function byKind(member: string, kinds: Readonly<Record<string, Shape>>, rest: Shape): Shape {
  return (value, name) => {
    if (!isJsonObject(value)) return `${name} is not an object`;
    const kind = value[member];
    if (typeof kind !== 'string') return `${name}.${member} is not a text`;
    return (Object.hasOwn(kinds, kind) ? kinds[kind] : rest)?.(value, name);
  };
}
