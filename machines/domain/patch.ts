/** A diff as data: files, each with the hunks that change it. */

import type {Severity} from './severity.ts';

export interface Hunk {
  /** Of its first line in the old and in the new file, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** Each with its mark: blank, `+`, `-`, or `\` for what is said of the line before. */
  readonly lines: readonly string[];
}

export interface FileDiff {
  /** As it is called now; of a deleted file, as it was called. With `/`, without the prefix of either side. */
  readonly path: string;
  readonly did: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied';
  /** Of a renamed or copied file. */
  readonly from?: string;
  /** New permissions, octal; absent when they stay. */
  readonly mode?: string;
  /** What it holds can't be told. */
  readonly isBinary?: true;
  readonly hunks: readonly Hunk[];
}

/** What a reviewer has to say of one place of a diff. */
export interface Comment {
  readonly file: string;
  /** Of the new file, from 1. Absent: of the whole file. */
  readonly line?: number;
  readonly severity: Severity;
  readonly message: string;
  /** Of a reviewer by rule: which one. */
  readonly rule?: string;
}

/** One line that stands in the new file, and not in the old one. */
export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

export function addedLines({hunks}: FileDiff): AddedLine[] {
  return hunks.flatMap((hunk) =>
    numbered(hunk).flatMap(({line, text}) =>
      text.startsWith('+') && line !== undefined ? [{line, text: text.slice(1)}] : [],
    ),
  );
}

/** A hunk's lines with their marks, and the numbers of those that stand in the new file. */
export function numbered({newStart, lines}: Hunk): {line?: number; text: string}[] {
  let next = newStart;
  return lines.map((text) => {
    if (!/^[ +]/.test(text)) return {text};
    next += 1;
    return {line: next - 1, text};
  });
}

/** Lines that came and went. */
export function countLines({hunks}: FileDiff): {added: number; removed: number} {
  let [added, removed] = [0, 0];
  for (const {lines} of hunks) {
    for (const text of lines) {
      if (text.startsWith('+')) added += 1;
      if (text.startsWith('-')) removed += 1;
    }
  }
  return {added, removed};
}
