/** The task: words of the command line, or a piped standard input. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Input} from '../terminal.ts';
import type {CommandOf} from './command.ts';

const maxTaskBytes = 1_048_576;

/** Throws AppError `usage` when there is none, or too much of it. */
export async function readTask({task, fromStdin}: CommandOf<'run'>, stdin: Input): Promise<string> {
  if (task !== undefined) return task;
  if (!fromStdin && stdin.isTTY === true) throw noTask();
  const text = (await readAll(stdin)).trim();
  if (text === '') throw noTask();
  return text;
}

async function readAll(input: Input): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxTaskBytes) {
      throw new AppError(
        'usage',
        `the task on standard input is longer than ${maxTaskBytes} bytes`,
      );
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8').toWellFormed();
}

function noTask(): AppError {
  return new AppError(
    'usage',
    'there is no task; write: quorate "what is to be done", or see quorate --help',
  );
}
