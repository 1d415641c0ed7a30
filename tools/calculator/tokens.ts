/** The tokens of an expression: decimal numbers, operators and parentheses; ASCII only. */

import {escapeLine} from '../escape.ts';
import {ProblemMet} from './problem.ts';

/** Exact when an integer, a float otherwise, as in Python. */
export type Value = bigint | number;

/** Longer operators first: the first match is taken. */
const operators = ['**', '//', '+', '-', '*', '/', '%'] as const;

export type Operator = (typeof operators)[number];

interface Placed {
  readonly offset: number;
}

export type Token = Placed &
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
export function* tokenize(expression: string): Generator<Token, void> {
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
export function tokenText({kind, text}: Token): string {
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
