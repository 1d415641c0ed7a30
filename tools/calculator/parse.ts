/** A Pratt parser: an expression as the steps that compute it, operands first. */

import {ProblemMet} from './problem.ts';
import {tokenText, type Operator, type Token, tokenize, type Value} from './tokens.ts';

const maxLength = 10_000;
const maxDepth = 100;

export type Step =
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
export function parse(expression: string): readonly Step[] {
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
