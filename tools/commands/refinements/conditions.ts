/** Conditions: `test`, `[` and `[[`. They only check whether a place exists. */

import type {Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {isSure} from './given.ts';
import {withUnknown} from './refine.ts';

/** Variables of the shell that always contain numbers. */
const numbers = new Set(['$?', '$#', '$$', '$!']);

const compares = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function isNumber({text, known}: Word): boolean {
  return known ? /^[-+]?\w*$/.test(text) : numbers.has(text);
}

/** `[ -v a[$(id)] ]` runs the command in the subscript; a word that is split may be both of these. */
function readTest(reading: Reading, {args}: Invocation): Reading {
  const risky = args.find((word, index) => {
    const before = args[index - 1];
    if (numbers.has(word.text)) return false;
    if (!word.known && !word.quoted) return true;
    if (!word.known) return before?.text === '-v' || before?.known === false;
    return /\[.*[$`]/s.test(word.text);
  });
  return risky ? withUnknown(reading, risky.text, 'may be an operator, or be calculated') : reading;
}

/** Operands that are compared as numbers are evaluated first: `[[ a[$(id)] -eq 0 ]]` runs id. */
function readDouble(reading: Reading, {args}: Invocation): Reading {
  const calculated = args.find((word, index) => {
    const before = args[index - 1]?.text ?? '';
    const isCompared = compares.has(before) || compares.has(args[index + 1]?.text ?? '');
    return (
      (isCompared && !isNumber(word)) ||
      (before === '-v' && (!isSure(word) || /\[/.test(word.text)))
    );
  });
  return calculated
    ? withUnknown(reading, calculated.text, 'is evaluated, which may run commands in it')
    : reading;
}

export const conditions: Refinements = {
  readTest,
  readDouble,
};
