/** A value as programs print it: as it is, and in the encodings that need no key. */

/** Shorter texts occur by chance. */
const minLength = 8;

/** The value as it is, escaped in JSON, in a URL, and in base64, by itself or within a larger text. */
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
 * In a larger text a value starts at one of three places of a group of three bytes. The characters that it shares with its
 * neighbours are left out.
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
