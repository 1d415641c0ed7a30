/** Puts what inline code does in place of the doubt about it. */

import type {Act, Arguments, Reading} from '../program.ts';
import {valuesOf} from '../refinements/given.ts';
import type {Word} from '../word.ts';

export interface InlineCode {
  /** Undefined: the call has none, or not in one piece. */
  readonly code: Word | undefined;
  /** The options that it follows, space-separated. */
  readonly option: string;
  /** Undefined: it can't be told that the code only computes and prints. */
  readonly read: (code: string) => readonly Act[] | undefined;
}

/** The reading, where the code is known and harmless without the doubts about its option and its absent operand. */
export function withInlineCode(reading: Reading, {code, option, read}: InlineCode): Reading {
  const acts = code?.known && !code.pattern ? read(code.text) : undefined;
  if (!acts) return reading;
  const options = option.split(' ');
  const unknown = reading.unknown.filter(
    ({word, why}) =>
      !options.includes(word) && !/^(?:has too few operands|runs what it reads)/.test(why),
  );
  return {...reading, acts: [...reading.acts, ...acts], unknown};
}

/** The value of an option that is given once. */
export function onlyOf(given: Arguments, option: string): Word | undefined {
  const [value, more] = valuesOf(given, option);
  return more ? undefined : value;
}
