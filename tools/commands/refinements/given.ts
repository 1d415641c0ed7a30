/** Access to the words of a call, for the refinements of the table. */

import type {Arguments, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {withUnknown} from './refine.ts';

/** The last given value: it overrides the others. Names are space-separated. */
export function valueOf(given: Arguments, names: string): Word | undefined {
  return valuesOf(given, names).at(-1);
}

export function valuesOf({options}: Arguments, names: string): readonly Word[] {
  const wanted = names.split(' ');
  return options.flatMap(({name, value}) => (value && wanted.includes(name) ? [value] : []));
}

/** Each of the words must match a form, as it is written; the first that does not is not understood. */
export function fitting(
  reading: Reading,
  words: readonly Word[],
  {form, why}: {readonly form: RegExp; readonly why: string},
): Reading {
  const odd = words.find((word) => !form.test(word.text));
  return odd ? withUnknown(reading, odd.text, why) : reading;
}

export function isSure({known, pattern}: Word): boolean {
  return known && !pattern;
}

/** The words as one, with blanks between them, as `eval` and `watch` join them. */
export function joinedWords(words: readonly Word[]): Word {
  return {
    text: words.map(({text}) => text).join(' '),
    known: words.every(isSure),
    pattern: false,
    quoted: true,
  };
}

const units = 'kmgtpezyrq';

/** The number of bytes in `10M`, `1GiB`, `2kB`; undefined: not a plain size. */
export function bytesOf(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+)([kmgtpezyrq]?)(?:i?b)?$/i.exec(text) ?? [];
  return count === ''
    ? undefined
    : Number(count) * 1024 ** (unit === '' ? 0 : units.indexOf(unit.toLowerCase()) + 1);
}

/** The limit for output without a visible end: enough for any test, too little to fill a disk. */
export const mostBytes = 100 * 1024 * 1024;
