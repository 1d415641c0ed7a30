/** Labels answers, so that a reader does not see their authors' names. */

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
 * The answers for `reader`: all except its own, in a different order for each reader, so that no author benefits from a
 * position. The same reader and `seed`, such as a proposal's hash, always give the same order.
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
