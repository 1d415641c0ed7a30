/** Reads the request of a run from the words of the command line and standard input. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Attachment} from '../../machines/prompts/attachment.ts';
import type {Input} from '../terminal.ts';
import {exampleOf, nounOf, type RunForm} from './form-nouns.ts';
import {isGiven, readText, startsSoon} from './standard-input.ts';

const maxRequestBytes = 1_048_576;
const maxPipedBytes = 10_485_760;

export interface Asked {
  readonly request: string;
  readonly attachments: readonly Attachment[];
}

const silent =
  'standard input is silent, so the run goes on without it; write - as the last word to wait for it, or </dev/null to close it';

const empty = 'standard input is empty, so nothing is attached';

/**
 * With words, standard input is an attachment; without, it is the request. `-` as the last word says that standard input will
 * come, however late. Rejects with AppError `usage` for an empty request, a too long one, and one that is not text. `warn`
 * receives warnings for the person.
 */
export async function readRequest(
  form: RunForm,
  words: readonly string[],
  stdin: Input,
  warn: (message: string) => void,
): Promise<Asked> {
  const isDash = words.at(-1) === '-';
  const asked = isDash ? words.slice(0, -1) : words;
  if (asked.length > 0) {
    const request = joined(form, asked);
    const isPiped = isDash || (isGiven(stdin) && (await hasInput(stdin, warn)));
    return {request, attachments: isPiped ? await readPiped(stdin, warn) : []};
  }
  if (!isDash && stdin.isTTY === true) throw nothingAsked(form);
  const what = `the ${nounOf(form)} on standard input`;
  const text = (await readText(stdin, what, maxRequestBytes)).trim();
  if (text === '') throw nothingAsked(form);
  return {request: text, attachments: []};
}

function joined(form: RunForm, words: readonly string[]): string {
  const request = words.join(' ').trim();
  if (request !== '') return request;
  throw new AppError('usage', `the ${nounOf(form)} is empty; write: ${exampleOf(form)}`);
}

/** A program that starts this one may leave a pipe open without ever writing to it. */
async function hasInput(stdin: Input, warn: (message: string) => void): Promise<boolean> {
  const isThere = await startsSoon(stdin);
  if (!isThere) warn(silent);
  return isThere;
}

async function readPiped(stdin: Input, warn: (message: string) => void): Promise<Attachment[]> {
  const name = 'standard input';
  const text = await readText(stdin, name, maxPipedBytes);
  if (text.trim() !== '') return [{name, text}];
  warn(empty);
  return [];
}

function nothingAsked(form: RunForm): AppError {
  return new AppError(
    'usage',
    `there is no ${nounOf(form)}; write: ${exampleOf(form)}, or see quorate --help`,
  );
}
