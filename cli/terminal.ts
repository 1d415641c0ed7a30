/** The three streams and the environment of the launcher, so that each part can be given others. */

import {fstatSync} from 'node:fs';

import {AppError} from '../machines/domain/app-error.ts';
import type {Language} from './language.ts';

export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (raw: boolean) => unknown;
};

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Terminal {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  /** `--journal`: the address of the journal, if it is not the one on this machine. */
  readonly journal?: string | undefined;
  /** Of the screen. Absent: English. */
  readonly language?: Language | undefined;
}

export function processTerminal(): Terminal {
  const {stdin, stdout, stderr, env} = process;
  return {stdin, stdout, stderr, env: withoutBlanks(env)};
}

/** The same without redrawn rows and colours, for screen readers and slow connections. */
export function plainTerminal(terminal: Terminal): Terminal {
  return {...terminal, env: {...terminal.env, TERM: 'dumb'}};
}

/** A variable that is blank, as CI systems set it for a secret that is missing, counts as not set. */
function withoutBlanks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value = '']) => value.trim() !== ''));
}

/** A person can be asked: they see the question on stderr and answer on stdin. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/** The same person reads progress and result. */
export function isOneScreen({stdout, stderr}: Pick<Terminal, 'stdout' | 'stderr'>): boolean {
  return stdout.isTTY === true && stderr.isTTY === true;
}

/** Another program reads the result as it comes, such as a pager. */
export function isPipeline(stdout: Output): boolean {
  return stdout === process.stdout && stdout.isTTY !== true && fstatSync(1).isFIFO();
}

/** Lines can be redrawn in place. */
export function canRedraw(output: Output, env: Environment): boolean {
  return output.isTTY === true && env['TERM'] !== 'dumb';
}

/** FORCE_COLOR wins over NO_COLOR, as in Node; without either, terminals get colours. */
export function wantsColour(output: Output, env: Environment): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env['NO_COLOR']) return false;
  return canRedraw(output, env);
}

/** For a terminal that reports zero columns: its width is unknown. */
const usualColumns = 80;

/** Columns of an output; a pipe has as many as a long line. */
export function widthOf({columns = 200}: Output): number {
  return columns === 0 ? usualColumns : Math.max(20, columns);
}

/** Columns for wrapped text; unlimited in a pipe, whose reader wraps lines itself. */
export function pageWidthOf(output: Output): number {
  return output.isTTY === true ? widthOf(output) : Number.POSITIVE_INFINITY;
}

export function heightOf(output: Output): number {
  return Math.max(6, output.rows ?? 24);
}

/**
 * Writes and resolves once the text is passed to the stream. A reader that has closed the pipe is ignored; rejects with
 * AppError `io` when the text could not be written, as on a full disk.
 */
export async function write(output: Output, text: string): Promise<void> {
  const error = await writeTo(output, text);
  if (!error || isReaderGone(error)) return;
  throw new AppError('io', `the output can't be written: ${error.message}`, {cause: error});
}

/** Writes where a failure is reported in another way or can't be reported. Never rejects. */
export async function tryToWrite(output: Output, text: string): Promise<void> {
  await writeTo(output, text);
}

async function writeTo(output: Output, text: string): Promise<Error | null | undefined> {
  return await new Promise((resolve) => {
    output.write(text, resolve);
  });
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

// Ctrl-C, a shutdown, a lost terminal: the first asks to stop, the second stops at once.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** 128 + SIGINT, for every one of the signals: the run can be resumed. */
const interruptedExitCode = 130;

/** Returns a function that stops listening. The second signal ends the process: the journal is durable at every instant. */
export function onInterrupt(callback: () => void): () => void {
  let count = 0;
  const listener = (): void => {
    count += 1;
    if (count > 1) process.exit(interruptedExitCode);
    callback();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
