/** Parses the output of glob_search and grep_search. */

export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface FileList {
  readonly files: readonly ListedFile[];
  readonly notes: readonly string[];
}

export function readListing(text: string): FileList {
  const lines = text.split('\n');
  const files = lines.flatMap((line) => {
    const [, path, bytes] = /^(.+)\t(\d+)$/.exec(line) ?? [];
    return path === undefined ? [] : [{path, bytes: Number(bytes)}];
  });
  return {files, notes: lines.flatMap((line) => /^…\s*(.*)/.exec(line)?.[1] ?? [])};
}

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Matches {
  readonly matches: readonly Match[];
  readonly total: number;
  readonly files: number;
  readonly skipped: readonly string[];
}

export function readMatches(text: string): Matches {
  const lines = text.split('\n');
  const totals = /^(\d+) match(?:es)? in (\d+) files?\b/.exec(lines.at(-1) ?? '');
  const matches = lines.slice(0, totals ? -1 : undefined).flatMap((line) => {
    const [, path = '', at, found = ''] = /^(.+?):(\d+): (.*)$/.exec(line) ?? [];
    return at === undefined ? [] : [{path, line: Number(at), text: found}];
  });
  return {
    matches,
    total: Number(totals?.[1] ?? matches.length),
    files: Number(totals?.[2] ?? new Set(matches.map(({path}) => path)).size),
    skipped: lines.flatMap((line) => /^… (.*)/.exec(line)?.[1] ?? []),
  };
}

/** True if the output of read_file is the whole file: it has no note about omitted lines or parts of a line. */
export function isWhole(text: string): boolean {
  return !/\n\[lines \d+ to \d+ of \d+[^\n]*\]$|\n\[line \d+ has [^\n]*\]$/.test(text);
}
