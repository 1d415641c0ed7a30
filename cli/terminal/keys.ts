/**
 * Filters terminal input before the line editor: a paste of several lines, or of a long one, becomes a short mark, so that it
 * is one message and the line stays one row.
 */

import {Transform, type TransformCallback} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';

import {escapedLines} from '../render/text.ts';
import type {Input} from '../terminal.ts';

/** The sequences that a terminal sends around a paste when bracketed pastes are on. */
const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
export const bracketPastes = '\u001b[?2004h';
export const leavePastes = '\u001b[?2004l';

/** Characters of a pasted line. A line longer than the screen would leave copies above it at every key. */
const maxShown = 1000;

/** Longer texts, each represented in the line by a mark. */
interface Marks {
  /** The mark of a text, or the text itself when it is one line of usual length. */
  readonly markOf: (text: string) => string;
  /** The line with every mark replaced by its text. */
  readonly expand: (line: string) => string;
}

function createMarks(): Marks {
  const texts = new Map<string, string>();
  return {
    markOf: (text) => {
      const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
      const [first = ''] = lines;
      const isOne = lines.length === 1;
      if (isOne && first.length <= maxShown) return escapedLines(first).join('');
      const size = isOne ? `${first.length} characters` : `${lines.length} lines`;
      const mark = `[text ${texts.size + 1}: ${size}]`;
      texts.set(mark, lines.join('\n'));
      return mark;
    },
    expand: (line) =>
      line.replaceAll(/\[text \d+: \d+ (?:lines|characters)\]/g, (mark) => texts.get(mark) ?? mark),
  };
}

/** Emits terminal keys one character a chunk; otherwise readline miscounts its rows. */
export class Keys extends Transform {
  readonly isTTY = true;
  readonly marks = createMarks();
  readonly #stdin: Input;
  readonly #decoder = new StringDecoder('utf8');
  /** A possible beginning of a sequence. */
  #held = '';
  /** Within a paste: its text up to now. */
  #pasted: string | undefined;

  constructor(stdin: Input) {
    super();
    this.#stdin = stdin;
    stdin.pipe(this);
  }

  /** Lets another program read the terminal. */
  letGo(): void {
    this.#stdin.unpipe(this);
    this.#stdin.pause();
  }

  takeBack(): void {
    this.#stdin.pipe(this);
    this.#stdin.resume();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#take(this.#held + this.#decoder.write(chunk));
    done();
  }

  #take(text: string): void {
    const marker = this.#pasted === undefined ? pasteStart : pasteEnd;
    const place = text.indexOf(marker);
    if (place < 0) {
      const kept = beginningAtEnd(text, marker);
      this.#held = text.slice(text.length - kept);
      this.#pass(text.slice(0, text.length - kept));
      return;
    }
    this.#held = '';
    this.#pass(text.slice(0, place));
    if (this.#pasted === undefined) this.#pasted = '';
    else {
      const mark = this.marks.markOf(this.#pasted);
      this.#pasted = undefined;
      this.#pass(mark);
    }
    this.#take(text.slice(place + marker.length));
  }

  #pass(text: string): void {
    if (this.#pasted !== undefined) this.#pasted += text;
    else for (const character of text) this.push(character);
  }
}

/** The length of the marker's beginning at the end of the text; Escape alone is a key. */
function beginningAtEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 1; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
