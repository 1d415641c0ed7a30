/** read_file: the text of a file, or some of its lines. */

import {z} from 'zod';

import {maxResultChars} from '../../machines/domain/text-limits.ts';
import {countArgument, defineTool, pathArgument} from '../tool.ts';

const defaultLines = 2_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    `Read a text file. Returns up to ${defaultLines} lines or ${maxResultChars} characters, each after its number ` +
    'and a tab; a last line in brackets says what was left out. offset is the number of the first line, from 1.',
  parameters: z.lazy(() =>
    z.strictObject({
      path: pathArgument('The file'),
      offset: countArgument(1, 100_000_000, 'First line to return, from 1.').exactOptional(),
      limit: countArgument(1, 100_000, 'How many lines to return at most.').exactOptional(),
    }),
  ),
  does: 'reads {path}',
  reaches: 'workspace',
  quotes: true,
  reads: ['path'],
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 30_000,
  run: async ({path, offset: first = 1, limit = defaultLines}, {workspace}) => {
    const {readLines} = await import('./read.ts');
    return readLines({path, first, limit}, workspace);
  },
});
