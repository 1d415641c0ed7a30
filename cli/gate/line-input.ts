/** Asks for one line on a terminal. What was typed before the prompt showed is thrown away. */

import {createInterface} from 'node:readline';

import type {Input, Output} from '../terminal.ts';

export type Line =
  | {readonly kind: 'line'; readonly text: string}
  /** Ctrl-D, or the input has ended. */
  | {readonly kind: 'end'}
  /** Ctrl-C. */
  | {readonly kind: 'interrupt'}
  /** The signal was aborted. */
  | {readonly kind: 'withdrawn'};

/** Input is quiet once nothing has come for this long; a key held down is not waited for longer than the maximum. */
const quietMs = 40;
const maxQuietMs = 2000;
const interruptKey = 3;

/** Resolves with the line, without its end. Never rejects. */
export async function askLine(
  prompt: string,
  io: {readonly input: Input; readonly output: Output; readonly signal: AbortSignal},
): Promise<Line> {
  if (io.signal.aborted) return {kind: 'withdrawn'};
  const interrupted = await discardTypeAhead(io.input);
  if (interrupted) return {kind: 'interrupt'};
  return io.signal.aborted ? {kind: 'withdrawn'} : readOneLine(prompt, io);
}

function readOneLine(
  prompt: string,
  {input, output, signal}: {input: Input; output: Output; signal: AbortSignal},
): Promise<Line> {
  return new Promise((resolve) => {
    const lines = createInterface({input, output, terminal: true, historySize: 0});
    let line: Line = {kind: 'end'};
    const finish = (outcome: Line): void => {
      line = outcome;
      lines.close();
    };
    const withdraw = (): void => finish({kind: 'withdrawn'});
    signal.addEventListener('abort', withdraw, {once: true});
    lines.once('close', () => {
      signal.removeEventListener('abort', withdraw);
      if (line.kind !== 'line') output.write('\n');
      resolve(line);
    });
    lines.once('SIGINT', () => finish({kind: 'interrupt'}));
    lines.once('line', (text) => finish({kind: 'line', text}));
    lines.setPrompt(prompt);
    lines.prompt();
  });
}

/**
 * Raw mode makes an unfinished line readable, so that it can be thrown away too.
 * Resolves with true when Ctrl-C was among it.
 */
function discardTypeAhead(input: Input): Promise<boolean> {
  return new Promise((resolve) => {
    const deadline = Date.now() + maxQuietMs;
    let interrupted = false;
    const done = (): void => {
      input.off('data', swallow);
      input.off('end', done);
      clearTimeout(timer);
      input.pause();
      input.setRawMode?.(false);
      resolve(interrupted);
    };
    const swallow = (chunk: Buffer | string): void => {
      interrupted ||= Buffer.from(chunk).includes(interruptKey);
      if (Date.now() < deadline) timer.refresh();
    };
    const timer = setTimeout(done, quietMs);
    input.setRawMode?.(true);
    input.on('data', swallow);
    input.once('end', done);
    input.resume();
  });
}
