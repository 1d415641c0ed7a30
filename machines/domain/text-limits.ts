/** Shortens texts to a limit: keeps the beginning and the end, with a note of how much is missing between them. */

import {oneLine} from './plain-text.ts';

/** The notes of all cuts: those in a command's output and those in a result. */
const notes = /\n?\[(?:cut: (\d+) bytes of \d+|… (\d+) characters cut …(?:: [^\]\n]*)?)\]\n?/g;

/** The length of a tool's result for a model, in UTF-16 units. */
export const maxResultChars = 16_000;

/** The share of the kept text that comes from its beginning. */
const headShare = 0.7;

/**
 * The beginning and the end of a text, in at most `max` UTF-16 units including the note between them. The note counts the
 * missing characters, and those of an earlier cut whose note is removed by this one. `hint`: how to read them.
 */
export function cap(text: string, max: number, hint = ''): string {
  if (text.length <= max) return text;
  const room = Math.max(0, max - longestNote(text, hint).length);
  const head = Math.floor(room * headShare);
  return withoutMiddle(text, head, text.length - (room - head), hint);
}

/** Like {@link cap}, in at most `max` bytes, or the note alone; no character is cut in two. */
export function capBytes(text: string, max: number): string {
  const size = bytesOf(text);
  if (size <= max) return text;
  const room = Math.max(0, max - bytesOf(longestNote(text)));
  const head = Math.floor(room * headShare);
  const tail = size - (room - head);
  return withoutMiddle(text, characterAt(text, head).from, characterAt(text, tail - 1).to);
}

interface EarlierCut {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function earlierCuts(text: string): EarlierCut[] {
  return [...text.matchAll(notes)].map(({index, 0: note, 1: bytes, 2: units}) => ({
    from: index,
    to: index + note.length,
    count: Number(bytes ?? units),
  }));
}

/** An upper bound: no note of a cut of this text is longer. */
function longestNote(text: string, hint = ''): string {
  return cutNote(
    earlierCuts(text).reduce((sum, {count}) => sum + count, text.length),
    hint,
  );
}

/** An earlier note is removed as a whole or kept as a whole. */
function withoutMiddle(text: string, head: number, tail: number, hint = ''): string {
  const earlier = earlierCuts(text);
  const from = earlier.find((note) => note.from < head && note.to > head)?.from ?? head;
  const to = earlier.find((note) => note.from < tail && note.to > tail)?.to ?? tail;
  const gone = earlier.filter((note) => note.from >= from && note.to <= to);
  const missing = gone.reduce((sum, note) => sum + note.count - (note.to - note.from), to - from);
  return `${text.slice(0, from)}${cutNote(missing, hint)}${text.slice(to)}`.toWellFormed();
}

function cutNote(count: number, hint: string): string {
  return `\n[… ${count} characters cut …${hint === '' ? '' : `: ${hint}`}]\n`;
}

// Texts measured in bytes of UTF-8, where a character has up to four.

const encoder = new TextEncoder();

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** The start of the character that contains the byte at `offset`, and the start of the next one, in UTF-16 units. */
function characterAt(text: string, offset: number): {readonly from: number; readonly to: number} {
  let [bytes, units] = [0, 0];
  for (const character of text) {
    bytes += bytesOfCharacter(character);
    if (bytes > offset) return {from: units, to: units + character.length};
    units += character.length;
  }
  return {from: units, to: units};
}

function bytesOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}

/** A text in one line of at most `max` bytes; an ellipsis marks a cut. */
export function lineOf(text: string, max: number): string {
  const line = oneLine(text).toWellFormed();
  if (bytesOf(line) <= max) return line;
  const {from} = characterAt(line, Math.max(0, max - bytesOf('…')));
  return `${line.slice(0, from)}…`;
}

// Estimates the number of tokens in a text.

/** Measured averages: English has 0.25 tokens a character, Japanese 0.87. */
const tokensOfLatin = 0.25;
const tokensOfCjk = 0.87;
const tokensOfOther = 0.5;

const latin = /\p{Script=Latin}/u;
const cjk =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

/** An estimate by script: within some 20 % for prose, rougher for code. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const char of text) {
    if (char < '\u0080' || latin.test(char)) tokens += tokensOfLatin;
    else tokens += cjk.test(char) ? tokensOfCjk : tokensOfOther;
  }
  return Math.ceil(tokens);
}
