/** Finds a passage in a text: verbatim, or up to line ends, or up to white space. */

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
  while (start > 0 && isBlank(text.charAt(start - 1))) start -= 1;
  return start;
}

function blanksAfter(text: string, to: number): number {
  let end = to;
  while (isBlank(text.charAt(end))) end += 1;
  return end;
}

function isBlank(char: string): boolean {
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
