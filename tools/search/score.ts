/** Scores chunks by the words that they share with a question. */

import type {Query} from './query.ts';

/** Okapi BM25: k1 limits the weight of repeated words, b the penalty for long texts. */
const k1 = 1.2;
const b = 0.75;

const weights = {path: 0.75, heading: 1.5, body: 1, characters: 0.5};
const synonymWeight = 0.5;

/** The extra weight of a passage that contains all terms of the question. */
const closenessWeight = 2;
const closeWords = 100;

/** The words of a chunk, field by field. */
export interface Fields {
  readonly path: readonly string[];
  readonly heading: readonly string[];
  readonly body: readonly string[];
  readonly characters: readonly string[];
}

export interface Frequencies {
  /** The number of chunks, and the number of chunks that contain a word. */
  readonly chunks: number;
  readonly of: (word: string) => number;
}

/** One score for each of `candidates`, comparable among them only. */
export function scoresOf(
  candidates: readonly Fields[],
  {terms, characters}: Query,
  frequencies: Frequencies,
): readonly number[] {
  const part = (words: readonly string[], fields: readonly (keyof Fields)[]): Part => ({
    words,
    fields,
    rarity: rarityOf(words, frequencies),
  });
  const parts = [
    ...terms.map((words) => part(words, ['path', 'heading', 'body'])),
    ...characters.map((character) => part([character], ['characters'])),
  ];
  const averages = averageLengths(candidates);
  const close = createCloseness(terms, parts);
  return candidates.map((fields) => {
    const counts = countFields(fields);
    const score = parts.reduce((sum, each) => sum + scorePart(each, fields, counts, averages), 0);
    return score * (1 + closenessWeight * close(fields));
  });
}

interface Part {
  readonly words: readonly string[];
  readonly fields: readonly (keyof Fields)[];
  readonly rarity: number;
}

type Counts = Readonly<Record<keyof Fields, ReadonlyMap<string, number>>>;
type Lengths = Readonly<Record<keyof Fields, number>>;

function rarityOf(words: readonly string[], {chunks, of}: Frequencies): number {
  const found = words.reduce((sum, word) => sum + of(word), 0);
  const holding = Math.min(chunks, found);
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5));
}

function scorePart(part: Part, fields: Fields, counts: Counts, averages: Lengths): number {
  return part.fields.reduce((sum, field) => {
    const times = part.words.reduce(
      (total, word, index) =>
        total + (counts[field].get(word) ?? 0) * (index === 0 ? 1 : synonymWeight),
      0,
    );
    const length = fields[field].length / averages[field];
    const saturated = (times * (k1 + 1)) / (times + k1 * (1 - b + b * length));
    return times === 0 ? sum : sum + weights[field] * part.rarity * saturated;
  }, 0);
}

function countFields({path, heading, body, characters}: Fields): Counts {
  return {
    path: count(path),
    heading: count(heading),
    body: count(body),
    characters: count(characters),
  };
}

function count(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function averageLengths(candidates: readonly Fields[]): Lengths {
  const average = (field: keyof Fields): number => {
    const sum = candidates.reduce((total, fields) => total + fields[field].length, 0);
    return Math.max(1, sum) / Math.max(1, candidates.length);
  };
  return {
    path: average('path'),
    heading: average('heading'),
    body: average('body'),
    characters: average('characters'),
  };
}

/** The share of the question's words, weighted by rarity, in the heading and the best passage together. */
function createCloseness(
  terms: Query['terms'],
  parts: readonly Part[],
): (fields: Fields) => number {
  const rarities = parts.slice(0, terms.length).map(({rarity}) => rarity);
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0);
  const termsOf = new Map<string, number[]>();
  for (const [term, words] of terms.entries()) {
    for (const word of words) termsOf.set(word, [...(termsOf.get(word) ?? []), term]);
  }
  const placesOf = (words: readonly string[]): {at: number; term: number}[] =>
    words.flatMap((word, at) => (termsOf.get(word) ?? []).map((term) => ({at, term})));
  return ({heading, body}) => {
    const held = terms.map(() => 0);
    let sum = 0;
    const change = (term: number, by: number): void => {
      const before = held[term] ?? 0;
      held[term] = before + by;
      if (before === 0 || before + by === 0) sum += Math.sign(by) * (rarities[term] ?? 0);
    };
    for (const {term} of placesOf(heading)) change(term, 1);
    let best = sum;
    const places = placesOf(body);
    let first = 0;
    for (const {at, term} of places) {
      change(term, 1);
      for (; at - (places[first]?.at ?? at) >= closeWords; first += 1) {
        change(places[first]?.term ?? 0, -1);
      }
      best = Math.max(best, sum);
    }
    return best / total;
  };
}
