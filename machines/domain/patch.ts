/** A diff as data: files, each with its hunks. */

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

// The severity of a comment or an objection.

export const severities = ['critical', 'major', 'minor'] as const;

export type Severity = (typeof severities)[number];

// The change that a write makes to a file, for people and judges.

export interface Change {
  /** Relative to the workspace. */
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Unified. Absent if there is none, as for a binary file. If it is cut off, its last line says how much is missing. */
  readonly diff?: string;
  /**
   * The difference between the text of the file before the run changed it and its text now: first for the whole run, then for
   * the interactions down to the one that made this change. Absent: this is the first change of the file, or that text is unknown.
   */
  readonly net?: readonly NetChange[];
}

/** `diff`: as in {@link Change}; only for the whole run. */
export type NetChange = Omit<Change, 'path' | 'net'>;

/** Written files that no change names, each once and relative to the workspace, if they are in it. */
export function writtenBeside(
  changes: readonly Pick<Change, 'path'>[],
  written: readonly string[],
  workspace: string,
): readonly string[] {
  const changed = new Set(changes.map(({path}) => placeIn(workspace, path)));
  return [...new Set(written.map((path) => placeIn(workspace, path)))].filter(
    (place) => !changed.has(place),
  );
}

/** `./a//b/../c.txt` → `a/c.txt`, and the same for its absolute path. Links are not followed. */
function placeIn(workspace: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${workspace}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const place = `/${parts.join('/')}`;
  return place.startsWith(`${workspace}/`) ? place.slice(workspace.length + 1) : place;
}
