/** Selects the best answer in a chunk: whole sentences and lines around the densest match. */

import {textWords} from '../text/words.ts';
import {characterAt, cutAt} from './chunks.ts';
import type {Query} from './query.ts';

const maxPassage = 400;
const sentenceEnd = /\n|[.!?][)"'’”]*\s|[。！？][）」』]*/g;

export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Piece extends Range {
  /** The indexes of the terms that occur in it. */
  readonly found: ReadonlySet<number>;
}

/** Offsets into `text`, without blanks at either end. */
export function bestPassage(text: string, {terms}: Query): Range {
  const pieces = piecesOf(text).map(({start, end}): Piece => {
    return {start, end, found: foundIn(text.slice(start, end), terms)};
  });
  const {from, to} = grow(pieces, densest(pieces));
  return trimmed(text, pieces[from]?.start ?? 0, pieces[to]?.end ?? text.length);
}

function piecesOf(text: string): Range[] {
  const pieces: Range[] = [];
  let start = 0;
  for (const {index, 0: seam} of [...text.matchAll(sentenceEnd), {index: text.length, 0: ''}]) {
    const end = characterAt(text, start, index + seam.length);
    while (start < end) {
      const cut = Math.min(end, cutAt(text, start, start + maxPassage));
      if (text.slice(start, cut).trim() !== '') pieces.push({start, end: cut});
      start = cut;
    }
  }
  return pieces;
}

function foundIn(text: string, terms: Query['terms']): Set<number> {
  const words = new Set(textWords(text));
  return new Set(
    terms.flatMap((each, term) => (each.some((word) => words.has(word)) ? [term] : [])),
  );
}

/** The shortest run of pieces, no longer than a passage, in which the most terms occur; the first such. */
function densest(pieces: readonly Piece[]): {from: number; to: number} {
  let best = {from: 0, to: 0, count: 0, length: Infinity};
  for (const [from, {start}] of pieces.entries()) {
    const found = new Set<number>();
    for (const [offset, piece] of pieces.slice(from).entries()) {
      const length = piece.end - start;
      if (offset > 0 && length > maxPassage) break;
      for (const term of piece.found) found.add(term);
      const isBetter = found.size === best.count ? length < best.length : found.size > best.count;
      if (isBetter) best = {from, to: from + offset, count: found.size, length};
    }
  }
  return best.count === 0 ? {from: 0, to: 0} : best;
}

/** Adds the following pieces, then the preceding ones, as long as they fit. */
function grow(
  pieces: readonly Piece[],
  {from, to}: {from: number; to: number},
): {from: number; to: number} {
  const fits = (first: number, last: number): boolean =>
    (pieces[last]?.end ?? Infinity) - (pieces[first]?.start ?? -Infinity) <= maxPassage;
  if (fits(from, to + 1)) return grow(pieces, {from, to: to + 1});
  if (fits(from - 1, to)) return grow(pieces, {from: from - 1, to});
  return {from, to};
}

function trimmed(text: string, start: number, end: number): Range {
  const part = text.slice(start, end);
  const edge = start + part.trimEnd().length;
  const before = characterAt(text, start, edge);
  // A trailing blank may be part of a character, which is then kept whole.
  const last = before < edge ? cutAt(text, before, edge) : before;
  const first = start + part.length - part.trimStart().length;
  return {start: characterAt(text, start, Math.min(first, last)), end: last};
}
