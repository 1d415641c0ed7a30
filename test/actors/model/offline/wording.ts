/** One request and its expected result: a change on disk, words of the report, or a refusal that changes nothing. */

/** `[path, from, to]` edits a file, `[path, text]` creates one, `[path]` removes one, `['folder/']` makes a folder. */
type Change =
  | readonly [path: string, from: string, to: string]
  | readonly [path: string, text?: string];

export interface Wording {
  readonly request: string;
  readonly changes: readonly Change[];
  readonly says: readonly string[];
  readonly isRefused: boolean;
}

export function right(request: string, ...changes: readonly Change[]): Wording {
  return {request, changes, says: [], isRefused: false};
}

export function says(request: string, ...words: readonly string[]): Wording {
  return {request, changes: [], says: words, isRefused: false};
}

export function refused(request: string, ...words: readonly string[]): Wording {
  return {request, changes: [], says: words, isRefused: true};
}
