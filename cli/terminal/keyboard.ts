/**
 * The keyboard of a terminal, and what is read of standard input. On a terminal whose rows can be redrawn, the screen has a
 * keyboard of its own, with an editor.
 */

import {createInterface} from 'node:readline';

import type {Style} from '../render/style.ts';
import type {Environment, Input, Output} from '../terminal.ts';
import type {Completion} from './line-editor.ts';

export interface Keyboard {
  /** Writes whole lines above the prompt. */
  readonly print: (lines: readonly string[]) => void;
  /** The prompt and, where lines can be redrawn, a row above it. */
  readonly show: (prompt: string, status?: string) => void;
  /** Lets another program read the terminal. */
  readonly letGo: () => void;
  readonly takeBack: () => void;
  readonly close: () => void;
}

export interface KeyboardEvents {
  /** One message. `begunAt`: by `performance.now()`, when its first character was typed. */
  readonly onLine: (text: string, begunAt: number) => void;
  /** Ctrl-C; `wasTyped`: it discarded typed text. */
  readonly onInterrupt: (wasTyped: boolean) => void;
  /** Ctrl-D, or the terminal was closed. */
  readonly onEnd: () => void;
}

export interface KeyboardOptions {
  readonly input: Input;
  readonly output: Output;
  readonly env: Environment;
  readonly style: Style;
  /** The newest first. */
  readonly history?: readonly string[];
  readonly complete?: (line: string) => Completion;
}

/** Input is quiet after this long without a key. With a key held down, waiting ends after `maxQuietMs`. */
const quietMs = 40;
const maxQuietMs = 2000;
const interruptKey = 3;
const continued = '… ';

/** Without redrawing, the terminal itself edits the line, so that nothing can be printed above it. */
export function createPlainKeyboard(
  {input, output}: KeyboardOptions,
  {onLine, onInterrupt, onEnd}: KeyboardEvents,
): Keyboard {
  const lines = createInterface({input, terminal: false});
  const interrupt = (): void => {
    output.write('\n');
    onInterrupt(messages.discard());
  };
  let prompt = '';
  let isAtStart = true;
  let begunAt = 0;
  const draw = (): void => {
    const shown = messages.isContinued() ? continued : prompt;
    if (!isAtStart) return;
    output.write(shown);
    isAtStart = shown === '';
  };
  const messages = createMessages((text) => onLine(text, begunAt), draw);
  const end = (): void => {
    messages.flush();
    onEnd();
  };
  lines.on('line', (text) => {
    isAtStart = true;
    begunAt = performance.now();
    messages.add(text);
  });
  lines.on('close', end);
  process.on('SIGINT', interrupt);
  return {
    print: (printed) => {
      output.write(`${isAtStart ? '' : '\n'}${printed.join('\n')}\n`);
      isAtStart = true;
      draw();
    },
    show: (next) => {
      prompt = next;
      draw();
    },
    letGo: () => lines.pause(),
    takeBack: () => lines.resume(),
    close: () => {
      messages.discard();
      process.off('SIGINT', interrupt);
      lines.off('close', end);
      lines.close();
    },
  };
}

/**
 * Discards text that was typed before the keyboard was opened: it can't be an answer to a question that was not shown yet.
 * Raw mode makes an unfinished line readable. Resolves with true when it contained Ctrl-C.
 */
export function discardTypeAhead(input: Input): Promise<boolean> {
  return new Promise((resolve) => {
    const deadline = Date.now() + maxQuietMs;
    let interrupted = false;
    const done = (): void => {
      input.off('data', swallow);
      input.off('end', done);
      clearTimeout(timer);
      input.pause();
      setRaw(input, false);
      resolve(interrupted);
    };
    const swallow = (chunk: Buffer | string): void => {
      interrupted ||= Buffer.from(chunk).includes(interruptKey);
      if (Date.now() < deadline) timer.refresh();
    };
    const timer = setTimeout(done, quietMs);
    setRaw(input, true);
    input.on('data', swallow);
    input.once('end', done);
    input.resume();
  });
}

/** A closed terminal has no modes; its input reports the end. */
export function setRaw(input: Input, raw: boolean): void {
  try {
    input.setRawMode?.(raw);
  } catch {}
}

// Messages: one line, lines continued after a backslash, or a paste.

interface Messages {
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
function createMessages(onMessage: (text: string) => void, onSent: () => void): Messages {
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

/** The lines of a pipe or a file. `onArrival` is called for each line on arrival, before it is consumed. */
function inputLines(
  input: Input,
  onArrival: (line: string) => void = () => {},
): AsyncIterable<string> {
  const lines = createInterface({input, terminal: false});
  lines.on('line', onArrival);
  return lines;
}
