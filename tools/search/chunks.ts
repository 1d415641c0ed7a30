/** Splits documents into chunks of about 1,200 characters that overlap by about 200 and follow sections and paragraphs. */

import {characterAt, cutAt, firstSeam, lastSeam} from './cuts.ts';
import {sectionsOf} from './sections.ts';

const maxChunk = 1_200;
const overlap = 200;
/** A short remainder is added to the last chunk. */
const maxLast = maxChunk + overlap;

export interface Chunk {
  /** Offsets into the document in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The line of `start`; the first line is 1. */
  readonly line: number;
  /** The title and the headings above, the outermost first. */
  readonly heading: string;
  /** The document from `start` to `end`, verbatim. */
  readonly text: string;
}

/** In the document's order. Every character except blanks is in at least one chunk. */
export function* chunksOf(path: string, text: string): Generator<Chunk> {
  let line = 1;
  let counted = 0;
  for (const {start: first, end: last, headings} of sectionsOf(path, text)) {
    for (const [start, end] of rangesOf(text, first, last)) {
      line += countLines(text.slice(counted, start));
      counted = start;
      const piece = text.slice(start, end);
      if (piece.trim() === '') continue;
      yield {start, end, line, heading: headings.join(' > '), text: piece};
    }
  }
}

function* rangesOf(
  text: string,
  first: number,
  last: number,
): Generator<readonly [number, number]> {
  let start = first;
  while (last - start > maxLast) {
    const high = start + maxChunk;
    const end = cutAt(text, start, lastSeam(text, start + (maxChunk * 2) / 3, high) ?? high);
    if (end >= last) break;
    yield [start, end];
    start = resume(text, start, end);
  }
  yield [start, last];
}

/** The start of the chunk that follows the one from `start` to `end`: a little before `end`. */
function resume(text: string, start: number, end: number): number {
  const low = Math.max(start, end - overlap * 1.5);
  const seam = firstSeam(text, low, end - overlap / 2) ?? end - overlap;
  const place = characterAt(text, start, seam);
  return place > start ? place : end;
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
