/** Positions where text may be cut: after paragraphs, lines and sentences, never inside a character as a reader sees it. */

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
