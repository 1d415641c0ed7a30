/** Replaces the doubt about inline code by its effects, where they are known. */

import type {Act, Arguments, Reading} from '../program.ts';
import {valuesOf} from '../refinements/given.ts';
import type {Word} from '../word.ts';

export interface InlineCode {
  /** Undefined: the call has no code, or it is in several pieces. */
  readonly code: Word | undefined;
  /** The options that the code follows, space-separated. */
  readonly option: string;
  /** Undefined: the code may do more than compute and print. */
  readonly read: (code: string) => readonly Act[] | undefined;
}

/** The reading. If the code is known and harmless, the doubts about its option and about the missing operand are left out. */
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

/** The value of an option that is given exactly once. */
export function onlyOf(given: Arguments, option: string): Word | undefined {
  const [value, more] = valuesOf(given, option);
  return more ? undefined : value;
}
