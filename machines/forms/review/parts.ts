/** Splits a diff into parts for reviewers: whole files if they fit, otherwise hunks, otherwise some lines of a hunk. */

import {hashOf} from '../../domain/digest.ts';
import {countLines, type FileDiff, type Hunk, numbered} from '../../domain/patch.ts';
import type {Seat} from '../../domain/review.ts';
import {mask, secretIn} from '../../places/secrets.ts';

/** Limit of a part for models, in UTF-16 units: about 12,000 tokens of code. */
const maxPart = 40_000;
/** Limit of a part for policy reviewers alone, in UTF-16 units. */
const maxPartByRule = 1_000_000;

/** A line that is longer than a part is split. Pieces overlap, so that no rule misses a text at their border. UTF-16 units. */
const overlap = 200;

/** Paths of lock files: models read that they changed, but not their lines. */
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|gradle\.lockfile)$/;

export function isLockFile(path: string): boolean {
  return lockFile.test(path);
}

export interface Part {
  /** `src/a.ts`, `src/a.ts and 3 more`, `part 2 of src/a.ts`. */
  readonly title: string;
  /** SHA-256 of its files and hunks. */
  readonly hash: string;
  /** The text for models. */
  readonly text: string;
  readonly files: readonly FileDiff[];
}

interface Piece {
  readonly file: FileDiff;
  readonly text: string;
}

/** In the order of the diff. Empty for an empty diff. */
export function partsOf(files: readonly FileDiff[], seats: readonly Seat[]): Part[] {
  const max = seats.every(({kind}) => kind === 'policy') ? maxPartByRule : maxPart;
  const groups: Piece[][] = [];
  let size = 0;
  for (const piece of files.flatMap((file) => piecesOf(file, max))) {
    if (groups.length === 0 || size + piece.text.length > max) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(piece);
    size += piece.text.length;
  }
  return groups.map(toPart);
}

function toPart(pieces: readonly Piece[]): Part {
  const files = pieces.map(({file}) => file);
  return {
    title: titleOf(files),
    hash: hashOf(files),
    text: pieces.map(({text}) => text).join('\n\n'),
    files,
  };
}

function titleOf([first, ...others]: readonly FileDiff[]): string {
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const [hunk] = first?.hunks ?? [];
  const from = hunk && hunk.newStart > 1 && first?.did !== 'deleted' ? `:${hunk.newStart}` : '';
  return `${first?.path ?? ''}${from}${more}`;
}

function piecesOf(file: FileDiff, max: number): Piece[] {
  const whole = {file, text: fileText(file)};
  if (whole.text.length <= max || file.hunks.length === 0) return [whole];
  const room = max - whole.text.indexOf('\n');
  const hunks = file.hunks.flatMap((hunk) => splitHunk(hunk, room - hunkHead));
  return groupHunks(hunks, room).map((group) => {
    const part = {...file, hunks: group};
    return {file: part, text: fileText(part)};
  });
}

/** Room for the header line of a hunk, in UTF-16 units. */
const hunkHead = 40;

function groupHunks(hunks: readonly Hunk[], max: number): Hunk[][] {
  const groups: Hunk[][] = [];
  let size = 0;
  for (const hunk of hunks) {
    const length = hunkText(hunk).length + 1;
    if (groups.length === 0 || size + length > max) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(hunk);
    size += length;
  }
  return groups;
}

/** Splits a hunk into pieces, with continuous line numbers. */
function splitHunk(hunk: Hunk, max: number): Hunk[] {
  const pieces: Hunk[] = [];
  let {oldStart, newStart} = hunk;
  let lines: string[] = [];
  let size = 0;
  const close = (): void => {
    if (lines.length === 0) return;
    pieces.push({oldStart, newStart, lines});
    oldStart += lines.filter((line) => /^[ -]/.test(line)).length;
    newStart += lines.filter((line) => /^[ +]/.test(line)).length;
    lines = [];
    size = 0;
  };
  for (const line of hunk.lines) {
    const length = line.length + numberWidth + 1;
    if (size + length > max) close();
    const fragments = splitLine(line, max - numberWidth - 1);
    for (const fragment of fragments.slice(0, -1)) {
      pieces.push({oldStart, newStart, lines: [fragment]});
    }
    lines.push(fragments.at(-1) ?? line);
    size += Math.min(length, max);
  }
  close();
  return pieces;
}

/** The line, or its pieces, each with the mark of the line. */
function splitLine(line: string, max: number): string[] {
  if (line.length <= max) return [line];
  const [mark, text] = [line.slice(0, 1), line.slice(1)];
  const step = max - 1 - overlap;
  return Array.from({length: Math.ceil((text.length - overlap) / step)}, (_, at) => {
    return `${mark}${text.slice(at * step, at * step + max - 1)}`;
  });
}

/** Width of a line number with its blank. */
const numberWidth = 7;

function fileText(file: FileDiff): string {
  const {hunks} = file;
  const head = headText(file);
  if (isLockFile(file.path) && hunks.length > 0)
    return `${head}\n(a lock file; its lines are not shown)`;
  return [head, ...hunks.map(hunkText)].join('\n');
}

function headText(file: FileDiff): string {
  const {path, did, from, mode, isBinary} = file;
  const {added, removed} = countLines(file);
  const notes = [
    did,
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(mode === undefined ? [] : [`mode ${mode}`]),
    isBinary ? 'binary' : `+${added} −${removed}`,
  ];
  return `File ${path} (${notes.join(', ')})`;
}

function hunkText(hunk: Hunk): string {
  const lines = numbered(hunk).map(({line, text}) => {
    const number = line === undefined ? '' : String(line);
    return `${number.padStart(numberWidth - 1)} ${masked(text)}`;
  });
  return [`@@ from line ${hunk.newStart} @@`, ...lines].join('\n');
}

/** Without the secrets that policies refuse, by their shape. */
function masked(line: string): string {
  const secret = secretIn(line);
  return secret === undefined ? line : masked(line.replaceAll(secret, mask));
}
