/** Performs search. */

import type {Source, ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {Glob} from '../read/glob.ts';
import {searchDocuments} from './documents.ts';
import {describeAnswer, type SearchHit} from './hits.ts';
import {parseQuery} from './query.ts';
import {createShelf} from './shelf.ts';

interface Place {
  /** The globs that select the documents. */
  readonly globs: readonly Glob[];
  /** A path, or `:memory:`. */
  readonly indexFile: string;
}

interface Wanted {
  readonly asked: string;
  readonly topK: number;
  readonly workspace: string;
  readonly signal: AbortSignal;
}

export type Searcher = (wanted: Wanted) => Promise<ToolOutcome>;

/** Opens nothing until it is called. */
export function createSearcher({globs, indexFile}: Place): Searcher {
  const shelf = createShelf(indexFile);
  return async ({asked, topK, workspace, signal}) => {
    const query = parseQuery(asked);
    if (!query) {
      const message = 'query: there is no word in it; ask a question or name what to look for';
      return {kind: 'refused', code: 'query_empty', message};
    }
    const answer = await searchDocuments(shelf, {workspace, globs, query, topK, signal});
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
