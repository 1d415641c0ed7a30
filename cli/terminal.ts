/** The three streams and the environment that the launcher talks to, so that every part can be given others. */

import {AppError} from '../machines/domain/app-error.ts';

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
}

export function processTerminal(): Terminal {
  const {stdin, stdout, stderr, env} = process;
  return {stdin, stdout, stderr, env: withoutBlanks(env)};
}

/** A variable that is blank, as CI systems set it for a secret that is missing, counts as not set. */
function withoutBlanks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value = '']) => value.trim() !== ''));
}

/** A person can be asked: they see the question on stderr and answer on stdin. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/** Progress and result are read by the same person. */
export function isOneScreen({stdout, stderr}: Pick<Terminal, 'stdout' | 'stderr'>): boolean {
  return stdout.isTTY === true && stderr.isTTY === true;
}

/** Whether lines can be redrawn in place. */
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

/** A terminal that says that it has no columns does not know. */
const usualColumns = 80;

/** A pipe is as wide as a long line. */
export function widthOf({columns = 200}: Output): number {
  return columns === 0 ? usualColumns : Math.max(20, columns);
}

/** For text that is wrapped, which whoever reads a pipe does themselves. */
export function pageWidthOf(output: Output): number {
  return output.isTTY === true ? widthOf(output) : Number.POSITIVE_INFINITY;
}

export function heightOf(output: Output): number {
  return Math.max(6, output.rows ?? 24);
}

/**
 * Writes and resolves once the text is handed on. A reader that has gone away wants no more of it; rejects with AppError
 * `io` when the text could not be kept, as on a full disk.
 */
export async function write(output: Output, text: string): Promise<void> {
  const error = await handOn(output, text);
  if (!error || isReaderGone(error)) return;
  throw new AppError('io', `the output can't be written: ${error.message}`, {cause: error});
}

/** Writes where a failure is told in another way, or can't be told at all. Never rejects. */
export async function tryToWrite(output: Output, text: string): Promise<void> {
  await handOn(output, text);
}

async function handOn(output: Output, text: string): Promise<Error | null | undefined> {
  return await new Promise((resolve) => {
    output.write(text, resolve);
  });
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
