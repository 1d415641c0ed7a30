/** grep_search: the lines that match a pattern, with their places. */

import {z} from 'zod';

import {countArgument, defineTool, pathArgument} from '../tool.ts';

export const grepSearch = defineTool({
  name: 'grep_search',
  description:
    'Find lines by a JavaScript regular expression. Returns path:line: text, 200 matches at most, then the totals. ' +
    'path is a file or a folder; file_pattern is a glob such as *.ts. ' +
    'Skips binary files, text that is not UTF-8 (reported), files over 2 MB, links, .git, node_modules, ' +
    'files that may hold credentials (reported), and files hidden or named in .gitignore unless named.',
  parameters: z.lazy(() =>
    z.strictObject({
      pattern: z.string().min(1).describe('Regular expression, or plain text.'),
      path: pathArgument('File or folder to search; the workspace if left out').exactOptional(),
      file_pattern: z.string().min(1).max(1_000).describe('Only files that match.').exactOptional(),
      context_lines: countArgument(0, 10, 'Lines to show around each match.').exactOptional(),
      case_insensitive: z.boolean().exactOptional(),
    }),
  ),
  does: 'searches the files for {pattern}',
  reaches: 'workspace',
  quotes: true,
  reads: ['path'],
  lists: ['file_pattern'],
  cites: false,
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 60_000,
  run: async (args, {workspace, signal}) => {
    const {findLines} = await import('./find.ts');
    return await findLines(args, workspace, signal);
  },
});
