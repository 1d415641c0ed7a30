/** A unified diff of two texts, for people and reviewers. */

import type {StructuredPatchHunk} from 'diff';

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
