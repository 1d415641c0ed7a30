/** The file of an exported run, named on the command line. */

import {createReadStream} from 'node:fs';
import {resolve} from 'node:path';

import {t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {oneLine} from '../render/text.ts';
import type {Input} from '../terminal.ts';
import {usageError} from './usage-error.ts';

/** The bytes of the file; `-` is standard input. Rejects with AppError `usage` for a file that can't be read. */
export async function* exportedBytes(
  file: string,
  cwd: string,
  stdin: Input,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  try {
    yield* file === '-' ? stdin : createReadStream(openable(resolve(cwd, file)));
  } catch (error) {
    throw unreadable(file, error);
  }
}

export function unreadable(file: string, error: unknown): Error {
  const [name, why] = [oneLine(file), oneLine(error instanceof Error ? error.message : '')];
  return usageError(t`${name} can't be read: ${why}`);
}
