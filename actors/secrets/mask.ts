/**
 * Searches a text for many needles at once (the algorithm of Wu and Manber: a table of pairs of characters gives how far the search may
 * skip), and gives the forms in which programs print a value.
 */

/** One occurrence: `start` is inclusive, `end` exclusive. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly needle: string;
}

/** Returns all occurrences of all needles, also overlapping ones, ordered by `start`. */
export type Finder = (text: string) => Found[];

const tableSize = 65_536;

/** Each needle must have at least two characters. */
export function createFinder(needles: readonly string[]): Finder {
  const all = [...new Set(needles)];
  if (all.length === 0) return () => [];
  const window = Math.min(...all.map(({length}) => length));
  const skips = new Uint32Array(tableSize).fill(window - 1);
  const byEnd = new Map<number, string[]>();
  for (const needle of all) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at);
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - at);
    }
    const last = pairAt(needle, window - 1);
    byEnd.set(last, [...(byEnd.get(last) ?? []), needle]);
  }
  return (text) => {
    const found: Found[] = [];
    for (let at = window - 1; at < text.length;) {
      const pair = pairAt(text, at);
      const skip = skips[pair] ?? 1;
      if (skip === 0) found.push(...foundAt(text, at - window + 1, byEnd.get(pair) ?? []));
      at += Math.max(1, skip);
    }
    return found;
  };
}

/** The table index of the character at `at` and the one before it. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & (tableSize - 1);
}

function foundAt(text: string, start: number, needles: readonly string[]): Found[] {
  return needles
    .filter((needle) => text.startsWith(needle, start))
    .map((needle) => ({start, end: start + needle.length, needle}));
}

/** Returns a function that replaces every needle by `mark`; overlapping needles are replaced together by one `mark`. */
export function createMask(needles: readonly string[], mark: string): (text: string) => string {
  const find = createFinder(needles);
  return (text) => {
    const found = find(text);
    if (found.length === 0) return text;
    const parts: string[] = [];
    let kept = 0;
    for (const {start, end} of found) {
      if (start >= kept || parts.length === 0) parts.push(text.slice(kept, start), mark);
      kept = Math.max(kept, end);
    }
    return [...parts, text.slice(kept)].join('');
  };
}

/** Shorter texts occur by chance. In characters. */
const minLength = 8;

/** The value unchanged, escaped for JSON and for URLs, and in base64, alone or within a larger text. */
export function encodingsOf(value: string): string[] {
  const encodings = [
    value,
    JSON.stringify(value).slice(1, -1),
    ...inUrl(value),
    ...inBase64(value),
  ];
  return [...new Set(encodings)].filter(({length}) => length >= minLength);
}

function inUrl(value: string): string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  return [encoded, encoded.replaceAll('%20', '+')];
}

/**
 * Base64 encodes groups of three bytes, so within a larger text a value starts at one of three offsets. Characters that
 * also encode bits of neighbouring bytes are left out.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  const aligned = [0, 1, 2].map((before) => {
    const bits = (before + bytes.length) * 8;
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
  return aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
