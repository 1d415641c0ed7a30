/** Normalises text: one width, one kind of dash and of quote, no invisible characters; positions map back to the typed text. */

export interface Folded {
  readonly raw: string;
  /** Only the beginning of a long text: no value is expected after so many words. */
  readonly text: string;
  /** For each UTF-16 code unit of `text` its position in `raw`, and one more for the end; absent where they are the same. */
  readonly from?: readonly number[];
}

const ascii = /^[\n -~]*$/;
const dashes = /[‐‑‒–—―−]/u;
const marks: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '\t': ' ',
  '、': ',',
  '。': '.',
  '\u2028': '\n',
  '\u2029': '\n',
  '\u0085': '\n',
  '\u000b': '\n',
  '\u000c': '\n',
};
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164]/u;

const maxFolded = 50_000;

/** Never throws. */
export function fold(raw: string): Folded {
  const beginning = raw.slice(0, maxFolded);
  if (ascii.test(beginning)) return {raw, text: beginning};
  let text = '';
  const from: number[] = [];
  let at = 0;
  for (const char of beginning) {
    // A single character may fold to eighteen.
    if (text.length >= maxFolded) break;
    const form = char === '\r' && raw[at + 1] === '\n' ? '' : formOf(char);
    for (let unit = 0; unit < form.length; unit += 1) from.push(at);
    text += form;
    at += char.length;
  }
  from.push(at);
  return {raw, text: longVowels(text), from};
}

function formOf(char: string): string {
  if (char === '\n' || (char >= ' ' && char <= '~')) return char;
  if (char === '\r') return '\n';
  const known = marks[char];
  if (known !== undefined) return known;
  if (hidden.test(char)) return '';
  const form = char.normalize('NFKC');
  return dashes.test(form) ? '-' : form;
}

/** The mark of a long vowel is also typed instead of a dash: 090ー1234ー5678. */
function longVowels(text: string): string {
  return text.includes('ー') ? text.replaceAll(/(?<=\d)ー(?=\d)/g, '-') : text;
}

/** The typed text for a part of the folded text, trimmed; if the part reaches the end, all the rest. */
export function typed({raw, text, from}: Folded, start: number, end: number): string {
  const [first, last] = from ? [from[start], from[end]] : [start, end];
  return raw.slice(first, end < text.length ? last : undefined).trim();
}

const maxQuoteLength = 200;

/** The whole typed text, or the relevant part of a long one. */
export function quotedPart(folded: Folded, start: number, end: number): string {
  const whole = folded.raw.trim();
  return whole.length <= maxQuoteLength ? whole : typed(folded, start, end);
}

/** Text to store: in Unicode's form NFC, trimmed, without characters that are invisible or control a terminal. Joiners make words and emoji. */
export function cleaned(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split(/[\r\n\u0085\u2028\u2029]/);
  return lines
    .map((line) => visible(line).trimEnd())
    .join('\n')
    .normalize('NFC')
    .trim();
}

const joiners = /[\u200c\u200d]/;
const concealed = /[\p{Cc}\p{Cf}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164]/u;

function visible(line: string): string {
  if (!concealed.test(line)) return line;
  let text = '';
  for (const char of line) {
    if (char === '\t' || joiners.test(char) || !concealed.test(char)) text += char;
  }
  return text.replaceAll(/^[\u200c\u200d]+|[\u200c\u200d]{2,}/g, '');
}
