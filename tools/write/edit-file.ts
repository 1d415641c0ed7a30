/** edit_file: replaces passages of a file by others. */

import {z} from 'zod';

import {defineTool, jsonSchemaOf, pathArgument, withJsonSchema} from '../tool.ts';

const maxPassageChars = 1_000_000;
const maxEdits = 100;

const oldPassage = () =>
  z.string().min(1).max(maxPassageChars).describe('The old passage, without line numbers.');
const newPassage = () => z.string().max(maxPassageChars).describe('The new passage.');

function editsArgument() {
  const edit = z.strictObject({
    old_text: oldPassage(),
    new_text: newPassage(),
    replace_all: z.boolean().describe('Replace every occurrence. Default false.').exactOptional(),
  });
  return z.array(edit).min(1).max(maxEdits).describe('The edits, in order.');
}

/** Models are offered `edits`; one edit as `old_text` and `new_text` beside `path` is accepted as well. */
function editArguments() {
  const path = pathArgument('The file');
  const edits = editsArgument();
  const parameters = z
    .strictObject({
      path,
      edits: edits.exactOptional(),
      old_text: oldPassage().exactOptional(),
      new_text: newPassage().exactOptional(),
    })
    .refine(
      ({edits: several, old_text: old, new_text: text}) =>
        several === undefined
          ? old !== undefined && text !== undefined
          : old === undefined && text === undefined,
      'name the edits in edits: [{old_text, new_text}]',
    );
  return withJsonSchema(parameters, jsonSchemaOf(z.strictObject({path, edits})));
}

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replace passages of a text file: all edits are made, in order, or none. Each old_text must occur exactly once, or set ' +
    'replace_all: copy it without the line numbers of read_file, with enough of its surroundings.',
  parameters: z.lazy(editArguments),
  reaches: 'workspace',
  quotes: false,
  writes: ['path'],
  puts: ['edits.new_text', 'new_text'],
  replaces: ['edits.old_text', 'old_text'],
  risk: 'high',
  repeatability: 'checkable',
  timeoutMs: 30_000,
  run: async (args, context) => {
    const {makeEdits} = await import('./perform.ts');
    return await makeEdits(args, context);
  },
  preview: async (args, context) => {
    const {previewEdits} = await import('./perform.ts');
    return await previewEdits(args, context);
  },
});
