/** Performs edit_file. */

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {type Attempt, failed} from '../containment/denial.ts';
import {type FileFound, sha256, decodedText} from '../read/read.ts';
import type {ToolContext} from '../tool.ts';
import {changesOf, previewChange, toPreview, unchanged, withLook} from './change.ts';
import {withLineEndsOf} from './line-ends.ts';
import {baseOf, readForWrite, writeInside} from './write.ts';

/** The maximum number of bytes hashed to find out whether an edit has already happened. */
const maxCheckedBytes = 200_000_000;

type Edit = {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
};

export async function makeEdit(args: Edit, context: ToolContext): Promise<ToolOutcome> {
  const {workspace, basedOn, recovering, onReplace} = context;
  const found = existing(workspace, args.path);
  if (!found.ok) return found.denial;
  const {path, before, text} = found.value;
  if (recovering && basedOn !== undefined && isDone(text, args, basedOn)) {
    const outcome = {
      kind: 'succeeded',
      text: `${path} was already edited`,
      written: [path],
    } as const;
    return await withLook(outcome, path, context);
  }
  // A file that changed since the preview is stale, even if the passage still occurs in it.
  if (basedOn !== undefined && baseOf(before) !== basedOn) return stale(path);
  const content = replaceOnce(path, text, args);
  if (!content.ok) return content.denial;
  if (content.value === text) return unchanged(path, before);
  const order = {
    workspace,
    path: args.path,
    content: content.value,
    createDirs: false,
    onReplace,
  };
  const changes = await changesOf({path, before, after: content.value});
  const done = await writeInside({...order, basedOn: baseOf(before)});
  if (!done.ok) return done.denial;
  const report = `edited ${path} (${done.value.bytes} bytes)`;
  return await withLook({kind: 'succeeded', text: report, written: [path], changes}, path, context);
}

export async function previewEdit(args: Edit, context: ToolContext): Promise<PreviewOutcome> {
  const {workspace} = context;
  const found = existing(workspace, args.path);
  if (!found.ok) return toPreview(found.denial);
  const after = replaceOnce(found.value.path, found.value.text, args);
  if (!after.ok) return toPreview(after.denial);
  return await previewChange(args, {...found.value, after: after.value}, context);
}

function existing(
  workspace: string,
  asked: string,
): Attempt<{path: string; before: FileFound; text: string}> {
  const current = readForWrite(workspace, asked);
  if (!current.ok) return current;
  const {path, before} = current.value;
  if (!before) {
    const message = `${path} does not exist; write_file creates files`;
    return {ok: false, denial: failed('not_found', message)};
  }
  const text = decodedText(before);
  return text.ok ? {ok: true, value: {path, before, text: text.value}} : text;
}

function replaceOnce(path: string, text: string, edit: Edit): Attempt<string> {
  const {oldText, newText} = passages(text, edit);
  const first = text.indexOf(oldText);
  if (first >= 0 && text.indexOf(oldText, first + 1) < 0) {
    return {ok: true, value: splice(text, first, oldText.length, newText)};
  }
  const count = placesOf(text, oldText).length;
  const denial =
    count === 0
      ? failed(
          'no_match',
          `old_text does not occur in ${path}; read the file and copy the passage exactly`,
        )
      : failed(
          'ambiguous_match',
          `old_text occurs ${count} times in ${path}; include more of its surroundings`,
        );
  return {ok: false, denial};
}

/** With the file's line ends. */
function passages(text: string, edit: Edit): {oldText: string; newText: string} {
  return {
    oldText: withLineEndsOf(text, edit.old_text.toWellFormed()),
    newText: withLineEndsOf(text, edit.new_text.toWellFormed()),
  };
}

/** Reverting the edit at some position restores the text that it was based on. */
function isDone(text: string, edit: Edit, basedOn: string): boolean {
  const {oldText, newText} = passages(text, edit);
  const tries = Math.floor(maxCheckedBytes / (text.length + 1));
  return placesOf(text, newText)
    .slice(0, tries)
    .some((at) => sha256(splice(text, at, newText.length, oldText)) === basedOn);
}

function splice(text: string, at: number, length: number, insert: string): string {
  return text.slice(0, at) + insert + text.slice(at + length);
}

/** The positions of `part`, overlaps included; every position when it is empty. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && at <= text.length; at = text.indexOf(part, at + 1)) {
    places.push(at);
    if (part === '' && at === text.length) break;
  }
  return places;
}

function stale(path: string): ToolOutcome {
  return failed('stale_base', `${path} has changed since it was looked at; read it again`);
}
