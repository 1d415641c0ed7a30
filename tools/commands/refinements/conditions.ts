/** Conditions: `test`, `[` and `[[`. They look whether a place is there, no more. */

import type {Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {isSure} from './given.ts';
import {withUnknown} from './refine.ts';

/** Variables of the shell that always hold numbers. */
const numbers = new Set(['$?', '$#', '$$', '$!']);

const compares = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

function isNumber({text, known}: Word): boolean {
  return known ? /^[-+]?\w*$/.test(text) : numbers.has(text);
}

/** `[ -v a[$(id)] ]` runs what the subscript says; a word that falls apart may be both of these. */
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

/** What is compared as a number is calculated first: `[[ a[$(id)] -eq 0 ]]` runs id. */
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
    ? withUnknown(reading, calculated.text, 'is calculated, which may run what stands in it')
    : reading;
}

export const conditions: Refinements = {
  readTest,
  readDouble,
};
