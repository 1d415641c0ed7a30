/** Splits documents into chunks of about 1,200 characters that overlap by about 200 and follow sections and paragraphs. */

const maxChunk = 1_200;
const overlap = 200;
/** A short remainder is added to the last chunk. */
const maxLast = maxChunk + overlap;

export interface Chunk {
  /** Offsets into the document in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The line of `start`; the first line is 1. */
  readonly line: number;
  /** The title and the headings above, the outermost first. */
  readonly heading: string;
  /** The document from `start` to `end`, verbatim. */
  readonly text: string;
}

/** In the document's order. Every character except blanks is in at least one chunk. */
export function* chunksOf(path: string, text: string): Generator<Chunk> {
  let line = 1;
  let counted = 0;
  for (const {start: first, end: last, headings} of sectionsOf(path, text)) {
    for (const [start, end] of rangesOf(text, first, last)) {
      line += countLines(text.slice(counted, start));
      counted = start;
      const piece = text.slice(start, end);
      if (piece.trim() === '') continue;
      yield {start, end, line, heading: headings.join(' > '), text: piece};
    }
  }
}

function* rangesOf(
  text: string,
  first: number,
  last: number,
): Generator<readonly [number, number]> {
  let start = first;
  while (last - start > maxLast) {
    const high = start + maxChunk;
    const end = cutAt(text, start, lastSeam(text, start + (maxChunk * 2) / 3, high) ?? high);
    if (end >= last) break;
    yield [start, end];
    start = resume(text, start, end);
  }
  yield [start, last];
}

/** The start of the chunk that follows the one from `start` to `end`: a little before `end`. */
function resume(text: string, start: number, end: number): number {
  const low = Math.max(start, end - overlap * 1.5);
  const seam = firstSeam(text, low, end - overlap / 2) ?? end - overlap;
  const place = characterAt(text, start, seam);
  return place > start ? place : end;
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const markdown = /\.(md|mdx|markdown)$/i;
const prose = /(\.(txt|rst|adoc|org|text)|\/[^.]*|^[^./]*)$/i;
const maxTitle = 200;

const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\r?$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

interface Section {
  readonly start: number;
  readonly end: number;
  /** The title, then the headings from the outermost to its own. */
  readonly headings: readonly string[];
}

/** Sections that follow each other without a gap. A heading without a text of its own belongs to the next section. */
export function sectionsOf(path: string, text: string): readonly Section[] {
  if (!markdown.test(path)) return [{start: 0, end: text.length, headings: titleOf(path, text)}];
  const sections: Section[] = [];
  let start = 0;
  let headings: readonly string[] = [];
  let bodyAt = 0;
  const close = (end: number): void => {
    if (text.slice(bodyAt, end).trim() === '') return;
    sections.push({start, end, headings: headings.filter(Boolean)});
    start = end;
  };
  for (const found of headingsOf(text)) {
    close(found.start);
    headings = [...padded(headings, found.depth - 1), found.text];
    bodyAt = found.end;
  }
  const last = sections.at(-1);
  if (text.slice(start).trim() !== '' || !last) {
    return [...sections, {start, end: text.length, headings: headings.filter(Boolean)}];
  }
  return [...sections.slice(0, -1), {...last, end: text.length}];
}

/** The outer headings, with blanks for skipped levels. */
function padded(headings: readonly string[], depth: number): string[] {
  return Array.from({length: depth}, (_, level) => headings[level] ?? '');
}

interface Heading {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly text: string;
}

function* headingsOf(text: string): Generator<Heading> {
  let fenced: string | undefined;
  for (const match of text.matchAll(/[^\n]+/g)) {
    const [line] = match;
    const mark = fence.exec(line)?.[1];
    if (fenced !== undefined) {
      if (mark?.startsWith(fenced) === true) fenced = undefined;
      continue;
    }
    fenced = mark;
    const [, signs, title] = heading.exec(line) ?? [];
    if (signs === undefined || title === undefined) continue;
    yield {
      start: match.index,
      end: match.index + line.length,
      depth: signs.length,
      text: title.slice(0, maxTitle).toWellFormed(),
    };
  }
}

/** The first line of prose; the first paragraph of the comment that begins a source file. */
function titleOf(path: string, text: string): readonly string[] {
  const head = text.slice(0, 2_000).replace(/^\ufeff?(#!.*\n)?\s*/, '');
  const found = prose.test(path) ? /^.*/.exec(head)?.[0] : leadingComment(head);
  const title = found?.replaceAll(/\s+/g, ' ').trim().slice(0, maxTitle).toWellFormed() ?? '';
  return title === '' ? [] : [title];
}

function leadingComment(head: string): string | undefined {
  const block = /^(?:\/\*+|<!--|"""|''')([\s\S]*?)(?:\*\/|-->|"""|'''|\n[ \t]*\*?[ \t]*\r?\n)/.exec(
    head,
  )?.[1];
  if (block !== undefined) return block.replaceAll(/\n[ \t]*\*/g, '\n');
  const lines = /^((?:\/\/|#|--|;).*(?:\n|$))+/.exec(head)?.[0];
  return lines?.replaceAll(/^[/#;-]+/gm, '');
}

const lookahead = 64;

/** Created on first use: it takes some milliseconds. */
let graphemes: Intl.Segmenter | undefined;

const seams: readonly RegExp[] = [
  /\n[ \t\r]*\n/g,
  /\n/g,
  /[.!?][)"'’”]*\s|[。！？][）」』]*/g,
  /\s/g,
];

/** The last character boundary not after `at`. `from` must be a boundary; it is the minimum. */
export function characterAt(text: string, from: number, at: number): number {
  if (at >= text.length) return text.length;
  const near = charactersIn(text.slice(from, at + lookahead));
  return from + (near.containing(at - from)?.index ?? 0);
}

/** As `characterAt`, but after `from`: a character that extends past `at` is kept whole. */
export function cutAt(text: string, from: number, at: number): number {
  const cut = characterAt(text, from, at);
  if (cut > from) return cut;
  return from + (charactersIn(text.slice(from)).containing(0)?.segment.length ?? 0);
}

function charactersIn(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter('und', {granularity: 'grapheme'});
  return graphemes.segment(text);
}

/** The best seam that ends between `low` and `high`: the last of the strongest kind. Undefined when there is none. */
export function lastSeam(text: string, low: number, high: number): number | undefined {
  const window = text.slice(low, high);
  return seams.map((seam) => seamEnd(window.matchAll(seam).toArray().at(-1), low)).find(isPlace);
}

/** As `lastSeam`, the first of the strongest kind. */
export function firstSeam(text: string, low: number, high: number): number | undefined {
  const window = text.slice(low, high);
  return seams.map((seam) => seamEnd(window.matchAll(seam).next().value, low)).find(isPlace);
}

function seamEnd(match: RegExpExecArray | undefined, offset: number): number | undefined {
  return match && offset + match.index + match[0].length;
}

function isPlace(place: number | undefined): boolean {
  return place !== undefined;
}
