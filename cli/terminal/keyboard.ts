/** The bottom of a terminal, where a person types while lines appear above. */

import {createInterface} from 'node:readline';

import {canRedraw, type Environment, type Input, type Output} from '../terminal.ts';
import {bracketPastes, createMarks, Keys, leavePastes} from './keys.ts';

export interface Surface {
  /** Writes whole lines above what is typed. */
  readonly print: (lines: readonly string[]) => void;
  /** What stands before the line and, where lines can be redrawn, on a row above it. */
  readonly show: (prompt: string, status?: string) => void;
  /** Leaves the terminal to another program meanwhile. */
  readonly letGo: () => void;
  readonly takeBack: () => void;
  readonly close: () => void;
}

export interface SurfaceEvents {
  /** Something is typed where nothing was. */
  readonly onBegin: () => void;
  readonly onLine: (text: string) => void;
  /** Ctrl-C; `wasTyped`: it threw away what was typed. */
  readonly onInterrupt: (wasTyped: boolean) => void;
  /** Ctrl-D, or the terminal is gone. */
  readonly onEnd: () => void;
}

export interface SurfaceOptions {
  readonly input: Input;
  readonly output: Output;
  readonly env: Environment;
  /** The newest first. */
  readonly history: readonly string[];
  readonly complete: (line: string) => readonly [found: readonly string[], part: string];
}

const historySize = 1000;

export function createSurface(options: SurfaceOptions, events: SurfaceEvents): Surface {
  const {output, env} = options;
  return canRedraw(output, env)
    ? createRedrawnSurface(options, events)
    : createPlainSurface(options, events);
}

function createRedrawnSurface(
  {input, output, history, complete}: SurfaceOptions,
  {onBegin, onLine, onInterrupt, onEnd}: SurfaceEvents,
): Surface {
  const marks = createMarks();
  const keys = new Keys(input, marks);
  const lines = createInterface({
    input: keys,
    output,
    terminal: true,
    history: history.map(marks.markOf),
    historySize,
    removeHistoryDuplicates: true,
    completer: (line: string) => {
      const [found, part] = complete(line);
      return [[...found], part];
    },
  });
  let [prompt, status] = ['', ''];
  let isClosed = false;
  const show = (nextPrompt: string, nextStatus = ''): void => {
    [prompt, status] = [nextPrompt, nextStatus];
    lines.setPrompt(status === '' ? prompt : `${status}\n${prompt}`);
    if (!isClosed) lines.prompt(true);
  };
  /** What is sent stays on the screen without the row above it. */
  keys.prependListener('keypress', (_, key?: {readonly name?: string}) => {
    if (lines.line === '') onBegin();
    if ((key?.name === 'return' || key?.name === 'enter') && status !== '') show(prompt);
  });
  lines.on('line', (text) => onLine(marks.expand(text)));
  lines.on('close', () => {
    isClosed = true;
    onEnd();
  });
  lines.on('SIGINT', () => {
    const wasTyped = lines.line !== '';
    if (status !== '') show(prompt);
    lines.write(null, {ctrl: true, name: 'e'});
    output.write(`^C\n${'\n'.repeat(lines.getCursorPos().rows)}`);
    lines.write(null, {ctrl: true, name: 'u'});
    onInterrupt(wasTyped);
  });
  output.write(bracketPastes);
  return {
    show,
    print: (printed) => {
      const {rows} = lines.getCursorPos();
      const toStart = rows > 0 ? `\u001b[${rows}A\r` : '\r';
      // Readline goes up as many rows as its cursor was below the prompt.
      output.write(`${toStart}\u001b[J${printed.join('\n')}\n${'\n'.repeat(rows)}`);
      if (!isClosed) lines.prompt(true);
    },
    letGo: () => {
      show('');
      output.write(leavePastes);
      keys.letGo();
    },
    takeBack: () => {
      keys.takeBack();
      output.write(bracketPastes);
    },
    close: () => {
      if (isClosed) output.write('\n');
      else show('');
      output.write(`\r\u001b[J${leavePastes}`);
      lines.close();
      keys.letGo();
    },
  };
}

/** Without redrawing the terminal itself edits the line, so that nothing can be put above it. */
function createPlainSurface(
  {input, output}: SurfaceOptions,
  {onBegin, onLine, onInterrupt, onEnd}: SurfaceEvents,
): Surface {
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
