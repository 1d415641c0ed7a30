/** search: the passages of the workspace's documents that answer a question, with citations. */

import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import {compileGlob, type Glob} from '../read/glob.ts';
import {countArgument, defineTool, type ToolDefinition} from '../tool.ts';
import type {Searcher} from './searcher.ts';

const maxTopK = 50;
const maxQuery = 2_000;

export interface SearchOptions {
  /** Globs of the documents, relative to the workspace. */
  readonly paths: readonly string[];
  /** The number of passages returned by default. */
  readonly topK: number;
}

const parameters = z.lazy(() =>
  z.strictObject({
    query: z.string().max(maxQuery).describe('A question, or words to look for, in any language.'),
    top_k: countArgument(1, maxTopK, 'How many passages.').exactOptional(),
  }),
);

/** Throws AppError `config` for invalid globs. The index is made at the first call, in memory. */
export function createSearch({
  paths,
  topK,
}: SearchOptions): ToolDefinition<z.infer<typeof parameters>> {
  const globs = paths.map(parsePath);
  const load = async (): Promise<Searcher> => {
    const {createSearcher} = await import('./searcher.ts');
    return createSearcher(globs);
  };
  let searcher: Promise<Searcher> | undefined;
  return defineTool({
    name: 'search',
    description:
      'Search the documents of the workspace by meaning-bearing words; the best passages come first. For each: ' +
      '[number] path:first line-last line, its heading, and the passage verbatim with "> " before each line. ' +
      'Cite path and lines. For exact text in code use grep_search.',
    parameters,
    does: 'searches the documents for {query}',
    reaches: 'workspace',
    quotes: true,
    risk: 'low',
    repeatability: 'repeatable',
    run: async ({query: asked, top_k: count = topK}, {workspace, signal}) => {
      searcher ??= load();
      const search = await searcher;
      return await search({asked, topK: count, workspace, signal});
    },
  });
}

function parsePath(path: string): Glob {
  const glob = compileGlob(path);
  if (glob.ok) return glob.value;
  throw new AppError('config', `search.paths: ${JSON.stringify(path)}: ${glob.denial.message}`);
}
