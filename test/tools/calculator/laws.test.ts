/** Laws for every expression: integers match BigInt, quotients match exact fractions, texts parse to themselves. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {calculate} from '../../../tools/calculator.ts';
import {isDeep} from '../../support/depth.ts';

function valueOf(expression: string): string {
  const result = calculate(expression);
  return result.ok ? result.text : result.problem.code;
}

const integers = fc.oneof(
  fc.bigInt({min: -20n, max: 20n}),
  fc.bigInt({min: -(2n ** 64n), max: 2n ** 64n}),
  fc.bigInt({min: -(2n ** 600n), max: 2n ** 600n}),
);
const divisors = integers.filter((value) => value !== 0n);
const floats = fc.double({noNaN: true, noDefaultInfinity: true});

/** A sum, product or power of integers as a tree, whose value is known without parsing. */
type Tree =
  | {readonly kind: 'integer'; readonly value: bigint}
  | {readonly kind: 'negated'; readonly of: Tree}
  | {readonly kind: 'sum' | 'difference' | 'product'; readonly left: Tree; readonly right: Tree}
  | {readonly kind: 'power'; readonly base: Tree; readonly exponent: number};

const {tree} = fc.letrec<{tree: Tree}>((tie) => ({
  tree: fc.oneof(
    {maxDepth: 6, depthSize: 'small'},
    fc.record({kind: fc.constant('integer'), value: fc.bigInt({min: 0n, max: 99n})}),
    fc.record({kind: fc.constant('negated'), of: tie('tree')}),
    fc.record({
      kind: fc.constantFrom('sum', 'difference', 'product'),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({
      kind: fc.constant('power'),
      base: tie('tree'),
      exponent: fc.integer({min: 0, max: 3}),
    }),
  ),
}));

function meaning(node: Tree): bigint {
  switch (node.kind) {
    case 'integer':
      return node.value;
    case 'negated':
      return -meaning(node.of);
    case 'power':
      return meaning(node.base) ** BigInt(node.exponent);
    case 'sum':
      return meaning(node.left) + meaning(node.right);
    case 'difference':
      return meaning(node.left) - meaning(node.right);
    case 'product':
      return meaning(node.left) * meaning(node.right);
    default:
      return node satisfies never;
  }
}

const signs = {sum: '+', difference: '-', product: '*'} as const;
const ranks = {sum: 1, difference: 1, product: 2, negated: 3, power: 4, integer: 5} as const;

/** With the fewest parentheses, and `blank` around everything. */
function written(node: Tree, blank: string): string {
  const inside = (part: Tree, rank: number): string => {
    const text = written(part, blank);
    return ranks[part.kind] < rank ? `(${text})` : text;
  };
  switch (node.kind) {
    case 'integer':
      return `${blank}${node.value}${blank}`;
    case 'negated':
      return `-${inside(node.of, 3)}`;
    case 'power':
      return `${inside(node.base, 5)}**${blank}${node.exponent}`;
    case 'sum':
    case 'difference':
    case 'product': {
      const rank = ranks[node.kind];
      return `${inside(node.left, rank)}${signs[node.kind]}${inside(node.right, rank + 1)}`;
    }
    default:
      return node satisfies never;
  }
}

/** The exact value of a float: `numerator / 2 ** shift`. */
function fractionOf(value: number): {readonly numerator: bigint; readonly shift: bigint} {
  const bits = new BigUint64Array(new Float64Array([Math.abs(value)]).buffer)[0] ?? 0n;
  const exponent = bits >> 52n;
  const fraction = bits & (2n ** 52n - 1n);
  const size = exponent === 0n ? fraction : fraction + 2n ** 52n;
  const shift = 1_075n - (exponent === 0n ? 1n : exponent);
  const signed = value < 0 ? -size : size;
  return shift < 0n ? {numerator: signed << -shift, shift: 0n} : {numerator: signed, shift};
}

/** The distance of a float from a / b, in units that are the same for every float. */
function distance(value: number, a: bigint, b: bigint): bigint {
  const {numerator, shift} = fractionOf(value);
  const error = (numerator * b - (a << shift)) << (1_075n - shift);
  return error < 0n ? -error : error;
}

function neighbours(value: number): number[] {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  return [bits - 1n, bits + 1n]
    .map((near) => new Float64Array(new BigUint64Array([near]).buffer)[0] ?? 0)
    .filter((near) => Number.isFinite(near));
}

describe('integers', () => {
  test('an expression has the value of its tree, with and without blanks', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (node, blank) => {
        const expected = meaning(node);
        fc.pre(expected < 2n ** 19_000n && expected > -(2n ** 19_000n));
        expect(valueOf(written(node, blank))).toBe(String(expected));
      }),
      {numRuns: isDeep ? 1_000 : 200},
    );
  });

  test('quotient and remainder make up the dividend; the remainder has the sign of the divisor and is smaller', () => {
    fc.assert(
      fc.property(integers, divisors, (a, b) => {
        expect(valueOf(`(${a})//(${b})*(${b})+(${a})%(${b})`)).toBe(String(a));
        const rest = BigInt(valueOf(`(${a})%(${b})`));
        expect(b > 0n ? rest >= 0n && rest < b : rest <= 0n && rest > b).toBe(true);
      }),
    );
  });

  test('a power is repeated multiplication and binds to the right', () => {
    const small = fc.integer({min: 0, max: 5});
    fc.assert(
      fc.property(fc.integer({min: 1, max: 9}), small, small, (a, b, c) => {
        const product = Array.from({length: b}, () => String(a)).join('*') || '1';
        expect(valueOf(`${a}**${b}`)).toBe(valueOf(product));
        expect(valueOf(`${a}**${b}**${c}`)).toBe(valueOf(`${a}**(${b}**${c})`));
        expect(valueOf(`-${a}**${b}`)).toBe(valueOf(`-(${a}**${b})`));
      }),
    );
  });

  test('a true quotient is the float that is nearest to it', () => {
    fc.assert(
      fc.property(divisors, divisors, (a, b) => {
        const quotient = Number(valueOf(`(${a})/(${b})`));
        const own = distance(quotient, a, b);
        for (const near of neighbours(quotient)) expect(distance(near, a, b) >= own).toBe(true);
      }),
      {numRuns: 500},
    );
  });

  test('a quotient too small for a normal float is rounded once', () => {
    const parts = fc.bigInt({min: 1n, max: 2n ** 60n});
    fc.assert(
      fc.property(parts, parts, fc.integer({min: 1_000, max: 1_140}), (a, b, power) => {
        const quotient = Number(valueOf(`${a}/(${b}*2**${power})`));
        const divisor = b * 2n ** BigInt(power);
        const own = distance(quotient, a, divisor);
        for (const near of neighbours(quotient))
          expect(distance(near, a, divisor) >= own).toBe(true);
      }),
    );
  });
});

describe('floats', () => {
  test('the text of a float parses to that float, and is the text of that float', () => {
    fc.assert(
      fc.property(floats, (value) => {
        const text = valueOf(
          value < 0 || Object.is(value, -0) ? `-(${-value}*1.0)` : `${value}*1.0`,
        );
        expect(Number(text)).toBe(value);
        expect(text).toMatch(/^-?(\d+\.\d+|\d(\.\d+)?e[+-]\d{2,3})$/);
        expect(valueOf(text)).toBe(text);
      }),
      {numRuns: isDeep ? 1_000 : 200},
    );
  });

  test('the remainder has the sign of the divisor and is not larger', () => {
    const nonZero = floats.filter((value) => value !== 0);
    fc.assert(
      fc.property(floats, nonZero, (a, b) => {
        const rest = Number(valueOf(`(${a})%(${b}*1.0)`));
        expect(Math.sign(rest) * Math.sign(b)).toBeGreaterThanOrEqual(0);
        expect(Object.is(rest, 0) || Object.is(rest, -0) || rest < 0 === b < 0).toBe(true);
        expect(Math.abs(rest)).toBeLessThanOrEqual(Math.abs(b));
      }),
    );
  });

  test('whole floats are divided like integers', () => {
    const whole = fc.integer({min: -1_000, max: 1_000});
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        fc.pre(b !== 0);
        for (const operator of ['//', '%']) {
          const exact = Number(valueOf(`(${a})${operator}(${b})`));
          expect(Number(valueOf(`(${a}.0)${operator}(${b}.0)`)) === exact).toBe(true);
        }
      }),
    );
  });
});

describe('any text', () => {
  const codes = /^(syntax|too_long|too_deep|range|division_by_zero|not_finite)$/;
  const marks = ['+', '-', '*', '/', '//', '%', '**', '(', ')', ' ', '.', 'e', ',', '\ud800'];
  const scraps = fc
    .array(fc.constantFrom('0', '7', '12', '1.5', '.5', '1e3', '9e307', ...marks), {maxLength: 20})
    .map((parts) => parts.join(''));

  test('has a value that evaluates to itself, or a problem at a place in it', () => {
    fc.assert(
      fc.property(fc.oneof(scraps, fc.string({unit: 'binary'})), (text) => {
        const result = calculate(text);
        const place = result.ok ? 0 : result.problem.offset;
        expect(place >= 0 && place <= text.length).toBe(true);
        expect(result.ok || codes.test(result.problem.code)).toBe(true);
        expect(!result.ok || valueOf(result.text) === result.text).toBe(true);
      }),
      {numRuns: 5_000},
    );
  });
});
