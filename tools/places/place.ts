/** A position in a text. */

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** Keys, and indexes in lists: `['fields', 2, 'pattern']`. */
export type PlacePath = readonly (string | number)[];

/** Finds the first position of a key, an entry or a table; that of its nearest parent when it has none itself. */
export type Locate = (path: PlacePath) => Place;

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return {line: before.length, column: (before.at(-1) ?? '').length + 1};
}
