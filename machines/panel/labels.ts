/** Answers shown to a reader without their authors' names. */

import {quickDigest} from '../domain/digest.ts';

export interface Authored {
  /** A seat. */
  readonly by: string;
  readonly text: string;
}

export interface Labelled extends Authored {
  /** `Response A`, `Response B` …, for this reader alone. */
  readonly label: string;
}

/**
 * What `reader` is shown: everybody's answer but its own, in an order that is its own too, so that no place in the row
 * favours anybody. The same reader and `seed`, such as a proposal's hash, always give the same order.
 */
export function labelFor(
  reader: string,
  answers: readonly Authored[],
  seed: string,
): readonly Labelled[] {
  return answers
    .filter(({by}) => by !== reader)
    .map((answer) => ({answer, place: quickDigest(JSON.stringify([seed, reader, answer.by]))}))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({answer: {by, text}}, index) => ({label: `Response ${letters(index)}`, by, text}));
}

/** A … Z, AA, AB … */
function letters(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`;
}
