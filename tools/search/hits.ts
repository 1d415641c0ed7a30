/** The results of a search, and their text for models. */

import {escapeLine} from '../escape.ts';

export interface SearchHit {
  /** Relative to the workspace. */
  readonly path: string;
  /** The first line of the quote; the first line of a document is 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** Offsets of the quote into the document in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Verbatim: `document.slice(start, end)`. */
  readonly quote: string;
  /** Comparable within one answer only. */
  readonly score: number;
  /** The title and the headings above the quote, joined by ` > `; may be empty. */
  readonly heading: string;
}

export interface SearchAnswer {
  /** The best first, at most two per document. */
  readonly hits: readonly SearchHit[];
  /** The number of documents searched. */
  readonly documents: number;
  /** Over half of the documents to be searched were not. */
  readonly missedMost: boolean;
  /** Further remarks, one line each. */
  readonly notes: readonly string[];
}

/**
 * For each hit `[1] path:3-7`, a line with its heading unless it has none, and the quote with `> ` before each of its
 * lines; then the notes and the totals.
 */
export function describeAnswer({hits, documents, notes}: SearchAnswer): string {
  const total =
    documents === 0
      ? 'no file matches the globs of search.paths (--docs)'
      : hits.length === 0
        ? `nothing found in ${counted(documents, 'document')}`
        : `${counted(hits.length, 'passage')} from ${counted(documents, 'document')} searched`;
  return [
    ...hits.map((hit, index) => `${describeHit(hit, index + 1)}\n`),
    ...notes.map((note) => `… ${escapeLine(note)}`),
    total,
  ].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeHit(
  {path, startLine, endLine, heading, quote}: SearchHit,
  number: number,
): string {
  return [
    `[${number}] ${escapeLine(path)}:${startLine}-${endLine}`,
    ...(heading === '' ? [] : [`heading: ${escapeLine(heading)}`]),
    ...quote.split('\n').map((line) => `> ${line}`),
  ].join('\n');
}
