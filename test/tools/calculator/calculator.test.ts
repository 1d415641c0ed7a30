/** The calculator: Python's results, the place of every mistake, limits that are checked before the work, and laws. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {calculate, calculator} from '../../../tools/calculator.ts';
import {escapeLine} from '../../../tools/escape.ts';
import {createToolbox} from '../../../tools/index.ts';
import {isDeep} from '../../support/depth.ts';
import {pairs, triples, cells} from '../../support/rows.ts';
import {createPlace} from '../place.ts';
import {errors, values} from './python-cases.ts';

/** The value, or the code of the problem and its offset. */
function shown(expression: string): string {
  const result = calculate(expression);
  return result.ok ? result.text : `${result.problem.code} at ${result.problem.offset}`;
}

function codeOf(expression: string): string {
  const result = calculate(expression);
  return result.ok ? 'none' : result.problem.code;
}

function messageOf(expression: string): string {
  const result = calculate(expression);
  return result.ok ? '' : result.problem.message;
}

/** The best of five, which has the least noise of the machine. */
/** Processor time, which a busy machine does not change. */
/** The best of five tries, or the first that takes less than that. */
function bestMs(expression: string, enoughMs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && best >= enoughMs; tries += 1) {
    const before = process.cpuUsage();
    calculate(expression);
    const {user, system} = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const problemCodes: Readonly<Record<string, string>> = {
  SyntaxError: 'syntax',
  NameError: 'syntax',
  TypeError: 'syntax',
  ZeroDivisionError: 'division_by_zero',
  OverflowError: 'range',
  complex: 'range',
};

describe('results as in Python', () => {
  test.each(values)('%s is %s', (expression, repr) => {
    expect(shown(expression)).toBe(repr);
  });

  test.each(errors)('%s has no value: %s', (expression, exception) => {
    expect(codeOf(expression)).toBe(problemCodes[exception]);
  });
});

describe('results unlike in Python', () => {
  test.each(
    pairs(`
    1e308*10 ⇒ not_finite at 5 ¦ 1e308+1e308 ⇒ not_finite at 5 ¦ -1e308-1e308 ⇒ not_finite at 6
    1e308/0.1 ⇒ not_finite at 5 ¦ 1e308//1e-10 ⇒ not_finite at 5 ¦ 1e309 ⇒ not_finite at 0
    2*(1e400-1) ⇒ not_finite at 3
  `),
  )('a float beyond the largest one is an error: %s', (expression, problem) => {
    expect(shown(expression)).toBe(problem);
  });

  test.each(['1_000', '0x1f', '0b1', '1j', 'True', '1<2', '~1', '1&2', '1 if 1 else 2', '1#2'])(
    'a number is decimal and nothing else is known: %s',
    (expression) => {
      expect(codeOf(expression)).toBe('syntax');
    },
  );

  test('an expression may continue on the next line', () => {
    expect(shown(' 1 +\r\n\t2\n')).toBe('3');
  });
});

describe('problems', () => {
  test.each([
    ['', 'syntax at 0', 'expected a number, a sign or "(", found the end'],
    ['1 + ', 'syntax at 4', 'expected a number, a sign or "(", found the end'],
    ['(1 + 2', 'syntax at 6', 'expected an operator or ")", found the end'],
    ['1 + 2)', 'syntax at 5', 'expected an operator or the end, found ")"'],
    ['12 34', 'syntax at 3', 'expected an operator or the end, found "34"'],
    ['2***3', 'syntax at 3', 'expected a number, a sign or "(", found "*"'],
    ['2 ^ 3', 'syntax at 2', 'found "^"; powers are written **'],
    ['1,000', 'syntax at 1', 'found ","; write numbers without separators'],
    ['sqrt(2)', 'syntax at 0', 'found "sqrt"; names and functions are not known'],
    ['007', 'syntax at 0', 'found 007; leave out the leading zeros'],
    ['1 + 2/(3-3)', 'division_by_zero at 5', 'division by zero'],
    ['1 + 0**-2', 'division_by_zero at 5', 'zero raised to a negative power'],
    ['(-8)**0.5', 'range at 4', 'a negative number raised to a fraction is not a real number'],
    ['1+2**20000', 'range at 3', 'the integer would have more than 20000 bits (6020 digits)'],
    ['1+1e999', 'not_finite at 2', '1e999 is too large for a float'],
  ])('%s: %s, %s', (expression, place, message) => {
    expect(shown(expression)).toBe(place);
    expect(messageOf(expression)).toBe(message);
  });

  test.each(
    triples(`
    ٣+٤ ⇒ syntax at 0 ⇒ U+0663 ¦ −1 ⇒ syntax at 0 ⇒ U+2212 ¦ 1\u200b+1 ⇒ syntax at 1 ⇒ U+200B
    １+１ ⇒ syntax at 0 ⇒ U+FF11 ¦ 1+\u00a01 ⇒ syntax at 2 ⇒ U+00A0 ¦ 1+𝟙 ⇒ syntax at 2 ⇒ U+1D7D9
    1+\ud800 ⇒ syntax at 2 ⇒ U+D800 ¦ 1\u202e+1 ⇒ syntax at 1 ⇒ U+202E
    1+\u0000 ⇒ syntax at 2 ⇒ \\x00
  `),
  )('%j is refused at its place and by its code point', (expression, place, name) => {
    expect(shown(expression)).toBe(place);
    expect(messageOf(expression)).toContain(name);
    expect(escapeLine(messageOf(expression))).toBe(messageOf(expression));
  });

  test.each(
    cells(`
    constructor.constructor("return process")() ¦ process.exit(1) ¦ import("fs") ¦ this
    f(x)=f(x+1);f(1) ¦ a=1;a ¦ 9^9^9^9 ¦ __proto__ ¦ \${1}
  `),
  )('%s is not an expression', (expression) => {
    expect(codeOf(expression)).toBe('syntax');
  });

  test('a long number is named by its start', () => {
    expect(messageOf(`1 ${'2'.repeat(5_000)}`).length).toBeLessThan(120);
    expect(messageOf(`0${'1'.repeat(5_000)}`).length).toBeLessThan(120);
    expect(messageOf(`${'9'.repeat(5_000)}.0`).length).toBeLessThan(120);
    expect(messageOf('x'.repeat(5_000)).length).toBeLessThan(120);
  });
});

describe('limits', () => {
  test('10,000 characters are read, and not one more', () => {
    expect(shown(`${'1+'.repeat(4_999)}11`)).toBe('5010');
    expect(shown(`${'1+'.repeat(4_999)}111`)).toBe('too_long at 10000');
  });

  test.each([
    ['(', ')', 100],
    ['-', '', 100],
    ['+', '', 100],
    ['1**', '', 100],
    ['-(', ')', 50],
  ])('%s1%s may be nested %i times, and not once more', (open, close, times) => {
    expect(shown(`${open.repeat(times)}1${close.repeat(times)}`)).toBe('1');
    expect(codeOf(`${open.repeat(times + 1)}1${close.repeat(times + 1)}`)).toBe('too_deep');
  });

  test('a sequence is not nested', () => {
    expect(shown(Array.from({length: 1_000}, () => '(-(1))').join('+'))).toBe('-1000');
  });

  test('integers have at most 20,000 bits', () => {
    expect(shown('2**19999*2-2**19999-2**19999')).toBe('range at 8');
    expect(shown('(2**19999-1)*2+1-2**19999')).toBe(String(2n ** 19_999n - 1n));
    expect(shown('2**19999+2**19999')).toBe('range at 8');
    expect(shown('-2**19999-2**19999')).toBe('range at 9');
    expect(shown('2**10000*2**9999-2**19999')).toBe('0');
    expect(shown('2**10000*2**10000')).toBe('range at 8');
    expect(shown('3**12618')).toBe(String(3n ** 12_618n));
    expect(shown('3**12619')).toBe('range at 1');
    expect(shown('9'.repeat(6_020))).toBe('9'.repeat(6_020));
    expect(shown(`1+${'9'.repeat(6_021)}`)).toBe('range at 2');
    expect(shown('1**10**6000+(-1)**10**6000+0**10**6000')).toBe('2');
  });

  test.each([
    ['a text of 1 MB', '1+'.repeat(500_000), 'too_long'],
    ['a number of 1 MB', '9'.repeat(1_000_000), 'too_long'],
    ['20,000 parentheses', '('.repeat(20_000) + '1' + ')'.repeat(20_000), 'too_deep'],
    ['9,000 parentheses', '('.repeat(9_000), 'too_deep'],
    ['9,000 signs', '-'.repeat(9_000), 'too_deep'],
    ['a float power', '2**1e9', 'range'],
    ['an integer power', '2**1000000000', 'range'],
    ['a tower of powers', '9**9**9**9', 'range'],
    ['a square of a large number', '9**6000*9**6000', 'range'],
    ['a huge exponent', `3**${'9'.repeat(6_000)}`, 'range'],
  ])('%s is refused within 5 ms', (_name, expression, code) => {
    expect(codeOf(expression)).toBe(code);
    expect(bestMs(expression, 5)).toBeLessThan(5);
  });

  test.each(['9**6309//7**7123+', '9**6309%7**7120%', '(9**6309/9**6308)+', '3**9**4*0+'])(
    'as many times %s as fit hold nobody up',
    (part) => {
      expect(bestMs(`${part.repeat(Math.floor(9_990 / part.length))}1`, 250)).toBeLessThan(250);
    },
  );
});

describe('the tool', () => {
  test('gives the value as text', async () => {
    const place = createPlace(createToolbox([calculator]));
    expect(await place.run('calculator', {expression: '2**0.5 * 2'})).toEqual({
      kind: 'succeeded',
      text: '2.8284271247461903',
    });
  });

  test('refuses an expression without a value, with the place in it', async () => {
    const place = createPlace(createToolbox([calculator]));
    expect(await place.run('calculator', {expression: '1 + 1/0'})).toEqual({
      kind: 'refused',
      code: 'division_by_zero',
      message: 'expression, offset 5: division by zero',
    });
  });

  test('is low risk and may be repeated', () => {
    expect(createToolbox([calculator]).infos()).toEqual([
      {
        name: 'calculator',
        risk: 'low',
        repeatability: 'repeatable',
        timeoutMs: 5_000,
        reaches: 'nothing',
        quotes: false,
        does: 'calculates {expression}',
      },
    ]);
  });
});

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
