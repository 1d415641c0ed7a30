/** The forms in which programs print a value: unchanged, and in encodings that need no key. */

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
