import {createHash} from 'node:crypto';

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {canonicalJson, hashOf, quickDigest} from '../../../machines/domain/digest.ts';

/** Any UTF-16 text, including lone surrogates. */
const texts = fc.string({unit: fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit))});

/** The same value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reordered);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reordered(member)]),
  );
}

describe('canonical JSON', () => {
  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('parses back to the original value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('is equal exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = isSame(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });

  test('leaves undefined members out', () => {
    expect(canonicalJson({b: 1, a: undefined})).toBe('{"b":1}');
  });

  test('keeps a member named __proto__', () => {
    const value: unknown = JSON.parse('{"b":1,"__proto__":{"a":2}}');
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}');
  });
});

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  const sameKeys = left.size === right.size && [...left.keys()].every((key) => right.has(key));
  const sameKind = Array.isArray(a) === Array.isArray(b);
  return sameKind && sameKeys && [...left].every(([key, member]) => isSame(member, right.get(key)));
}

describe('a hash', () => {
  test('is the SHA-256 of the canonical JSON, as any other implementation computes it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), texts, (value, text) => {
        const subject = {value, text};
        const expected = createHash('sha256').update(canonicalJson(subject), 'utf8').digest('hex');
        expect(hashOf(subject)).toBe(expected);
      }),
    );
  });
});

describe('a quick digest', () => {
  test('is the same for the same text and seed, and differs for another text', () => {
    fc.assert(
      fc.property(texts, texts, texts, (a, b, seed) => {
        fc.pre(a !== b);
        expect(quickDigest(a, seed)).toBe(quickDigest(a, seed));
        expect(quickDigest(a, seed)).not.toBe(quickDigest(b, seed));
        expect(quickDigest(a, seed)).toMatch(/^[0-9a-z]{1,11}$/);
      }),
    );
  });
});
