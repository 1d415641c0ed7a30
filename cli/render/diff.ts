/** Coloured lines of a diff. */

import {type Paint, plainStyle, type Style} from './style.ts';
import {wrap, wrapWords} from './text.ts';

/**
 * The rows of the lines of a diff, each in the colour of its line, with at most `maxRows` a line. Where lines replace as many
 * others, the words that differ are bold. A line outside of a diff breaks between words.
 */
export function diffRows(
  lines: readonly string[],
  style: Style,
  width: number,
  maxRows?: number,
): string[] {
  const changed = changedParts(lines);
  return lines.flatMap((line, index) => {
    const isOfDiff = /^(?:[-+ ]|@@)/.test(line);
    const rows = isOfDiff ? wrap(line, width, maxRows) : proseRowsOf(line, width, maxRows);
    const paint = paintOf(line, style);
    const part = changed.get(index);
    return part ? emphasized(rows, part, style).map(paint) : rows.map(paint);
  });
}

/** Only as much of the line is processed as can fill the rows. */
function proseRowsOf(line: string, width: number, maxRows = Number.POSITIVE_INFINITY): string[] {
  return wrapWords(line.slice(0, width * maxRows), width).slice(0, maxRows);
}

function paintOf(line: string, style: Style): Paint {
  if (line.startsWith('@@')) return style.cyan;
  if (line.startsWith('+')) return style.green;
  return line.startsWith('-') ? style.red : plainStyle.red;
}

/** From a character of a line to before another one. */
type Part = readonly [from: number, to: number];

/** By the index of the line: what differs in a line and the one that replaces it. */
function changedParts(lines: readonly string[]): ReadonlyMap<number, Part> {
  const parts = new Map<number, Part>();
  for (let at = 0; at < lines.length;) {
    const removed = countFrom(lines, at, '-');
    const added = countFrom(lines, at + removed, '+');
    const end = removed === added ? at + removed : at;
    for (let pair = at; pair < end; pair += 1) {
      const [before = '', after = ''] = [lines[pair], lines[pair + removed]];
      const [own, other] = differing(before, after) ?? [];
      if (own && other) parts.set(pair, own).set(pair + removed, other);
    }
    at += Math.max(1, removed + added);
  }
  return parts;
}

function countFrom(lines: readonly string[], from: number, sign: string): number {
  let to = from;
  while (lines[to]?.startsWith(sign) === true) to += 1;
  return to - from;
}

/** The parts between the words with which both lines begin and end; undefined if the lines have nothing else in common. */
function differing(before: string, after: string): readonly [Part, Part] | undefined {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(old.length, fresh.length);
  const isSame = (index: number): boolean => old.at(index) === fresh.at(index);
  let start = 0;
  while (start < most && isSame(start)) start += 1;
  let end = 0;
  while (end < most - start && isSame(-1 - end)) end += 1;
  const [head, tail] = [old.slice(0, start).join(''), end === 0 ? '' : old.slice(-end).join('')];
  if ((head + tail).trim() === '') return undefined;
  const partOf = (line: string): Part => [1 + head.length, line.length - tail.length];
  return [partOf(before), partOf(after)];
}

/** Without the sign. */
function wordsOf(line: string): readonly string[] {
  return line.slice(1).match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];
}

/** The rows are the line, cut into pieces. */
function emphasized(rows: readonly string[], [from, to]: Part, {bold}: Style): readonly string[] {
  let at = 0;
  return rows.map((row) => {
    const [start, end] = [from - at, to - at].map((place) => Math.max(0, place));
    at += row.length;
    return row.slice(0, start) + bold(row.slice(start, end)) + row.slice(end);
  });
}
