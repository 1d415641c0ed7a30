/** A diff as data: files, each with its hunks. */

import type {Severity} from './severity.ts';

export interface Hunk {
  /** The number of its first line in the old and in the new file, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** Each with its mark: blank, `+`, `-`, or `\` for a note on the line before. */
  readonly lines: readonly string[];
}

export interface FileDiff {
  /** The new path; for a deleted file, the old one. With `/`, without the prefix `a/` or `b/`. */
  readonly path: string;
  readonly did: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied';
  /** The old path of a renamed or copied file. */
  readonly from?: string;
  /** New permissions, octal; absent when they stay. */
  readonly mode?: string;
  /** A binary file: its content can't be shown. */
  readonly isBinary?: true;
  readonly hunks: readonly Hunk[];
}

/** A reviewer's comment on one place of a diff. */
export interface Comment {
  readonly file: string;
  /** In the new file, from 1. Absent: the comment is on the whole file. */
  readonly line?: number;
  readonly severity: Severity;
  readonly message: string;
  /** For a reviewer by rule: the rule. */
  readonly rule?: string;
}

/** A part of a diff that no reviewer has read. */
export interface Unread {
  readonly file: string;
  /** The number of changed lines; 0 for a binary file. */
  readonly lines: number;
  readonly why: string;
}

/** One line that is in the new file, and not in the old one. */
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

/** A hunk's lines with their marks; lines of the new file have their number in it. */
export function numbered({newStart, lines}: Hunk): {line?: number; text: string}[] {
  let next = newStart;
  return lines.map((text) => {
    if (!/^[ +]/.test(text)) return {text};
    next += 1;
    return {line: next - 1, text};
  });
}

/** Counts added and removed lines. */
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
