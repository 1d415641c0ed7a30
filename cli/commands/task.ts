/** The task or question: words of the command line, or a piped standard input. */

import {AppError} from '../../machines/domain/app-error.ts';
import {exampleOf, nounOf, type RunForm} from '../forms.ts';
import type {Input} from '../terminal.ts';
import type {CommandOf} from './command.ts';

const maxTaskBytes = 1_048_576;

/** Throws AppError `usage` when there is none, or too much of it. */
export async function readTask(
  {form, task, fromStdin}: CommandOf<'run'>,
  stdin: Input,
): Promise<string> {
  if (task !== undefined) return task;
  if (!fromStdin && stdin.isTTY === true) throw nothingAsked(form);
  const text = (await readAll(stdin, form)).trim();
  if (text === '') throw nothingAsked(form);
  return text;
}

async function readAll(input: Input, form: RunForm): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxTaskBytes) {
      throw new AppError(
        'usage',
        `the ${nounOf(form)} on standard input is longer than ${maxTaskBytes} bytes`,
      );
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8').toWellFormed();
}

function nothingAsked(form: RunForm): AppError {
  return new AppError(
    'usage',
    `there is no ${nounOf(form)}; write: ${exampleOf(form)}, or see quorate --help`,
  );
}
