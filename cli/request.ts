/** What a run is asked: words of the command line, or a piped standard input. */

import {AppError} from '../machines/domain/app-error.ts';
import {exampleOf, nounOf, type RunForm} from './forms.ts';
import type {Input} from './terminal.ts';

const maxRequestBytes = 1_048_576;

/** `-` alone stands for standard input. Rejects with AppError `usage` when nothing is asked, or too much. */
export async function readRequest(
  form: RunForm,
  words: readonly string[],
  stdin: Input,
): Promise<string> {
  const isDash = words.length === 1 && words[0] === '-';
  if (words.length > 0 && !isDash) return joined(form, words);
  if (!isDash && stdin.isTTY === true) throw nothingAsked(form);
  const text = (await readAll(stdin, form)).trim();
  if (text === '') throw nothingAsked(form);
  return text;
}

function joined(form: RunForm, words: readonly string[]): string {
  const request = words.join(' ').trim();
  if (request !== '') return request;
  throw new AppError('usage', `the ${nounOf(form)} is empty; write: ${exampleOf(form)}`);
}

async function readAll(input: Input, form: RunForm): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxRequestBytes) {
      throw new AppError(
        'usage',
        `the ${nounOf(form)} on standard input is longer than ${maxRequestBytes} bytes`,
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
