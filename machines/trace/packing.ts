/**
 * A compact form of a trace for transport: values that occur several times, such as the settings that every actor receives,
 * are sent once. Unpacked values share them, so that they cost memory once, too.
 */

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';

/**
 * `{$ref: N}` in a packed value means the value N; `{$ref: N, $more: […]}` the list N with more at its end; an object that itself
 * has such members is `{$literal: [[member, value], …]}`.
 */
export interface Packed {
  /** Values that are new in this package, in the order of their numbers. */
  readonly values: readonly Json[];
  readonly content: Json;
}

/** Shorter values are repeated. */
const worth = 80;
/** A conversation grows by so many messages at a time, at most. */
const growth = 3;

const reserved = ['$ref', '$more', '$literal'];

export class Packer {
  readonly #numbers = new Map<string, number>();
  /** The packed form of objects that were packed before. */
  readonly #known = new WeakMap<object, Json>();
  #fresh: Json[] = [];

  pack(content: Json): Packed {
    const packed = this.#packed(content);
    return {values: this.#fresh.splice(0), content: packed};
  }

  #packed(value: Json): Json {
    if (typeof value === 'string') return value.length < worth ? value : this.#kept(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const composed = this.#composed(value);
    const packed = this.#kept(composed);
    this.#known.set(value, packed);
    return packed;
  }

  #composed(value: readonly Json[] | JsonObject): Json {
    if (!isJsonObject(value)) return value.map((member) => this.#packed(member));
    const members = Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, this.#packed(member)] as const],
    );
    return reserved.some((name) => name in value)
      ? {$literal: members}
      : Object.fromEntries(members);
  }

  #kept(value: Json): Json {
    const text = JSON.stringify(value);
    if (text.length < worth) return value;
    const known = this.#numbers.get(text);
    if (known !== undefined) return {$ref: known};
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#fresh.push(Array.isArray(value) ? this.#extended(value) : value);
    return {$ref: number};
  }

  /** The list as an extension of a known one, if it is one. */
  #extended(list: readonly Json[]): Json {
    for (let more = 1; more <= Math.min(growth, list.length - 1); more += 1) {
      const known = this.#numbers.get(JSON.stringify(list.slice(0, -more)));
      if (known !== undefined) return {$ref: known, $more: list.slice(-more)};
    }
    return list;
  }
}

export class Unpacker {
  readonly #values: Json[] = [];

  /** Throws Error for a package that does not follow the earlier ones. */
  unpack({values, content}: Packed): Json {
    for (const value of values) this.#values.push(this.#unpacked(value));
    return this.#unpacked(content);
  }

  #unpacked(value: Json): Json {
    if (typeof value !== 'object' || value === null) return value;
    if (!isJsonObject(value)) return value.map((member) => this.#unpacked(member));
    const {$ref: number, $more: more, $literal: literal} = value;
    if (typeof number === 'number') return this.#extended(this.#valueOf(number), more);
    const members = literal === undefined ? Object.entries(value) : pairsIn(literal);
    return Object.fromEntries(members.map(([key, member]) => [key, this.#unpacked(member)]));
  }

  #extended(value: Json, more: Json | undefined): Json {
    if (!Array.isArray(value) || !Array.isArray(more)) return value;
    return [...value, ...more.map((member) => this.#unpacked(member))];
  }

  #valueOf(number: number): Json {
    const value = this.#values[number];
    if (value === undefined) throw new Error(`the package has no value ${number}`);
    return value;
  }
}

function pairsIn(literal: Json): readonly (readonly [string, Json])[] {
  const pairs = Array.isArray(literal) ? literal : [];
  return pairs.map(([key, member]) => [String(key), member]);
}
