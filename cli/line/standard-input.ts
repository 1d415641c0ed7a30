/** Reads standard input. */

import {fstatSync} from 'node:fs';

import {type Message, t} from '../../machines/message.ts';
import type {Input} from '../terminal.ts';
import {usageError} from './usage-error.ts';

/** After this time without data, a pipe is considered unused. */
const silenceMs = 1_000;

/** True for a file or a pipe; a terminal waits for its person, and /dev/null is empty. */
export function isGiven(stdin: Input): boolean {
  if (stdin.isTTY === true) return false;
  if (!('fd' in stdin) || typeof stdin.fd !== 'number') return true;
  try {
    const stat = fstatSync(stdin.fd);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Resolves with true when data or the end arrives before the time-out. Consumes nothing. */
export async function startsSoon(stdin: Input): Promise<boolean> {
  return await new Promise((resolve) => {
    const stop = (isThere: boolean): void => {
      clearTimeout(timer);
      for (const event of events) stdin.off(event, onEvent);
      if (!isThere) stdin.pause();
      resolve(isThere);
    };
    const events = ['readable', 'end', 'error'] as const;
    const onEvent = (): void => stop(true);
    const timer = setTimeout(() => stop(false), silenceMs);
    for (const event of events) stdin.on(event, onEvent);
  });
}

/** Reads to the end. Rejects with AppError `usage` for more than `maxBytes`, and for input that is not UTF-8 text. */
export async function readText(stdin: Input, what: Message, maxBytes: number): Promise<string> {
  return toText(await readBytes(stdin, what, maxBytes), what);
}

/** Reads to the end. Rejects with AppError `usage` for more than `maxBytes`. */
export async function readBytes(stdin: Input, what: Message, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBytes) {
      throw usageError(t`${what} is longer than ${maxBytes} bytes`);
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

function toText(bytes: Buffer, what: Message): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    // The error is thrown below.
  }
  throw usageError(
    t`${what} is not UTF-8 text (${bytes.length} bytes); for a file, write its path in the request instead`,
  );
}
