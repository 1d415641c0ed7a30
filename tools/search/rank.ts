/** The chunks that match a question, the best first. */

import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';

import type {Query} from './query.ts';
import {type Fields, type Frequencies, scoresOf} from './score.ts';

export interface Ranked {
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
