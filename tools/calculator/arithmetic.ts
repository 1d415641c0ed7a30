/** The operators, as in Python: exact for integers, floor division, the divisor's sign for the rest. */

import {ProblemMet} from './problem.ts';
import {bitLength, isSafe, nearestQuotient} from './round.ts';
import type {Operator, Value} from './tokens.ts';

/** About 6,020 digits. */
const maxBits = 20_000;

/** Throws ProblemMet, before it computes anything large. */
export function apply(operator: Operator, left: Value, right: Value, offset: number): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return withinBits(onIntegers[operator](left, right, offset), offset);
  }
  const result = onFloats[operator](toFloat(left, offset), toFloat(right, offset), offset);
  if (Number.isFinite(result)) return result;
  throw new ProblemMet('not_finite', offset, `the result of ${operator} is too large for a float`);
}

/** Throws ProblemMet. */
export function withinBits(value: Value, offset: number): Value {
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
    const quotient = left / divisor(right, offset);
    return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
  },
  '%': (left, right, offset) => {
    const rest = left % divisor(right, offset);
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
  '/': (left, right, offset) => left / divisor(right, offset),
  '//': (left, right, offset) => floorFloat(left, divisor(right, offset)),
  '%': (left, right, offset) => restFloat(left, divisor(right, offset)),
  '**': raiseFloat,
};

function divisor<Operand extends Value>(right: Operand, offset: number): Operand {
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
  const quotient = nearestQuotient(left, divisor(right, offset));
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
