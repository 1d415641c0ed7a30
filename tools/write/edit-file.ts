/** edit_file: replaces one exact passage of a file by another. */

import {z} from 'zod';

import {pathArgument} from '../arguments.ts';
import {defineTool} from '../tool.ts';

const maxPassageChars = 1_000_000;

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replace old_text by new_text in a file. old_text must occur exactly once, character for character: ' +
    'include enough of its surroundings.',
  parameters: z.lazy(() =>
    z.strictObject({
      path: pathArgument('The file'),
      old_text: z.string().min(1).max(maxPassageChars).describe('The old passage.'),
      new_text: z.string().max(maxPassageChars).describe('The new passage.'),
    }),
  ),
  reaches: 'workspace',
  quotes: false,
  writes: ['path'],
  puts: 'new_text',
  replaces: 'old_text',
  risk: 'high',
  repeatability: 'checkable',
  timeoutMs: 30_000,
  run: async (args, context) => {
    const {makeEdit} = await import('./edit.ts');
    return await makeEdit(args, context);
  },
  preview: async (args, context) => {
    const {previewEdit} = await import('./edit.ts');
    return await previewEdit(args, context);
  },
});
