/** The passages of a text that are most like one that does not occur in it. */

import {numberedLines} from '../read/numbered.ts';

const maxPassages = 3;
const maxLines = 12;
const maxLineChars = 200;
/** Of a line, not more is compared. */
const comparedChars = 1_000;
/** Windows that are compared line by line. */
const maxCandidates = 200;
/** Of two passages, 0 to 1: less like ones are not shown. */
const minLikeness = 0.4;

/** Up to three, the most similar first, with line numbers. Takes time in proportion to the length of the text. */
export function nearestPassages(text: string, passage: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  const wanted = passage.trim().split(/\r\n?|\n/);
  return bestWindows(lines.map(pairsOf), wanted.map(pairsOf)).map((start) => {
    const shown = lines.slice(start, start + Math.min(wanted.length, maxLines));
    return numberedLines(shown.map(shortened), start + 1).join('\n');
  });
}

function shortened(line: string): string {
  return line.length <= maxLineChars ? line : `${line.slice(0, maxLineChars).toWellFormed()}…`;
}

/** The pairs of neighbouring characters of a line, as numbers. */
type Pairs = readonly number[];

/** Indexes of the first lines of windows as long as the passage, none overlapping another. */
function bestWindows(lines: readonly Pairs[], wanted: readonly Pairs[]): number[] {
  const candidates = likenesses(lines, wanted)
    .map((likeness, start) => ({likeness, start}))
    .filter(({likeness}) => likeness >= minLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, maxCandidates)
    .map(({start}) => ({start, likeness: likenessByLine(lines, wanted, start)}))
    .toSorted((one, other) => other.likeness - one.likeness);
  const best: number[] = [];
  for (const {start} of candidates) {
    if (best.length === maxPassages) break;
    if (best.every((other) => Math.abs(other - start) >= wanted.length)) best.push(start);
  }
  return best;
}

function likenessByLine(lines: readonly Pairs[], wanted: readonly Pairs[], start: number): number {
  const each = wanted.map((line, at) => likenesses([lines[start + at] ?? []], [line])[0] ?? 0);
  return each.reduce((sum, likeness, at) => sum + likeness * (wanted[at]?.length ?? 0), 0);
}

/** For each window of lines: the share of its pairs that the passage has, and the other way round (Dice). */
function likenesses(lines: readonly Pairs[], wanted: readonly Pairs[]): number[] {
  const open = new Map<number, number>();
  const wantedPairs = wanted.flat();
  for (const pair of wantedPairs) open.set(pair, (open.get(pair) ?? 0) + 1);
  let [size, shared] = [0, 0];
  const move = (line: Pairs = [], by: 1 | -1) => {
    for (const pair of line) {
      const left = open.get(pair);
      if (left === undefined) continue;
      if (by === 1 ? left > 0 : left >= 0) shared += by;
      open.set(pair, left - by);
    }
    size += by * line.length;
  };
  for (const line of lines.slice(0, wanted.length)) move(line, 1);
  return lines.map((line, start) => {
    const likeness = (2 * shared) / Math.max(1, size + wantedPairs.length);
    move(line, -1);
    move(lines[start + wanted.length], 1);
    return likeness;
  });
}

function pairsOf(line: string): Pairs {
  const text = line.slice(0, comparedChars).trim().replaceAll(/\s+/g, ' ');
  const pairs: number[] = [];
  for (let at = 1; at < text.length; at += 1)
    pairs.push(text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at));
  return pairs;
}
