/** calculator: the value of an arithmetic expression, with Python's meaning of every operator. */

import {z} from 'zod';

import type {ToolOutcome} from '../machines/domain/tool.ts';
import {escapeLine} from './escape.ts';
import {defineTool} from './tool.ts';

export const calculator = defineTool({
  name: 'calculator',
  description:
    'Compute an arithmetic expression: decimal numbers, + - * / // % **, signs and parentheses, with the meaning they ' +
    'have in Python. Integers are exact; // and % round down; ** binds to the right and tighter than a sign. ' +
    'No names, no functions.',
  parameters: z.lazy(() =>
    z.strictObject({
      expression: z.string().describe('For example (1 + 2) * 3 ** 4 // 5.'),
    }),
  ),
  does: 'calculates {expression}',
  reaches: 'nothing',
  quotes: false,
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 5_000,
  run: async ({expression}): Promise<ToolOutcome> => {
    const result = calculate(expression);
    if (result.ok) return {kind: 'succeeded', text: result.text};
    const {code, offset, message} = result.problem;
    return {kind: 'refused', code, message: `expression, offset ${offset}: ${message}`};
  },
});

type Calculation =
  | {
      readonly ok: true;
      /** As Python's repr: all digits of an integer; a float has a point or an exponent. */
      readonly text: string;
    }
  | {readonly ok: false; readonly problem: Problem};

/** Never throws, for any text; returns within milliseconds. */
export function calculate(expression: string): Calculation {
  try {
    const value = evaluate(parse(expression));
    return {ok: true, text: typeof value === 'bigint' ? String(value) : floatText(value)};
  } catch (error) {
    if (error instanceof ProblemMet) return {ok: false, problem: error.problem};
    throw error;
  }
}

function evaluate(steps: readonly Step[]): Value {
  const values: Value[] = [];
  for (const step of steps) values.push(perform(step, values));
  return pop(values);
}

function perform(step: Step, values: Value[]): Value {
  if (step.kind === 'push') return withinBits(step.value, step.offset);
  const right = pop(values);
  if (step.kind === 'negate') return -right;
  return apply(step.operator, pop(values), right, step.offset);
}

function pop(values: Value[]): Value {
  const value = values.pop();
  if (value === undefined) throw new Error('an operator without an operand was parsed');
  return value;
}

const maxLength = 10_000;
const maxDepth = 100;

type Step =
  | {readonly kind: 'push'; readonly value: Value; readonly offset: number}
  | {readonly kind: 'negate'}
  | {readonly kind: 'apply'; readonly operator: Operator; readonly offset: number};

/** How tightly an operator binds its left side. A sign binds tighter than `*` and looser than `**`; it may be the right operand of `**`. */
const strengths: Readonly<Record<Operator, number>> = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '//': 2,
  '%': 2,
  '**': 4,
};
const signStrength = 3;

interface Reading {
  readonly tokens: Iterator<Token, void>;
  readonly steps: Step[];
  token: Token;
}

/** Throws ProblemMet. */
function parse(expression: string): readonly Step[] {
  if (expression.length > maxLength) throw oversized(expression);
  const token: Token = {kind: 'end', text: 'the end', offset: 0};
  const reading: Reading = {tokens: tokenize(expression), steps: [], token};
  advance(reading);
  readExpression(reading, 0, 0);
  if (reading.token.kind !== 'end') throw expected(reading.token, 'an operator or the end');
  return reading.steps;
}

/** Advances to the next token and returns the previous one. */
function advance(reading: Reading): Token {
  const {token} = reading;
  const next = reading.tokens.next();
  if (next.done !== true) reading.token = next.value;
  return token;
}

/** An operand, and every operator after it that binds at least as tightly as `strength`. */
function readExpression(reading: Reading, strength: number, depth: number): void {
  readOperand(reading, depth);
  for (
    let operator = reading.token;
    operator.kind === 'operator' && strengths[operator.text] >= strength;
    operator = reading.token
  ) {
    advance(reading);
    const {text, offset} = operator;
    if (text === '**') readExpression(reading, signStrength, deeper(operator, depth));
    else readExpression(reading, strengths[text] + 1, depth);
    reading.steps.push({kind: 'apply', operator: text, offset});
  }
}

function readOperand(reading: Reading, depth: number): void {
  const token = advance(reading);
  if (token.kind === 'number') {
    reading.steps.push({kind: 'push', value: token.value, offset: token.offset});
  } else if (token.text === '+' || token.text === '-') {
    readExpression(reading, signStrength, deeper(token, depth));
    if (token.text === '-') reading.steps.push({kind: 'negate'});
  } else if (token.kind === 'open') {
    readExpression(reading, 0, deeper(token, depth));
    if (reading.token.kind !== 'close') throw expected(reading.token, 'an operator or ")"');
    advance(reading);
  } else {
    throw expected(token, 'a number, a sign or "("');
  }
}

function deeper({offset}: Token, depth: number): number {
  if (depth < maxDepth) return depth + 1;
  throw tooDeep(offset);
}

/** Reports deep nesting rather than the length: a text of this size most likely nests too deeply. */
function oversized(expression: string): ProblemMet {
  let depth = 0;
  for (let at = 0; at < maxLength; at += 1) {
    if (expression[at] === '(') depth += 1;
    if (expression[at] === ')') depth -= 1;
    if (depth > maxDepth) return tooDeep(at);
  }
  const message = `the expression has ${expression.length} characters; at most ${maxLength} are read`;
  return new ProblemMet('too_long', maxLength, message);
}

function tooDeep(offset: number): ProblemMet {
  return new ProblemMet('too_deep', offset, `nested more than ${maxDepth} levels deep`);
}

function expected(token: Token, what: string): ProblemMet {
  return new ProblemMet('syntax', token.offset, `expected ${what}, found ${tokenText(token)}`);
}

/** Exact when an integer, a float otherwise, as in Python. */
type Value = bigint | number;

/** Longer operators first: the first match is taken. */
const operators = ['**', '//', '+', '-', '*', '/', '%'] as const;

type Operator = (typeof operators)[number];

interface Placed {
  readonly offset: number;
}

type Token = Placed &
  (
    | {readonly kind: 'number'; readonly value: Value; readonly text: string}
    | {readonly kind: 'operator'; readonly text: Operator}
    | {readonly kind: 'open' | 'close' | 'end'; readonly text: string}
  );

const blank = /[ \t\r\n]*/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const word = /[A-Za-z_]\w*/y;

const hints: Readonly<Record<string, string>> = {
  '^': '; powers are written **',
  ',': '; write numbers without separators',
  '×': '; use *',
  '÷': '; use /',
  '−': '; use the ASCII -',
};

/** The last one is of kind `end`. Throws ProblemMet where the text stops making sense. */
function* tokenize(expression: string): Generator<Token, void> {
  let at = 0;
  for (;;) {
    const offset = at + matchAt(blank, expression, at).length;
    if (offset === expression.length) return yield {kind: 'end', text: 'the end', offset};
    const token = numberAt(expression, offset) ?? markAt(expression, offset);
    if (!token) throw strange(expression, offset);
    yield token;
    at = offset + token.text.length;
  }
}

/** The token's text in a message; a long number is cut. */
function tokenText({kind, text}: Token): string {
  if (kind === 'end') return text;
  return text.length > 40 ? `"${text.slice(0, 40)}…"` : `"${text}"`;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function numberAt(expression: string, offset: number): Token | undefined {
  const text = matchAt(number, expression, offset);
  if (text === '') return undefined;
  return {kind: 'number', value: parseNumber(text, offset), text, offset};
}

function parseNumber(text: string, offset: number): Value {
  if (!/^\d+$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    throw new ProblemMet('not_finite', offset, `${text.slice(0, 40)} is too large for a float`);
  }
  if (!/^0+[1-9]/.test(text)) return BigInt(text);
  throw new ProblemMet('syntax', offset, `found ${text.slice(0, 40)}; leave out the leading zeros`);
}

function markAt(expression: string, offset: number): Token | undefined {
  const operator = operators.find((each) => expression.startsWith(each, offset));
  if (operator) return {kind: 'operator', text: operator, offset};
  const text = expression[offset];
  if (text === '(') return {kind: 'open', text, offset};
  return text === ')' ? {kind: 'close', text, offset} : undefined;
}

function strange(expression: string, offset: number): ProblemMet {
  const name = matchAt(word, expression, offset).slice(0, 40);
  if (name !== '') {
    return new ProblemMet('syntax', offset, `found "${name}"; names and functions are not known`);
  }
  const character = String.fromCodePoint(expression.codePointAt(offset) ?? 0);
  const found = `found ${spelled(character)}${hints[character] ?? ''}`;
  return new ProblemMet('syntax', offset, found);
}

/** Characters that resemble digits and signs are shown with their code point. */
function spelled(character: string): string {
  const safe = escapeLine(character);
  const code = character.codePointAt(0) ?? 0;
  if (safe !== character || code < 0x7f) return `"${safe}"`;
  return `"${character}" (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

/** About 6,020 digits. */
const maxBits = 20_000;

/** Throws ProblemMet, before it computes anything large. */
function apply(operator: Operator, left: Value, right: Value, offset: number): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return withinBits(onIntegers[operator](left, right, offset), offset);
  }
  const result = onFloats[operator](toFloat(left, offset), toFloat(right, offset), offset);
  if (Number.isFinite(result)) return result;
  throw new ProblemMet('not_finite', offset, `the result of ${operator} is too large for a float`);
}

/** Throws ProblemMet. */
function withinBits(value: Value, offset: number): Value {
  if (typeof value === 'number' || isSafe(value) || bitLength(value) <= maxBits) return value;
  throw tooLarge(offset);
}

function tooLarge(offset: number): ProblemMet {
  const limit = `more than ${maxBits} bits (6020 digits)`;
  return new ProblemMet('range', offset, `the integer would have ${limit}`);
}

function toFloat(value: Value, offset: number): number {
  const float = Number(value);
  if (Number.isFinite(float)) return float;
  throw new ProblemMet('range', offset, 'an integer is too large to be used with a float');
}

type Operation<Operand, Result> = (left: Operand, right: Operand, offset: number) => Result;

const onIntegers: Readonly<Record<Operator, Operation<bigint, Value>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': multiply,
  '/': divideTruly,
  '//': (left, right, offset) => {
    const quotient = left / nonZero(right, offset);
    return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
  },
  '%': (left, right, offset) => {
    const rest = left % nonZero(right, offset);
    return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
  },
  '**': (left, right, offset) =>
    right < 0n
      ? raiseFloat(toFloat(left, offset), toFloat(right, offset), offset)
      : raise(left, right, offset),
};

const onFloats: Readonly<Record<Operator, Operation<number, number>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right, offset) => left / nonZero(right, offset),
  '//': (left, right, offset) => floorFloat(left, nonZero(right, offset)),
  '%': (left, right, offset) => restFloat(left, nonZero(right, offset)),
  '**': raiseFloat,
};

function nonZero<Operand extends Value>(right: Operand, offset: number): Operand {
  if (right) return right;
  throw new ProblemMet('division_by_zero', offset, 'division by zero');
}

/** Two factors have at most one bit more than their product. */
function multiply(left: bigint, right: bigint, offset: number): bigint {
  if (isSafe(left) && isSafe(right)) return left * right;
  if (bitLength(left) + bitLength(right) - 1 > maxBits) throw tooLarge(offset);
  return left * right;
}

function divideTruly(left: bigint, right: bigint, offset: number): number {
  const quotient = nearestQuotient(left, nonZero(right, offset));
  if (Number.isFinite(quotient)) return quotient;
  throw new ProblemMet('range', offset, 'the result of / is too large for a float');
}

function raise(base: bigint, exponent: bigint, offset: number): bigint {
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (BigInt(bitLength(base) - 1) * exponent >= maxBits) throw tooLarge(offset);
  return base ** exponent;
}

/** Squares and square roots are rounded correctly here; a C library's `pow`, and so Python, may miss the last bit. */
function raiseFloat(base: number, exponent: number, offset: number): number {
  if (base === 0 && exponent < 0) {
    throw new ProblemMet('division_by_zero', offset, 'zero raised to a negative power');
  }
  if (base < 0 && !Number.isInteger(exponent)) {
    const message = 'a negative number raised to a fraction is not a real number';
    throw new ProblemMet('range', offset, message);
  }
  const result = base ** exponent;
  if (Number.isFinite(result)) return result;
  throw new ProblemMet('range', offset, 'the result of ** is too large for a float');
}

/** CPython's float_rem: zero has the sign of the divisor too. */
function restFloat(left: number, right: number): number {
  const rest = left % right;
  if (rest === 0) return right < 0 ? -0 : 0;
  return rest < 0 === right < 0 ? rest : rest + right;
}

/** CPython's float_floor_div: a zero has the sign of the exact quotient. */
function floorFloat(left: number, right: number): number {
  const rest = left % right;
  const isOff = rest !== 0 && rest < 0 !== right < 0;
  const quotient = (left - rest) / right - (isOff ? 1 : 0);
  if (quotient === 0) return Object.is(left / right, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** A float has this many bits. */
const floatBits = 53;
/** The last bit of the smallest float has the value 2 ** lowestBit. */
const lowestBit = -1_074;

const safe = BigInt(Number.MAX_SAFE_INTEGER);

function isSafe(value: bigint): boolean {
  return value <= safe && value >= -safe;
}

/** The length of the absolute value in bits: 0 for 0, 3 for 5. */
function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return (hex.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(hex.slice(0, 1), 16));
}

/** The float nearest to the exact quotient, ties to even; infinite when that is too large. `divisor` is not 0. */
function nearestQuotient(dividend: bigint, divisor: bigint): number {
  if (isSafe(dividend) && isSafe(divisor)) return Number(dividend) / Number(divisor);
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [dividend, divisor].map((value) => (value < 0n ? -value : value));
  const size = positiveQuotient(over ?? 0n, under ?? 1n);
  return isNegative ? -size : size;
}

function positiveQuotient(dividend: bigint, divisor: bigint): number {
  const least = bitLength(dividend) - bitLength(divisor) - floatBits;
  const lastBit = Math.max(least, lowestBit);
  const quotient = roundedInUnits(dividend, divisor, lastBit);
  const fits = bitLength(quotient) <= floatBits;
  return fits
    ? Number(quotient) * 2 ** lastBit
    : Number(roundedInUnits(dividend, divisor, lastBit + 1)) * 2 ** (lastBit + 1);
}

/** The quotient in units of 2 ** `unit`, rounded to a whole number, ties to even. */
function roundedInUnits(dividend: bigint, divisor: bigint, unit: number): bigint {
  const over = unit < 0 ? dividend << BigInt(-unit) : dividend;
  const under = unit < 0 ? divisor : divisor << BigInt(unit);
  const whole = over / under;
  const twiceRest = (over % under) * 2n;
  const isUp = twiceRest > under || (twiceRest === under && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** The shortest text that reads as this float, as Python writes it: `2.0`, `1e+16`, `1e-05`. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) return Number.isInteger(value) ? `${value}.0` : `${value}`;
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${size}`;
}

type ProblemCode =
  | 'syntax'
  | 'too_long'
  | 'too_deep'
  /** An integer beyond the limit or too large for a float, a power that is too large or not real. */
  | 'range'
  | 'division_by_zero'
  /** A float beyond the largest one. */
  | 'not_finite';

interface Problem {
  readonly code: ProblemCode;
  /** In the expression, UTF-16 code units from 0. */
  readonly offset: number;
  readonly message: string;
}

/** Carries a problem out of a calculation. Never leaves this file. */
class ProblemMet extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, offset: number, message: string) {
    super(message);
    this.problem = {code, offset, message};
  }
}
