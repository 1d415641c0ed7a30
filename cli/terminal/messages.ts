/** Messages out of lines, of a keyboard or a pipe: a line, lines that continue after a backslash, or a paste. */

import type {Input} from '../terminal.ts';
import {inputLines} from './keyboard.ts';

export interface Messages {
  readonly add: (line: string) => void;
  /** A message waits for its next line. */
  readonly isContinued: () => boolean;
  /** Sends what has come. */
  readonly flush: () => void;
  /** Returns whether something was discarded. */
  readonly discard: () => boolean;
}

/** So many lines that come faster than anybody types are a paste, on a terminal that does not mark them: one message. */
const leastPaste = 4;
const pasteGapMs = 30;

/** `onSent` is called after all messages of a batch. */
export function createMessages(onMessage: (text: string) => void, onSent: () => void): Messages {
  /** Lines that end in a backslash, without it. */
  let open: readonly string[] = [];
  let batch: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    const sent = batch.length < leastPaste ? batch : [batch.join('\n')];
    batch = [];
    for (const text of sent) {
      const whole = [...open, text].join('\n');
      open = isContinued(whole) ? [whole.slice(0, -1)] : [];
      if (open.length === 0) onMessage(whole);
    }
    onSent();
  };
  return {
    add: (line) => {
      batch.push(line);
      clearTimeout(timer);
      timer = setTimeout(flush, pasteGapMs);
    },
    isContinued: () => open.length > 0,
    flush: () => {
      if (batch.length > 0) flush();
    },
    discard: () => {
      const wasOpen = open.length > 0 || batch.length > 0;
      clearTimeout(timer);
      [open, batch] = [[], []];
      return wasOpen;
    },
  };
}

/** Lines that have come in, and those of them that were taken. Empty ones are not counted. */
export interface LineCount {
  arrived: number;
  taken: number;
}

/** Lines that end in a backslash go on in the next one. */
export async function* messagesIn(
  stdin: Input,
  count: LineCount = {arrived: 0, taken: 0},
): AsyncGenerator<string, void> {
  let open = '';
  const lines = inputLines(stdin, (line) => {
    if (line !== '') count.arrived += 1;
  });
  for await (const line of lines) {
    if (line !== '') count.taken += 1;
    const text = open + line;
    open = isContinued(text) ? `${text.slice(0, -1)}\n` : '';
    if (open === '') yield text;
  }
  if (open !== '') yield open;
}

/** An even number of backslashes is text. */
function isContinued(text: string): boolean {
  return (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}
