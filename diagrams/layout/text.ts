/** The size of texts. Browsers have different fonts, so widths include a margin for wider ones. */

import type {TextKind} from './positions.ts';

/** Widths of the characters from space to `~` in Helvetica, in thousandths of the font's size. */
const latin = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

const invisible = /[\p{M}\p{Cf}\p{Cc}]/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;
const emoji = /\p{Emoji_Presentation}/u;

/** The width of a character, in ems. */
function widthOf(char: string, stretch: number): number {
  const known = latin[(char.codePointAt(0) ?? 0) - 32];
  if (known !== undefined) return (known / 1000) * stretch;
  if (invisible.test(char)) return 0;
  if (wide.test(char)) return 1.05;
  return emoji.test(char) ? 1.3 : 0.65 * stretch;
}

interface Font {
  readonly size: number;
  /** The height of a line. */
  readonly height: number;
  /** Bold letters are wider. */
  readonly stretch: number;
}

const plain: Font = {size: 12, height: 17, stretch: 1.06};

export const fonts: Readonly<Record<TextKind, Font>> = {
  title: {size: 17, height: 26, stretch: 1.14},
  name: {size: 14, height: 20, stretch: 1.14},
  note: plain,
  tag: {size: 11, height: 18, stretch: 1.06},
  actor: {size: 12, height: 22, stretch: 1.06},
  event: {size: 12, height: 17, stretch: 1.08},
  guard: plain,
};

/** The width of a text in pixels, rounded up. */
export function textWidth(text: string, kind: TextKind): number {
  const {size, stretch} = fonts[kind];
  const ems = Array.from(text).reduce((sum, char) => sum + widthOf(char, stretch), 0);
  return Math.ceil(ems * size);
}

const mostLines = 4;

/** The text on one line, cut at the end if it is too long. */
export function shortened(text: string, kind: TextKind, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (textWidth(line, kind) <= most) return line;
  const chars = Array.from(line);
  while (chars.length > 1 && textWidth(`${chars.join('')}…`, kind) > most) chars.pop();
  return `${chars.join('').trimEnd()}…`;
}

/** The text on at most four lines, broken after spaces. A longer word is shortened. */
export function wrapped(text: string, kind: TextKind, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer, kind) <= most) lines[lines.length - 1] = longer;
    else lines.push(shortened(word, kind, most));
  }
  return lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '…'] : lines;
}
