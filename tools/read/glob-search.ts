/** glob_search: the files whose path matches a pattern, with their sizes. */

import {z} from 'zod';

import {countArgument, defineTool, pathArgument} from '../tool.ts';

const defaultResults = 200;
const maxResults = 2_000;

export const globSearch = defineTool({
  name: 'glob_search',
  description:
    'List files whose path matches a glob pattern (*, ?, [a-z], {a,b}, ** for any folders), one a line: ' +
    'path, tab, size in bytes. Skips .git, node_modules, files named in .gitignore (unless base_dir is inside), links, ' +
    'and hidden files unless the pattern names the dot. ' +
    'The last line says how many files matched when not all are shown.',
  parameters: z.lazy(() =>
    z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(1_000)
        .describe('For example src/**/*.ts, relative to base_dir.'),
      base_dir: pathArgument('The folder to search; the workspace if left out').exactOptional(),
      max_results: countArgument(1, maxResults, `Default ${defaultResults}.`).exactOptional(),
    }),
  ),
  does: 'reads the list of files',
  reaches: 'workspace',
  quotes: false,
  lists: ['base_dir', 'pattern'],
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 30_000,
  run: async ({max_results: limit = defaultResults, ...args}, {workspace, signal}) => {
    const {findFiles} = await import('./find.ts');
    return await findFiles({...args, limit}, workspace, signal);
  },
});
