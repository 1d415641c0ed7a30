/** write_file: writes a file with this content, completely or not at all. */

import {z} from 'zod';

import {defineTool, pathArgument} from '../tool.ts';

const maxContentChars = 2_000_000;

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Create a text file, or replace its whole content. If every line of the old file ends in CRLF, so do the new lines.',
  parameters: z.lazy(() =>
    z.strictObject({
      path: pathArgument('The file'),
      content: z.string().max(maxContentChars).describe('The whole new content.'),
      create_dirs: z.boolean().describe('Make missing folders. Default false.').exactOptional(),
    }),
  ),
  reaches: 'workspace',
  quotes: false,
  writes: ['path'],
  puts: 'content',
  risk: 'high',
  repeatability: 'checkable',
  timeoutMs: 30_000,
  run: async (args, context) => {
    const {put} = await import('./perform.ts');
    return await put(args, context);
  },
  preview: async (args, context) => {
    const {previewPut} = await import('./perform.ts');
    return await previewPut(args, context);
  },
});
