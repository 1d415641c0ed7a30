/** Searches documents: updates the index, queries it, and cites the best passages. */

import type {DatabaseSync} from 'node:sqlite';

import {countLines} from './chunks.ts';
import type {SearchAnswer, SearchHit} from './hits.ts';
import {bestPassage} from './passage.ts';
import type {Query} from './query.ts';
import {rank, type Ranked} from './rank.ts';
import {updateIndex} from './update.ts';
import {type FoundDocument, listDocuments, type ListRequest} from './walk/list-documents.ts';

const maxHitsADocument = 2;

const skipReasons: Readonly<Record<string, string>> = {
  binary: 'binary',
  encoding: 'not in UTF-8',
  too_large: 'over 2 MB',
  credentials: 'that may hold credentials',
  path_characters: 'with characters in the name that no tool takes',
  io: 'unreadable',
};

export interface SearchRequest extends ListRequest {
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
