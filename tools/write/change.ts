/**
 * The change of one file, as reviewers see it before and everyone sees it afterwards: the diff, the state it is based on,
 * and whether only a person may allow it.
 */

import type {StructuredPatchHunk} from 'diff';

import type {JsonObject} from '../../machines/domain/json.ts';
import type {Change} from '../../machines/domain/patch.ts';
import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {mask} from '../../machines/places/secrets.ts';
import {type Denial, refused} from '../containment/denial.ts';
import {protectedReason} from '../containment/package-files.ts';
import {disarmAfterWrite, repositoryReason} from '../containment/repositories.ts';
import {escapeLine} from '../escape.ts';
import {type FileText, sha256} from '../read/read.ts';
import type {ToolContext} from '../tool.ts';
import {baseOf} from './write.ts';

const maxLines = 1_000;
const maxChars = 60_000;

export interface Rewrite {
  /** Relative to the workspace. */
  readonly path: string;
  readonly before: FileText | undefined;
  readonly after: string;
}

export async function previewChange(
  args: JsonObject,
  {path, before, after}: Rewrite,
  {workspace, request, pending}: Pick<ToolContext, 'workspace' | 'request' | 'pending'>,
): Promise<PreviewOutcome> {
  const old = before?.bytes.toString('utf8');
  if (after.includes(mask) && old?.includes(mask) !== true) return refusedMask(escapeLine(path));
  pending?.set(path, after);
  const protectedBecause =
    protectedReason(path, old, after, request) ?? repositoryReason(workspace, path, after);
  return {
    kind: 'ready',
    args,
    preview: await describe(escapeLine(path), before, after),
    basedOn: baseOf(before),
    ...(protectedBecause === undefined ? {} : {protectedReason: protectedBecause}),
  };
}

/** A model that received masked text could write the mask instead of the secret. */
function refusedMask(path: string): PreviewOutcome {
  return toPreview(
    refused(
      'masked',
      `${path} would hold ${mask}, which stands for a secret: read the value from a setting at run time, or write around it`,
    ),
  );
}

type Success = Extract<ToolOutcome, {kind: 'succeeded'}>;

/** The outcome of a write, with a line for each repository that it must not leave. A person's approval is for this very write. */
export async function withLook(
  outcome: Success,
  path: string,
  {workspace, allowedBy, onReplace}: ToolContext,
): Promise<Success> {
  if (allowedBy === 'person') return outcome;
  const notes = await disarmAfterWrite({workspace, path, onReplace});
  return {
    ...outcome,
    text: [outcome.text, ...notes.map((note) => `[${escapeLine(note)}]`)].join('\n'),
  };
}

/** The outcome of a write that changes nothing. */
export function unchanged(path: string, {bytes}: FileText): Success {
  const text = `${path} is unchanged: it already has exactly this content (${bytes.length} bytes)`;
  return {kind: 'succeeded', text, written: [path], changes: []};
}

/** The changes of a write: none if the file is unchanged; no diff if it was binary. */
export async function changesOf({path, before, after}: Rewrite): Promise<readonly Change[]> {
  if (before && isBinary(before)) return [{path, added: linesIn(after), removed: 0}];
  return await changesOfTexts(path, before?.bytes.toString('utf8'), after);
}

/** `undefined`: the file does not exist. */
export async function changesOfTexts(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<readonly Change[]> {
  const diff = await unifiedDiff(escapeLine(path), before, after);
  if (diff === '') return [];
  const [, , ...lines] = diff.split('\n');
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  return [{path, added, removed, diff: cap(diff, after ?? '')}];
}

function isBinary({bytes}: FileText): boolean {
  return bytes.includes(0);
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

export function toPreview(denial: Denial): PreviewOutcome {
  return {kind: 'refused', code: denial.code, message: denial.message};
}

async function describe(
  path: string,
  before: FileText | undefined,
  after: string,
): Promise<string> {
  if (before && isBinary(before)) {
    return `${path} is binary (${before.bytes.length} bytes) and is replaced by text:\n${cap(await unifiedDiff(path, undefined, after), after)}`;
  }
  const diff = await unifiedDiff(path, before?.bytes.toString('utf8'), after);
  if (diff === '') return `${path} already has exactly this content: nothing changes`;
  return cap(diff, after);
}

function cap(diff: string, after: string): string {
  const lines = diff.split('\n');
  let kept = lines.slice(0, maxLines).join('\n');
  if (kept.length > maxChars) kept = kept.slice(0, maxChars).toWellFormed();
  if (kept.length === diff.length) return diff;
  const left = lines.length - kept.split('\n').length;
  return `${kept}\n[cut: ${left} more lines of ${lines.length}; the whole new content has ${Buffer.byteLength(after)} bytes, SHA-256 ${sha256(after)}]`;
}

// A unified diff of two texts, for people and reviewers.

const contextLines = 3;

/**
 * The time of a comparison grows with the square of this number, independent of the texts' length. With more differing lines
 * everything between the first and the last of them is shown as replaced.
 */
const maxEdits = 400;

/** A unified diff with three lines of context; empty when the texts are the same. `undefined`: the file does not exist. */
export async function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  if (before === after) return '';
  const {structuredPatch} = await import('diff');
  const options = {context: contextLines, maxEditLength: maxEdits};
  const patch = structuredPatch('', '', before ?? '', after ?? '', undefined, undefined, options);
  const hunks = patch?.hunks ?? [replacement(linesOf(before ?? ''), linesOf(after ?? ''))];
  // The library's own header would write non-ASCII names in octal numbers.
  const head = [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ ${after === undefined ? '/dev/null' : `b/${path}`}`,
  ];
  return [...head, ...hunks.flatMap(print)].join('\n');
}

function print(hunk: StructuredPatchHunk): string[] {
  const old = range(hunk.oldStart, hunk.oldLines);
  return [`@@ -${old} +${range(hunk.newStart, hunk.newLines)} @@`, ...hunk.lines];
}

function range(start: number, count: number): string {
  return count === 0 ? `${start - 1},0` : `${start},${count}`;
}

/** With their line ends, so that a last line without one differs from the same line with one. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function replacement(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < shorter - same && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, same - contextLines);
  const oldEnd = before.length - end;
  const lines = [
    ...before.slice(from, same).map((line) => ` ${line}`),
    ...before.slice(same, oldEnd).map((line) => `-${line}`),
    ...after.slice(same, after.length - end).map((line) => `+${line}`),
    ...before.slice(oldEnd, oldEnd + contextLines).map((line) => ` ${line}`),
  ];
  const below = Math.min(end, contextLines);
  return {
    oldStart: from + 1,
    oldLines: oldEnd + below - from,
    newStart: from + 1,
    newLines: after.length - end + below - from,
    lines: lines.flatMap(withoutEnd),
  };
}

function withoutEnd(line: string): string[] {
  return line.endsWith('\n')
    ? [line.slice(0, -1)]
    : [line, String.raw`\ No newline at end of file`];
}
