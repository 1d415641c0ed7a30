/** Performs write_file. */

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {type FileText, sha256, decodedText} from '../read/read.ts';
import type {ToolContext} from '../tool.ts';
import {changesOf, previewChange, toPreview, unchanged, withLook} from './change.ts';
import {
  baseOf,
  missingFolder,
  readForPreview,
  readForWrite,
  type Written,
  writeInside,
} from './write.ts';

type Put = {
  readonly path: string;
  readonly content: string;
  readonly create_dirs?: boolean;
};

export async function put(args: Put, context: ToolContext): Promise<ToolOutcome> {
  const {workspace, basedOn, recovering, onReplace} = context;
  const current = readForWrite(workspace, args.path);
  if (!current.ok) return current.denial;
  const {path, before} = current.value;
  const content = contentFor(before, args.content);
  if (recovering && baseOf(before) === sha256(content)) {
    const outcome = {
      kind: 'succeeded',
      text: `${path} was already written`,
      written: [path],
    } as const;
    return await withLook(outcome, path, context);
  }
  const createDirs = args.create_dirs ?? false;
  const base = basedOn ?? baseOf(before);
  if (before && [base, sha256(content)].every((hash) => hash === baseOf(before)))
    return unchanged(path, before);
  const order = {workspace, path: args.path, content, createDirs, basedOn: base, onReplace};
  const changes = await changesOf({path, before, after: content});
  const done = await writeInside(order);
  if (!done.ok) return done.denial;
  const text = writtenText(done.value, content !== args.content.toWellFormed());
  return await withLook({kind: 'succeeded', text, written: [path], changes}, path, context);
}

export async function previewPut(args: Put, context: ToolContext): Promise<PreviewOutcome> {
  const current = readForPreview(context.workspace, args.path, context.pending);
  if (!current.ok) return toPreview(current.denial);
  if (!current.value.folderExists && args.create_dirs !== true) {
    return toPreview(missingFolder(args.path));
  }
  const after = contentFor(current.value.before, args.content);
  return await previewChange(args, {...current.value, after}, context);
}

function contentFor(before: FileText | undefined, asked: string): string {
  const content = asked.toWellFormed();
  const old = before ? decodedText(before) : undefined;
  return old?.ok === true ? withLineEndsOf(old.value, content) : content;
}

function writtenText({path, bytes, created}: Written, isFitted: boolean): string {
  const ends = isFitted ? ', its lines end in CRLF as before' : '';
  return `${created ? 'created' : 'replaced'} ${path} (${bytes} bytes${ends})`;
}

/**
 * `text` with CRLF for LF where `file` has no other line end than CRLF: models read and write LF. A text that has a CR of
 * its own stays as it is.
 */
function withLineEndsOf(file: string, text: string): string {
  const isCrlf = file.includes('\r\n') && !/(?<!\r)\n/.test(file);
  return isCrlf && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
}
