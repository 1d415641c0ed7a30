/** write_file: a file with exactly this content, whole or not at all. */

import {z} from 'zod';

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {pathArgument} from '../arguments.ts';
import {sha256} from '../read/read.ts';
import {defineTool} from '../tool.ts';
import {previewChange, toPreview} from './change.ts';
import {baseOf, missingFolder, readForWrite, writeInside} from './write.ts';

const maxContentChars = 2_000_000;

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Create a text file, or replace its whole content.',
  parameters: z.strictObject({
    path: pathArgument('The file'),
    content: z.string().max(maxContentChars).describe('The whole new content.'),
    create_dirs: z.boolean().describe('Make missing folders. Default false.').exactOptional(),
  }),
  reaches: 'workspace',
  quotes: false,
  writes: ['path'],
  puts: 'content',
  risk: 'high',
  repeatability: 'checkable',
  timeoutMs: 30_000,
  run: async (args, {workspace, basedOn, recovering, onReplace}): Promise<ToolOutcome> => {
    const content = args.content.toWellFormed();
    const current = readForWrite(workspace, args.path);
    if (!current.ok) return current.denial;
    const {path, before} = current.value;
    if (recovering && baseOf(before) === sha256(content)) {
      return {kind: 'succeeded', text: `${path} was already written`, written: [path]};
    }
    const createDirs = args.create_dirs ?? false;
    const order = {workspace, path: args.path, content, createDirs, basedOn, onReplace};
    const done = await writeInside(order);
    if (!done.ok) return done.denial;
    const {bytes, created} = done.value;
    const text = `${created ? 'created' : 'replaced'} ${path} (${bytes} bytes)`;
    return {kind: 'succeeded', text, written: [path]};
  },
  preview: async (args, {workspace}): Promise<PreviewOutcome> => {
    const current = readForWrite(workspace, args.path);
    if (!current.ok) return toPreview(current.denial);
    if (!current.value.folderExists && args.create_dirs !== true) {
      return toPreview(missingFolder(args.path));
    }
    return await previewChange(args, {...current.value, after: args.content.toWellFormed()});
  },
});
