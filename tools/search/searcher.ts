/** Performs search: updates the index, queries it, and cites the best passages. */

import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';

import type {Source, ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {Glob} from '../read/glob.ts';
import {textWords} from '../text/words.ts';
import {characterAt, countLines, cutAt} from './chunks.ts';
import {type FoundDocument, listDocuments, type ListRequest} from './list-documents.ts';
import {parseQuery, type Query, type Fields, type Frequencies, scoresOf} from './query.ts';
import {openIndex, updateIndex} from './update.ts';

interface Wanted {
  readonly asked: string;
  readonly topK: number;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

export type Searcher = (wanted: Wanted) => Promise<ToolOutcome>;

/** `globs` select the documents. Reads nothing until it is called. */
export function createSearcher(globs: readonly Glob[]): Searcher {
  const index = openIndex();
  return async ({asked, topK, workspace, signal}) => {
    const query = parseQuery(asked);
    if (!query) {
      const message = 'query: there is no word in it; ask a question or name what to look for';
      return {kind: 'refused', code: 'query_empty', message};
    }
    const answer = await searchDocuments(index, {workspace, globs, query, topK, signal});
    if (!answer) return {kind: 'cancelled', message: 'the search was cancelled'};
    return {
      kind: 'succeeded',
      text: describeAnswer(answer),
      sources: answer.hits.map(sourceOf),
      ...(answer.missedMost ? {missedMost: true} : {}),
    };
  };
}

function sourceOf({path, startLine, endLine, quote}: SearchHit): Source {
  return {place: `${escapeLine(path)}:${startLine}-${endLine}`, quote};
}

const maxHitsADocument = 2;

const skipReasons: Readonly<Record<string, string>> = {
  binary: 'binary',
  encoding: 'not in UTF-8',
  too_large: 'over 2 MB',
  credentials: 'that may hold credentials',
  path_characters: 'with characters in the name that no tool takes',
  io: 'unreadable',
};

interface SearchRequest extends ListRequest {
  readonly query: Query;
  readonly topK: number;
}

/** Undefined when aborted. Rejects only for bugs. */
export async function searchDocuments(
  index: DatabaseSync,
  {workspace, globs, query, topK, signal}: SearchRequest,
): Promise<SearchAnswer | undefined> {
  const {documents: wanted, ...listing} = await listDocuments({workspace, globs, signal});
  if (signal.aborted) return undefined;
  await updateIndex(index, workspace, wanted, signal);
  if (signal.aborted) return undefined;
  const {files, skipped} = filesOf(index, workspace, wanted);
  return {
    hits: cite(rank(index, files, query), query, topK),
    documents: files.length,
    missedMost: listing.missedMost || missed(skipped) > files.length,
    notes: [...describeSkipped(skipped), ...listing.notes],
  };
}

interface Files {
  /** Their ids in the index. */
  readonly files: readonly number[];
  /** The number of files that are not searched, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

function filesOf(index: DatabaseSync, workspace: string, wanted: readonly FoundDocument[]): Files {
  const paths = new Set(wanted.map(({path}) => path));
  const files: number[] = [];
  const skipped = new Map<string, number>();
  let unreadable = paths.size;
  const rows = index.prepare('SELECT id, path, denied FROM files WHERE root = ?').all(workspace);
  for (const {id, path, denied} of rows) {
    if (!paths.has(String(path))) continue;
    unreadable -= 1;
    const reason = typeof denied === 'string' ? (skipReasons[denied] ?? denied) : undefined;
    if (reason === undefined) files.push(Number(id));
    else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  if (unreadable > 0) skipped.set('unreadable', unreadable);
  return {files, skipped};
}

/** Skipping a binary file loses no words. */
function missed(skipped: ReadonlyMap<string, number>): number {
  return [...skipped].reduce((sum, [reason, count]) => sum + (reason === 'binary' ? 0 : count), 0);
}

function describeSkipped(skipped: ReadonlyMap<string, number>): string[] {
  if (skipped.size === 0) return [];
  const counts = [...skipped].map(([reason, count]) => `${count} ${reason}`);
  return [`files not searched: ${counts.join(', ')}`];
}

function cite(ranked: readonly Ranked[], query: Query, topK: number): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const chunk of ranked) {
    if (hits.length >= topK) break;
    const others = hits.filter(({path}) => path === chunk.path);
    if (others.length >= maxHitsADocument) continue;
    const hit = toHit(chunk, query);
    if (others.every(({start, end}) => hit.end <= start || end <= hit.start)) hits.push(hit);
  }
  return hits;
}

function toHit({path, start, line, heading, text, score}: Ranked, query: Query): SearchHit {
  const passage = bestPassage(text, query);
  const quote = text.slice(passage.start, passage.end);
  const startLine = line + countLines(text.slice(0, passage.start));
  return {
    path,
    startLine,
    endLine: startLine + countLines(quote),
    start: start + passage.start,
    end: start + passage.end,
    quote,
    score,
    heading,
  };
}

interface Ranked {
  readonly path: string;
  readonly start: number;
  readonly line: number;
  readonly heading: string;
  readonly text: string;
  readonly score: number;
}

/**
 * FTS5 finds the candidates; they are scored again, because its BM25 weighs a word in a title hardly more than one
 * in the text. The order of the joins is fixed: otherwise SQLite would scan all chunks and look up the words of each.
 */
const candidates = `
  WITH best AS (
    SELECT words.rowid AS id, bm25(words, 2, 3, 1, 0.5) AS rank
    FROM words CROSS JOIN chunks ON chunks.id = words.rowid
    WHERE words MATCH ? AND chunks.file IN (SELECT value FROM json_each(?))
    ORDER BY rank LIMIT 300
  )
  SELECT files.path, chunks.start, chunks.line, chunks.heading, chunks.text,
    words.path AS path_words, words.heading AS heading_words, words.body AS body_words, words.characters
  FROM best CROSS JOIN chunks USING (id) CROSS JOIN words ON words.rowid = best.id
    CROSS JOIN files ON files.id = chunks.file
`;

/** `files`: the ids of the files to search. */
export function rank(index: DatabaseSync, files: readonly number[], query: Query): Ranked[] {
  const rows = index.prepare(candidates).all(query.expression, JSON.stringify(files));
  const scores = scoresOf(rows.map(toFields), query, frequenciesOf(index));
  return rows
    .map((row, place) => toRanked(row, scores[place] ?? 0))
    .toSorted(
      (one, other) =>
        other.score - one.score || compare(one.path, other.path) || one.start - other.start,
    );
}

function frequenciesOf(index: DatabaseSync): Frequencies {
  const find = index.prepare('SELECT doc FROM vocabulary WHERE term = ?');
  const {chunks} = index.prepare('SELECT count(*) AS chunks FROM chunks').get() ?? {};
  return {chunks: Number(chunks), of: (word) => Number(find.get(word)?.['doc'] ?? 0)};
}

type Row = Record<string, SQLOutputValue>;

function toFields(row: Row): Fields {
  return {
    path: split(row['path_words']),
    heading: split(row['heading_words']),
    body: split(row['body_words']),
    characters: split(row['characters']),
  };
}

function split(words: unknown): readonly string[] {
  return String(words).split(' ').filter(Boolean);
}

function toRanked(row: Row, score: number): Ranked {
  return {
    path: String(row['path']),
    start: Number(row['start']),
    line: Number(row['line']),
    heading: String(row['heading']),
    text: String(row['text']),
    score,
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

// The results of a search, and their text for models.

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

// Selects the best answer in a chunk: whole sentences and lines around the densest match.

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
