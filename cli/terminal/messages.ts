/** Joins lines of a keyboard or a pipe to messages: one line, lines continued after a backslash, or a paste. */

import type {Input} from '../terminal.ts';
import {inputLines} from './keyboard.ts';

export interface Messages {
  readonly add: (line: string) => void;
  /** A message waits for its next line. */
  readonly isContinued: () => boolean;
  /** Sends the received lines. */
  readonly flush: () => void;
  /** Returns false when there was nothing to discard. */
  readonly discard: () => boolean;
}

/** This many lines arriving faster than typed are one pasted message, on a terminal that does not mark pastes. */
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

/** Counts of arrived and of consumed lines. Empty ones are not counted. */
export interface LineCount {
  arrived: number;
  taken: number;
}

/** A line that ends in a backslash continues in the next one. */
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
