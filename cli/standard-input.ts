/** What is given to the launcher on standard input. */

import {fstatSync} from 'node:fs';

import type {Input} from './terminal.ts';

/** A file or a pipe holds what somebody wants read; a terminal waits for its person, and /dev/null has nothing. */
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
