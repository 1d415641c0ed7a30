/** Finds a passage in a text: verbatim, or up to line ends, or up to white space. */

import {diffArrays} from 'diff';

/** `lineEnds`: the passages differ in line ends only; `whiteSpace`: in indentation, blanks and tabs as well. */
export type Likeness = 'exact' | 'lineEnds' | 'whiteSpace';

/** Of one passage. */
export const maxFound = 100_000;

export interface Found {
  readonly likeness: Likeness;
  /** Non-overlapping, in order; at least one. */
  readonly spans: readonly Span[];
  /** Including overlapping ones. */
  readonly count: number;
}

/** Offsets in the text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text in a simpler form, with the offset of each of its characters in the original. */
interface Folded {
  readonly text: string;
  readonly startOf: (index: number) => number;
}

/** By the strictest likeness that finds any. Undefined: there is none. */
export function findPassage(text: string, passage: string): Found | undefined {
  const verbatim = indexesOf(text, passage);
  if (verbatim.length > 0) {
    const spans = verbatim.map((from) => ({from, to: from + passage.length}));
    return foundSpans('exact', spans);
  }
  const byEnds = `${text}${passage}`.includes('\r') ? findByLineEnds(text, passage) : [];
  if (byEnds.length > 0) return foundSpans('lineEnds', byEnds);
  const bySpace = findByWhiteSpace(text, passage);
  return bySpace.length > 0 ? foundSpans('whiteSpace', bySpace) : undefined;
}

function foundSpans(likeness: Likeness, all: readonly Span[]): Found {
  let end = 0;
  const spans = all.filter(({from, to}) => {
    const isFree = from >= end;
    if (isFree) end = to;
    return isFree;
  });
  return {likeness, spans, count: all.length};
}

function findByLineEnds(text: string, passage: string): Span[] {
  const folded = foldText(text, false);
  const wanted = foldText(passage, false).text;
  return indexesOf(folded.text, wanted).map((at) => spanOf(text, folded, at, wanted.length));
}

function findByWhiteSpace(text: string, passage: string): Span[] {
  const folded = foldText(text, true);
  const wanted = foldText(passage, true).text;
  if (wanted.trim() === '') return [];
  const isOpenedByBlank = /^[^\S\r\n]/.test(passage);
  const isClosedByBlank = /[^\S\r\n]$/.test(passage);
  return indexesOf(folded.text, wanted)
    .filter((at) => {
      const before = folded.text.charAt(at - 1);
      const after = folded.text.charAt(at + wanted.length);
      return !(isOpenedByBlank && /\S/.test(before)) && !(isClosedByBlank && /\S/.test(after));
    })
    .map((at) => {
      const span = spanOf(text, folded, at, wanted.length);
      const isLine = at === 0 || folded.text[at - 1] === '\n';
      const from = isLine || isOpenedByBlank ? blanksBefore(text, span.from) : span.from;
      return {from, to: isClosedByBlank ? blanksAfter(text, span.to) : span.to};
    });
}

function spanOf(text: string, folded: Folded, at: number, length: number): Span {
  const last = folded.startOf(at + length - 1);
  return {from: folded.startOf(at), to: last + (text.startsWith('\r\n', last) ? 2 : 1)};
}

function blanksBefore(text: string, from: number): number {
  let start = from;
  while (start > 0 && isSpace(text.charAt(start - 1))) start -= 1;
  return start;
}

function blanksAfter(text: string, to: number): number {
  let end = to;
  while (isSpace(text.charAt(end))) end += 1;
  return end;
}

function isSpace(char: string): boolean {
  return /[^\S\r\n\ufeff]/.test(char);
}

/**
 * Every line end as `\n`. With `spaces`, lines lose the white space at their beginning and end, and other white space becomes
 * one blank.
 */
function foldText(text: string, spaces: boolean): Folded {
  const starts = new Uint32Array(text.length + 1).fill(text.length);
  const parts: string[] = [];
  let [length, end] = [0, 0];
  const add = (part: string, from: number) => {
    parts.push(part);
    for (let index = 0; index < part.length; index += 1) starts[length + index] = from + index;
    length += part.length;
  };
  for (const {0: piece, index} of text.matchAll(spaces ? foldedSpace : /\r\n?/g)) {
    add(text.slice(end, index), end);
    end = index + piece.length;
    if (piece.startsWith('\r')) add('\n', index);
    else if (!isLineEnd(text.charAt(index - 1)) && !isLineEnd(text.charAt(end))) add(' ', index);
  }
  add(text.slice(end), end);
  return {text: parts.join(''), startOf: (index) => starts[index] ?? text.length};
}

/** White space that folding changes. */
const foldedSpace = /^[^\S\r\n]+|[^\S\r\n]+$|[^\S\r\n]{2,}|[^\S\r\n ]|\r\n?/gm;

/** Also true at the beginning and the end of a text. */
function isLineEnd(char: string): boolean {
  return char === '' || char === '\n' || char === '\r';
}

/** Overlapping occurrences included, up to one more than {@link maxFound}. */
function indexesOf(text: string, part: string): number[] {
  const indexes: number[] = [];
  let at = text.indexOf(part);
  while (at >= 0 && indexes.length <= maxFound) {
    indexes.push(at);
    at = text.indexOf(part, at + 1);
  }
  return indexes;
}

// The text that takes the place of a passage: untouched lines keep their bytes, others follow the lines that they replace.

/** With more differing lines they are paired by their position. */
const maxEdits = 400;

/** A passage at its place in the text of a file. */
export interface Replaced {
  readonly text: string;
  readonly span: Span;
  /** The passage as it was asked for: it has as many lines as the file has there. */
  readonly oldText: string;
  readonly newText: string;
  readonly likeness: Likeness;
}

export function rebuilt(replaced: Replaced): string {
  const {text, span, oldText, newText, likeness} = replaced;
  const isLiteral = likeness === 'exact' && (newText.includes('\r') || !newText.includes('\n'));
  if (isLiteral) return newText;
  const found = text.slice(span.from, span.to);
  const lineEnd = lineEndAt(text, span);
  if (likeness === 'exact' && lineEnd === '\n' && !found.includes('\r')) return newText;
  const there = linesOf(found);
  const asked = linesOf(oldText);
  const indent = likeness === 'whiteSpace' ? indentation(asked, there) : undefined;
  const pairs = pairLines(asked, linesOf(newText));
  return pairs
    .map(({line, at, isSame}) => {
      const base = there[Math.min(at, there.length - 1)] ?? noLine;
      const body = isSame ? base.body : (indent?.(line.body, at) ?? line.body);
      return `${body}${line.end === '' ? '' : base.end || endBefore(there, at) || lineEnd}`;
    })
    .join('');
}

/** The line end of the line in which a passage ends, or else of a line before it. */
function lineEndAt(text: string, {from, to}: Span): string {
  if (!text.includes('\r')) return '\n';
  const after = text.indexOf('\n', to);
  const at = after < 0 ? text.lastIndexOf('\n', from - 1) : after;
  if (at < 0) return text.includes('\n') ? '\n' : '\r';
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

interface Line {
  readonly body: string;
  readonly end: string;
}

const noLine: Line = {body: '', end: ''};

function linesOf(text: string): Line[] {
  return text.split(/(?<=\n)|(?<=\r)(?!\n)/).map((line) => {
    const body = line.replace(/\r?\n$|\r$/, '');
    return {body, end: line.slice(body.length)};
  });
}

function endBefore(lines: readonly Line[], at: number): string {
  return lines.slice(0, at).findLast(({end}) => end !== '')?.end ?? '';
}

/** A new line with the index of the old line that it is, or takes the place of. */
interface Pair {
  readonly line: Line;
  readonly at: number;
  readonly isSame: boolean;
}

function pairLines(old: readonly Line[], now: readonly Line[]): Pair[] {
  const changes = diffArrays(
    old.map(({body}) => body),
    now.map(({body}) => body),
    {maxEditLength: maxEdits},
  );
  if (!changes) return now.map((line, at) => ({line, at, isSame: line.body === old[at]?.body}));
  const pairs: Pair[] = [];
  let [at, removed] = [0, 0];
  for (const {added, removed: isRemoved, count = 0} of changes) {
    if (isRemoved) [at, removed] = [at + count, count];
    else {
      for (let index = 0; index < count; index += 1) {
        const replaced =
          removed === 0 ? Math.max(0, at - 1) : at - removed + Math.min(index, removed - 1);
        const line = now[pairs.length] ?? noLine;
        pairs.push({line, at: added ? replaced : at + index, isSame: !added});
      }
      [at, removed] = [added ? at : at + count, 0];
    }
  }
  return pairs;
}

type Indent = (line: string, at: number) => string;

/** Gives a new line the indentation that the file has where the passage had that of the line. */
function indentation(asked: readonly Line[], there: readonly Line[]): Indent {
  const pairs = asked.map(({body}, at) => ({
    at,
    isBlank: body.trim() === '',
    indent: blanksOf(body),
    own: blanksOf(there[at]?.body ?? ''),
  }));
  const [first] = pairs;
  // The first line of a passage often lacks its indentation.
  const isLacking = pairs.length > 1 && first?.indent === '' && first.own !== '';
  const indented = pairs.filter(({at, isBlank}) => !isBlank && !(isLacking && at === 0));
  const known = new Map(indented.toReversed().map(({indent, own}) => [indent, own]));
  return (line, at) => {
    if (line.trim() === '') return line;
    const indent = blanksOf(line);
    const own = at === 0 && indent === first?.indent ? first.own : translated(indent, known);
    return `${own}${line.slice(indent.length)}`;
  };
}

/** By the one difference of all lines, if there is one; else by the longest known beginnings. */
function translated(indent: string, known: ReadonlyMap<string, string>): string {
  const exact = known.get(indent);
  if (exact !== undefined) return exact;
  const [[asked = '', there = ''] = []] = known;
  const more = there.slice(0, Math.max(0, there.length - asked.length));
  const less = asked.slice(0, Math.max(0, asked.length - there.length));
  const isOneDifference = [...known].every(([one, other]) => more + one === less + other);
  if (isOneDifference && indent.startsWith(less)) return `${more}${indent.slice(less.length)}`;
  const begin = [...known.keys()]
    .filter((each) => each !== '' && indent.startsWith(each))
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  if (begin === '') return indent;
  return `${known.get(begin) ?? ''}${translated(indent.slice(begin.length), known)}`;
}

function blanksOf(line: string): string {
  return /^[^\S\r\n]*/.exec(line)?.[0] ?? '';
}
