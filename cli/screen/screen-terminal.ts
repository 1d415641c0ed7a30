/** The terminal of the screen: keys come from one stream, rows go to another, such as stderr when the result goes to a file. */

import {StringDecoder} from 'node:string_decoder';

import {StdinBuffer, type Terminal} from '@earendil-works/pi-tui';

import {escapedLines} from '../render/text.ts';
import {type Environment, heightOf, type Input, type Output, widthOf} from '../terminal.ts';
import {setRaw} from '../terminal/keyboard.ts';
import {whenForeground} from '../terminal/prompter.ts';

const bracketPastes = '\u001b[?2004h';
const leavePastes = '\u001b[?2004l';
/** Kitty's protocol: Esc and modified keys are told apart, and Ctrl-C is found on any layout. Other terminals ignore it. */
const pushKeys = '\u001b[>5u';
const popKeys = '\u001b[<u';
const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** This many lines that arrive at once are a paste, on a terminal that does not mark pastes. */
const leastPaste = 4;
/** Over a slow connection, the rest of a key's sequence arrives later. */
const escapeMs = {local: 20, remote: 100};

export interface ScreenStreams {
  readonly input: Input;
  readonly output: Output;
  readonly env: Environment;
  /** The terminal was closed. */
  readonly onEnd: () => void;
}

export function createScreenTerminal(streams: ScreenStreams): Terminal {
  const {input, output, env} = streams;
  // The console of Linux prints the rest of a sequence that it does not know.
  const [enter, leave] =
    env['TERM'] === 'linux'
      ? [bracketPastes, leavePastes]
      : [bracketPastes + pushKeys, popKeys + leavePastes];
  let detach: (() => void) | undefined;
  const write = (text: string): void => void output.write(text);
  return {
    start: (onInput, onResize) => {
      const closeKeys = openKeys(streams, onInput);
      output.on('resize', onResize);
      setRaw(input, true);
      input.resume();
      write(enter);
      detach = () => {
        closeKeys();
        output.off('resize', onResize);
      };
    },
    stop: () => {
      detach?.();
      write(leave);
      input.pause();
      setRaw(input, false);
    },
    restoreOnExit: (before, after) => {
      write(before + leave + after);
      setRaw(input, false);
    },
    drainInput: async () => {},
    write,
    get columns() {
      return widthOf(output);
    },
    get rows() {
      return heightOf(output);
    },
    kittyProtocolActive: false,
    moveBy: (lines) => {
      if (lines !== 0) write(`\u001b[${Math.abs(lines)}${lines > 0 ? 'B' : 'A'}`);
    },
    hideCursor: () => write('\u001b[?25l'),
    showCursor: () => write('\u001b[?25h'),
    clearLine: () => write('\u001b[K'),
    clearFromCursor: () => write('\u001b[J'),
    clearScreen: () => write('\u001b[H\u001b[2J'),
    setTitle: () => {},
    setProgress: () => {},
    setProgramStatus: () => {},
  };
}

/** Passes one key, or one paste between its marks, at a time. Returns a function that stops reading. */
function openKeys({input, env, onEnd}: ScreenStreams, onKey: (key: string) => void): () => void {
  const isRemote = env['SSH_CONNECTION'] !== undefined;
  const keys = new StdinBuffer({escapeTimeout: isRemote ? escapeMs.remote : escapeMs.local});
  const decoder = new StringDecoder('utf8');
  const paste = (text: string): void => onKey(pasteStart + safePaste(text) + pasteEnd);
  const take = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    // Before the screen has opened, a terminal sends another character for Enter.
    const keyed = text.length > 1 && !text.includes('\u001b') ? text.replaceAll('\n', '\r') : text;
    if (!isUnmarkedPaste(text)) return keys.process(keyed);
    paste(text);
    onKey('\r');
  };
  keys.on('data', onKey);
  keys.on('paste', paste);
  input.on('data', take).on('end', onEnd).on('error', onEnd);
  return () => {
    keys.destroy();
    input.off('data', take).off('end', onEnd).off('error', onEnd);
  };
}

function isUnmarkedPaste(text: string): boolean {
  return !text.includes('\u001b') && text.split(/\r\n?|\n/).length > leastPaste;
}

/** Without the line ends at its end, and without characters that would not be seen. */
function safePaste(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
  return escapedLines(lines).join('\n');
}

// Ctrl-Z: stops the process as a shell expects it, and draws again after `fg`.

export function stopUntilContinued(leave: () => void, comeBack: () => void): void {
  leave();
  // With the keyboard closed, nothing else keeps the process alive until the signal is delivered.
  const alive = setInterval(() => {}, 60_000);
  process.once('SIGCONT', () => {
    clearInterval(alive);
    whenForeground(process.stdin, comeBack);
  });
  process.kill(process.pid, 'SIGTSTP');
}
