/** Masks many values in a text, in the forms in which programs print them. */

const tableSize = 65_536;

/**
 * Returns a function that replaces every needle by `mark`; overlapping needles are replaced together by one `mark`. Each needle
 * must have at least two characters. The search is that of Wu and Manber, because a regular expression of 1,000 alternatives takes
 * eight times as long: a table of pairs of characters gives how far it may skip.
 */
export function createMask(needles: readonly string[], mark: string): (text: string) => string {
  const window = Math.min(...needles.map(({length}) => length));
  const skips = new Uint32Array(tableSize).fill(window - 1);
  const byEnd = new Map<number, string[]>();
  for (const needle of needles) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at);
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - at);
    }
    const last = pairAt(needle, window - 1);
    byEnd.set(last, [...(byEnd.get(last) ?? []), needle]);
  }
  return (text) => {
    const parts: string[] = [];
    let kept = 0;
    for (let at = window - 1; at < text.length; at += Math.max(1, skips[pairAt(text, at)] ?? 1)) {
      if (skips[pairAt(text, at)] !== 0) continue;
      const start = at - window + 1;
      const end = start + lengthAt(text, start, byEnd.get(pairAt(text, at)) ?? []);
      if (end === start) continue;
      if (start >= kept || parts.length === 0) parts.push(text.slice(kept, start), mark);
      kept = Math.max(kept, end);
    }
    return [...parts, text.slice(kept)].join('');
  };
}

/** The table index of the character at `at` and the one before it. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & (tableSize - 1);
}

/** The length of the longest needle that begins at `start`; 0 without one. */
function lengthAt(text: string, start: number, needles: readonly string[]): number {
  return Math.max(
    0,
    ...needles.filter((one) => text.startsWith(one, start)).map((one) => one.length),
  );
}

/** Shorter texts occur by chance. In characters. */
const minLength = 8;

/** The value unchanged, escaped for JSON and for URLs, and in base64, alone or within a larger text. */
export function encodingsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value.toWellFormed());
  const encodings = [
    value,
    JSON.stringify(value).slice(1, -1),
    inUrl,
    inUrl.replaceAll('%20', '+'),
    ...inBase64(value),
  ];
  return [...new Set(encodings)].filter(({length}) => length >= minLength);
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
