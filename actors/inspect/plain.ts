/** Values of any program as bounded JSON. */

import type {AnyActorRef} from 'xstate';

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {pathOf} from '../../machines/tree/path.ts';

export interface Bounds {
  /** Characters of a text. */
  readonly text: number;
  /** Members of an object or an array. */
  readonly members: number;
  readonly depth: number;
}

/** For the context of an actor: cut only where it would not be readable any more. */
export const wide: Bounds = {text: 100_000, members: 5_000, depth: 24};
/** For an event in a list of messages. */
export const brief: Bounds = {text: 120, members: 8, depth: 2};

/** Never throws: what JSON can't hold becomes a short text in square brackets. */
export function plain(value: unknown, bounds: Bounds, above: readonly object[] = []): Json {
  if (typeof value === 'object' && value !== null) return plainObject(value, bounds, above);
  return plainScalar(value, bounds);
}

function plainScalar(value: unknown, bounds: Bounds): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, bounds.text);
  if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`;
  return typeof value === 'bigint' ? `[${value}n]` : `[${typeof value}]`;
}

function plainObject(value: object, bounds: Bounds, above: readonly object[]): Json {
  if (isActor(value)) return `[actor ${pathOf(value)}]`;
  if (above.includes(value)) return '[circular]';
  if (above.length >= bounds.depth) return Array.isArray(value) ? '[array]' : '[object]';
  return composed(value, bounds, [...above, value]);
}

export function plainEvent(
  event: {readonly type: string},
  bounds: Bounds,
): JsonObject & {type: string} {
  const made = plain(event, bounds);
  return {...(isJsonObject(made) ? made : {}), type: event.type};
}

function composed(value: object, bounds: Bounds, above: readonly object[]): Json {
  try {
    if (Array.isArray(value)) return list(value, bounds, above);
    if (value instanceof Date) return dateText(value);
    if (value instanceof URL) return value.href;
    if (value instanceof Error) return {name: value.name, message: cut(value.message, bounds.text)};
    if (value instanceof Map) return {'[Map]': list([...value], bounds, above)};
    if (value instanceof Set) return {'[Set]': list([...value], bounds, above)};
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    const shown = entries
      .slice(0, bounds.members)
      .map(([key, member]) => [key, plain(member, bounds, above)]);
    const rest = entries.length - shown.length;
    return Object.fromEntries(rest > 0 ? [...shown, ['[more]', rest]] : shown);
  } catch {
    return '[unreadable]';
  }
}

function list(values: readonly unknown[], bounds: Bounds, above: readonly object[]): Json {
  const shown = values
    .slice(0, bounds.members)
    .map((member) => plain(member ?? null, bounds, above));
  const rest = values.length - shown.length;
  return rest > 0 ? [...shown, `[${rest} more]`] : shown;
}

function cut(text: string, most: number): string {
  const whole = text.toWellFormed();
  return whole.length > most
    ? `${whole.slice(0, most).toWellFormed()}… [${whole.length - most} more]`
    : whole;
}

/** By its members: a user's program may bring a copy of XState of its own. */
export function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value && 'send' in value;
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? '[invalid date]' : date.toISOString();
}
