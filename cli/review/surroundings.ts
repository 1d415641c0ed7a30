/** Adds surrounding lines from the working tree to hunks, so that models do not judge them alone. */

import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

import type {FileDiff, Hunk} from '../../machines/domain/patch.ts';
import {isLockFile} from '../../machines/forms/review/parts.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {isBelow, realPathOf, smallFileText} from '../../tools/containment/guarded.ts';

/** Lines above and below a hunk. */
const maxLines = 20;
/** UTF-16 units of all added lines. */
const maxAdded = 20_000;
/** Fewer equal lines do not prove that the hunk fits the file. */
const leastSame = 3;

/**
 * The diff with up to 20 more lines around each hunk. A file stays unchanged when one of its hunks does not fit the file in
 * the working tree, when its path contains a link, and when it is large or may hold credentials.
 */
export function withSurroundings(diff: readonly FileDiff[], cwd: string): readonly FileDiff[] {
  const roots = [cwd, topOf(cwd)].flatMap((folder) => realPathOf(folder) ?? []);
  let left = maxAdded;
  return diff.map((file) => {
    const widened = widenedFile(file, roots);
    const cost = sizeOf(widened) - sizeOf(file.hunks);
    if (cost > left) return file;
    left -= cost;
    return {...file, hunks: widened};
  });
}

/** The nearest ancestor folder with a `.git`, or the folder itself. */
function topOf(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
  }
  return folder;
}

function widenedFile(file: FileDiff, roots: readonly string[]): readonly Hunk[] {
  const {path, did, hunks} = file;
  const isLeft = did === 'added' || did === 'deleted' || isLockFile(path);
  if (isLeft || isCredentialPlace(path)) return hunks;
  const lines = roots
    .map((root) => linesIn(root, path))
    .find((one) => one !== undefined && fits(hunks, one));
  return lines ? hunks.map((_, at) => widenedHunk(hunks, at, lines)) : hunks;
}

function linesIn(root: string, path: string): readonly string[] | undefined {
  const place = join(root, path);
  if (!isBelow(root, place) || realPathOf(place) !== place) return undefined;
  const text = smallFileText(place);
  if (text === '' || text.includes('\0')) return undefined;
  return text.replace(/\n$/, '').split('\n').map(withoutReturn);
}

function fits(hunks: readonly Hunk[], lines: readonly string[]): boolean {
  const newTexts = hunks.map(newLines);
  const isSame = hunks.every(({newStart}, at) =>
    newTexts[at]?.every((text, index) => lines[newStart - 1 + index] === text),
  );
  return isSame && newTexts.every(({length}) => length > 0) && newTexts.flat().length >= leastSame;
}

function newLines({lines}: Hunk): readonly string[] {
  return lines.filter((line) => /^[ +]/.test(line)).map((line) => withoutReturn(line.slice(1)));
}

/** Lines between two hunks go to the upper one first, and to one hunk only. */
function widenedHunk(hunks: readonly Hunk[], at: number, lines: readonly string[]): Hunk {
  const [hunk, before, next] = [hunks[at], hunks[at - 1], hunks[at + 1]];
  if (!hunk) throw new Error(`there is no hunk ${at}`);
  const first = hunk.newStart - 1;
  const taken = before ? Math.min(hunkEnd(before) + maxLines, first) : 0;
  const above = lines.slice(Math.max(taken, first - maxLines), first);
  const end = hunkEnd(hunk);
  const below = lines.slice(end, Math.min(end + maxLines, next ? next.newStart - 1 : Infinity));
  return {
    oldStart: hunk.oldStart - above.length,
    newStart: hunk.newStart - above.length,
    lines: [...above.map(asContext), ...hunk.lines, ...below.map(asContext)],
  };
}

/** Index of the line below the hunk. */
function hunkEnd(hunk: Hunk): number {
  return hunk.newStart - 1 + newLines(hunk).length;
}

function asContext(text: string): string {
  return ` ${text}`;
}

function withoutReturn(line: string): string {
  return line.replace(/\r$/, '');
}

function sizeOf(hunks: readonly Hunk[]): number {
  return hunks.flatMap(({lines}) => lines).reduce((sum, {length}) => sum + length + 1, 0);
}
