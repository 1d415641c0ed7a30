/** Makes text from models, tools and files safe to show: characters that can control a terminal or are invisible are escaped. */

const plain = /^[\n\t -~]*$/;

/**
 * Control, format, bidi and invisible characters, line separators and lone surrogates, first and last of each range:
 * Unicode's Cc, Cf, Cs, Zl, Zp and Default_Ignorable_Code_Point except U+FE0F, which colours emoji. A table, because
 * the first use of a regular expression of these classes takes more than 100 ms.
 */
const unsafeRanges: readonly (readonly [number, number])[] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const shortNames: Readonly<Record<string, string>> = {
  '\r': String.raw`\r`,
  '\b': String.raw`\b`,
  '\n': String.raw`\n`,
  '\t': String.raw`\t`,
};

/** Escapes all unsafe characters except line ends and tabs: `\x1b`, `\r`, `<U+202E>`. Never throws; plain text is returned unchanged. */
export function escapeForTerminal(text: string): string {
  return plain.test(text) ? text : spellOut(text, isUnsafeInText);
}

/** As `escapeForTerminal`, for texts that must stay on one line, such as a file's name. */
export function escapeLine(text: string): string {
  return spellOut(text, isUnsafe);
}

/** The first character that `escapeLine` would escape, escaped. */
export function firstUnsafe(text: string): string | undefined {
  for (const character of text) {
    if (isUnsafe(character.codePointAt(0) ?? 0)) return spell(character);
  }
  return undefined;
}

function spellOut(text: string, isSpelled: (code: number) => boolean): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const next = at + (code > 0xffff ? 2 : 1);
    if (isSpelled(code)) {
      out += text.slice(from, at) + spell(text.slice(at, next));
      from = next;
    }
    at = next;
  }
  return out + text.slice(from);
}

function isUnsafeInText(code: number): boolean {
  return code !== 0x0a && code !== 0x09 && isUnsafe(code);
}

function isUnsafe(code: number): boolean {
  if (code < 0x7f) return code < 0x20;
  let low = 0;
  let high = unsafeRanges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = unsafeRanges[middle] ?? [0, 0];
    if (code >= first && code <= last) return true;
    if (code < first) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}

function spell(character: string): string {
  const short = shortNames[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return String.raw`\x` + code.toString(16).padStart(2, '0');
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
