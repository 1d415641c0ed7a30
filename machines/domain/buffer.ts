/** Texts within a limit: their beginning and their end, with a note of how much is missing. */

import {bytesOf, characterAt} from './bytes.ts';

/** The note of a cut, wherever it was made: of a command's output, of a result, of both. */
const notes = /\n?\[(?:cut: (\d+) bytes of \d+|… (\d+) characters cut …)\]\n?/g;

/** Of what is kept of a text, the part of its beginning. */
const headShare = 0.7;

/**
 * The beginning and the end of a text: at most `max` UTF-16 units with the note between them, which tells how many are
 * missing. What an earlier cut took counts, when its own note goes with this one.
 */
export function cap(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = Math.max(0, max - longestNote(text).length);
  const head = Math.floor(room * headShare);
  return withoutMiddle(text, head, text.length - (room - head));
}

/** The same, at most `max` bytes, or the note alone; no character is cut in two. */
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

/** What of a text may be missing is told in no longer note than this. */
function longestNote(text: string): string {
  return noteOf(earlierCuts(text).reduce((sum, {count}) => sum + count, text.length));
}

/** A note goes as a whole or not at all. */
function withoutMiddle(text: string, head: number, tail: number): string {
  const earlier = earlierCuts(text);
  const from = earlier.find((note) => note.from < head && note.to > head)?.from ?? head;
  const to = earlier.find((note) => note.from < tail && note.to > tail)?.to ?? tail;
  const gone = earlier.filter((note) => note.from >= from && note.to <= to);
  const missing = gone.reduce((sum, note) => sum + note.count - (note.to - note.from), to - from);
  return `${text.slice(0, from)}${noteOf(missing)}${text.slice(to)}`.toWellFormed();
}

function noteOf(count: number): string {
  return `\n[… ${count} characters cut …]\n`;
}
