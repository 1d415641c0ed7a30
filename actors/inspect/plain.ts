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
  /** Objects and arrays in all: a graph may hold the same object many times. */
  readonly objects: number;
}

/** For the context of an actor: cut only where it would not be readable any more. */
export const wide: Bounds = {text: 100_000, members: 5_000, depth: 24, objects: 20_000};
/** For an event in a list of messages. */
export const brief: Bounds = {text: 120, members: 8, depth: 2, objects: 20};

/** Never throws: what JSON can't hold becomes a short text in square brackets. */
export function plain(value: unknown, bounds: Bounds): Json {
  return new Plain(bounds).of(value);
}

export function plainEvent(
  event: {readonly type: string},
  bounds: Bounds,
): JsonObject & {type: string} {
  const made = plain(event, bounds);
  return {...(isJsonObject(made) ? made : {}), type: event.type};
}

class Plain {
  readonly #bounds: Bounds;
  readonly #above: object[] = [];
  #objects = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  of(value: unknown): Json {
    if (typeof value !== 'object' || value === null) return scalar(value, this.#bounds.text);
    try {
      return this.#object(value);
    } catch {
      // A trap of a proxy, or a member of another type than its class has.
      return unreadable;
    }
  }

  #object(value: object): Json {
    if (isActor(value)) return `[actor ${pathOf(value)}]`;
    if (ArrayBuffer.isView(value)) return `[${value.constructor.name} ${value.byteLength}]`;
    if (this.#above.includes(value)) return '[circular]';
    this.#objects += 1;
    if (this.#above.length >= this.#bounds.depth || this.#objects > this.#bounds.objects)
      return Array.isArray(value) ? '[array]' : '[object]';
    this.#above.push(value);
    try {
      return this.#composed(value);
    } finally {
      this.#above.pop();
    }
  }

  #composed(value: object): Json {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Date) return dateText(value);
    if (value instanceof URL) return value.href;
    if (value instanceof Error) {
      const {text} = this.#bounds;
      return {name: cut(value.name, text), message: cut(value.message, text)};
    }
    if (value instanceof Map) return {'[Map]': this.#list([...value])};
    if (value instanceof Set) return {'[Set]': this.#list([...value])};
    return this.#members(value);
  }

  #members(value: object): Json {
    const names = Object.keys(value);
    const shown = names.slice(0, this.#bounds.members).flatMap((name) => {
      const member = memberOf(value, name);
      return member === undefined ? [] : [[name, this.of(member)] as const];
    });
    const rest = names.length - this.#bounds.members;
    return Object.fromEntries(rest > 0 ? [...shown, ['[more]', rest]] : shown);
  }

  #list(values: readonly unknown[]): Json {
    const shown = values.slice(0, this.#bounds.members).map((member) => this.of(member ?? null));
    const rest = values.length - shown.length;
    return rest > 0 ? [...shown, `[${rest} more]`] : shown;
  }
}

const unreadable = '[unreadable]';

/** A getter of a user may throw. */
function memberOf(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return unreadable;
  }
}

function scalar(value: unknown, most: number): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, most);
  if (typeof value === 'number') return Number.isFinite(value) ? value : `[${value}]`;
  return typeof value === 'bigint' ? `[${value}n]` : `[${typeof value}]`;
}

function cut(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  return `${whole.slice(0, most).toWellFormed()}… [${whole.length - most} more]`;
}

/** By its members: a user's program may bring a copy of XState of its own. */
export function isActor(value: object): value is AnyActorRef {
  return 'sessionId' in value && 'getSnapshot' in value && 'send' in value;
}

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? '[invalid date]' : date.toISOString();
}
