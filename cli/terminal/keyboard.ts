/**
 * The keyboard of a terminal, and the row on which a person types while lines appear above it. No other file of the product
 * uses readline or raw mode.
 */

import {createInterface, type Interface} from 'node:readline';

import {canRedraw, type Environment, type Input, type Output} from '../terminal.ts';
import {bracketPastes, Keys, leavePastes} from './keys.ts';

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
  /** The first character of a line is typed. */
  readonly onBegin: () => void;
  readonly onLine: (text: string) => void;
  /** Ctrl-C; `wasTyped`: it discarded typed text. */
  readonly onInterrupt: (wasTyped: boolean) => void;
  /** Ctrl-D, or the terminal was closed. */
  readonly onEnd: () => void;
}

export interface KeyboardOptions {
  readonly input: Input;
  readonly output: Output;
  readonly env: Environment;
  /** The newest first. */
  readonly history?: readonly string[];
  readonly complete?: (line: string) => readonly [found: readonly string[], part: string];
}

const historySize = 1000;
/** Input is quiet after this long without a key. With a key held down, waiting ends after `maxQuietMs`. */
const quietMs = 40;
const maxQuietMs = 2000;
const interruptKey = 3;

export function createKeyboard(options: KeyboardOptions, events: KeyboardEvents): Keyboard {
  const {output, env} = options;
  return canRedraw(output, env)
    ? createRedrawnKeyboard(options, events)
    : createPlainKeyboard(options, events);
}

function createRedrawnKeyboard(options: KeyboardOptions, events: KeyboardEvents): Keyboard {
  const {input, output} = options;
  const keys = new Keys(input);
  const lines = openReadline(keys, options);
  let [prompt, status] = ['', ''];
  let isClosed = false;
  let isLeft = false;
  const show = (nextPrompt: string, nextStatus = ''): void => {
    [prompt, status] = [nextPrompt, nextStatus];
    lines.setPrompt(status === '' ? prompt : `${status}\n${prompt}`);
    if (!isClosed) lines.prompt(true);
  };
  const hideStatus = (): void => {
    if (status !== '') show(prompt);
  };
  keys.prependListener('keypress', (_, key?: {readonly name?: string}) => {
    if (lines.line === '') events.onBegin();
    // A sent line stays on the screen without the row above it.
    if (key?.name === 'return' || key?.name === 'enter') hideStatus();
  });
  lines.on('line', (text) => events.onLine(keys.marks.expand(text)));
  lines.on('close', () => {
    isClosed = true;
    if (!isLeft) events.onEnd();
  });
  lines.on('SIGINT', () => {
    hideStatus();
    events.onInterrupt(discardLine(lines, output));
  });
  returnToFront(lines, output);
  output.write(bracketPastes);
  return {
    show,
    print: (printed) => {
      printAbove(printed, lines, output);
      if (!isClosed) lines.prompt(true);
    },
    letGo: () => {
      show('');
      output.write(leavePastes);
      keys.letGo();
    },
    takeBack: () => {
      if (isLeft) return;
      keys.takeBack();
      output.write(bracketPastes);
    },
    close: () => {
      if (isClosed) output.write('\n');
      else show('');
      output.write(`\r\u001b[J${leavePastes}`);
      isLeft = true;
      lines.close();
      keys.letGo();
    },
  };
}

/** After Ctrl-Z and `fg`: readline has paused, and the shell has turned bracketed pastes off. */
function returnToFront(lines: Interface, output: KeyboardOptions['output']): void {
  lines.on('SIGCONT', () => {
    output.write(bracketPastes);
    lines.prompt(true);
  });
}

function openReadline(keys: Keys, options: KeyboardOptions): Interface {
  const {input, output, history = [], complete} = options;
  const setRawMode = (raw: boolean): void => setRaw(input, raw);
  return createInterface({
    input: Object.assign(keys, {setRawMode}),
    output,
    terminal: true,
    history: history.map(keys.marks.markOf),
    historySize,
    removeHistoryDuplicates: true,
    completer: (line: string) => {
      const [found, part] = complete?.(line) ?? [[], line];
      return [[...found], part];
    },
  });
}

function printAbove(printed: readonly string[], lines: Interface, output: Output): void {
  const {rows} = lines.getCursorPos();
  const toStart = rows > 0 ? `\u001b[${rows}A\r` : '\r';
  // Readline goes up as many rows as its cursor was below the prompt.
  output.write(`${toStart}\u001b[J${printed.join('\n')}\n${'\n'.repeat(rows)}`);
}

/** The discarded line stays on the screen. Returns false when the line was empty. */
function discardLine(lines: Interface, output: Output): boolean {
  const wasTyped = lines.line !== '';
  lines.write(null, {ctrl: true, name: 'e'});
  output.write(`^C\n${'\n'.repeat(lines.getCursorPos().rows)}`);
  lines.write(null, {ctrl: true, name: 'u'});
  return wasTyped;
}

/** Without redrawing, the terminal itself edits the line, so that nothing can be printed above it. */
function createPlainKeyboard(
  {input, output}: KeyboardOptions,
  {onBegin, onLine, onInterrupt, onEnd}: KeyboardEvents,
): Keyboard {
  const lines = createInterface({input, terminal: false});
  const interrupt = (): void => {
    output.write('\n');
    onInterrupt(false);
  };
  let isAtStart = true;
  lines.on('line', (text) => {
    isAtStart = true;
    onBegin();
    onLine(text);
  });
  lines.on('close', onEnd);
  process.on('SIGINT', interrupt);
  return {
    print: (printed) => {
      output.write(`${isAtStart ? '' : '\n'}${printed.join('\n')}\n`);
      isAtStart = true;
    },
    show: (prompt) => {
      if (!isAtStart) return;
      output.write(prompt);
      isAtStart = prompt === '';
    },
    letGo: () => lines.pause(),
    takeBack: () => lines.resume(),
    close: () => {
      process.off('SIGINT', interrupt);
      lines.off('close', onEnd);
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

/** A closed terminal has no modes; the input reports its end. */
function setRaw(input: Input, raw: boolean): void {
  try {
    input.setRawMode?.(raw);
  } catch {}
}

/** The lines of a pipe or a file. `onArrival` is called for each line on arrival, before it is consumed. */
export function inputLines(
  input: Input,
  onArrival: (line: string) => void = () => {},
): AsyncIterable<string> {
  const lines = createInterface({input, terminal: false});
  lines.on('line', onArrival);
  return lines;
}
