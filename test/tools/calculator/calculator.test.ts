/** The calculator: Python's results, the place of every mistake, and limits that are checked before the work. */

import {describe, expect, test} from 'vitest';

import {calculate, calculator} from '../../../tools/calculator.ts';
import {escapeLine} from '../../../tools/escape.ts';
import {createToolbox} from '../../../tools/index.ts';
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

const codes: Readonly<Record<string, string>> = {
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
    expect(codeOf(expression)).toBe(codes[exception]);
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
