/** Performs search. */

import type {Source, ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {Glob} from '../read/glob.ts';
import {searchDocuments} from './documents.ts';
import {describeAnswer, type SearchHit} from './hits.ts';
import {parseQuery} from './query.ts';
import {openIndex} from './writer.ts';

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
