/** Reads the request of a run from the words of the command line and standard input. */

import type {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Attachment} from '../../machines/prompts/sections.ts';
import type {Input} from '../terminal.ts';
import {exampleOf, nounOf, type RunForm} from './form-nouns.ts';
import {isGiven, readText, startsSoon} from './standard-input.ts';
import {usageError} from './usage-error.ts';

const maxRequestBytes = 1_048_576;
const maxPipedBytes = 10_485_760;

export interface Asked {
  readonly request: string;
  readonly attachments: readonly Attachment[];
}

const silent: Message = t`standard input is silent, so the run continues without it; write - as the last word to wait for it, or </dev/null to close it`;

const empty: Message = t`standard input is empty, so nothing is attached`;

/**
 * With words, standard input is an attachment; without, it is the request. `-` as the last word says that standard input will
 * come, however late. Rejects with AppError `usage` for an empty request, a too long one, and one that is not text. `warn`
 * receives warnings for the person.
 */
export async function readRequest(
  form: RunForm,
  words: readonly string[],
  stdin: Input,
  warn: (message: Message) => void,
): Promise<Asked> {
  const isDash = words.at(-1) === '-';
  const asked = isDash ? words.slice(0, -1) : words;
  if (asked.length > 0) {
    const request = requestFromWords(form, asked);
    const isPiped = isDash || (isGiven(stdin) && (await startsInTime(stdin, warn)));
    return {request, attachments: isPiped ? await readPiped(stdin, warn) : []};
  }
  if (!isDash && stdin.isTTY === true) throw nothingAsked(form);
  const noun = nounOf(form);
  const what = t`the ${noun} on standard input`;
  const text = (await readText(stdin, what, maxRequestBytes)).trim();
  if (text === '') throw nothingAsked(form);
  return {request: text, attachments: []};
}

function requestFromWords(form: RunForm, words: readonly string[]): string {
  const request = words.join(' ').trim();
  if (request !== '') return request;
  const noun = nounOf(form);
  throw usageError(t`the ${noun} is empty; write: ${exampleOf(form)}`);
}

/** A program that starts this one may leave a pipe open without ever writing to it. */
async function startsInTime(stdin: Input, warn: (message: Message) => void): Promise<boolean> {
  const isThere = await startsSoon(stdin);
  if (!isThere) warn(silent);
  return isThere;
}

async function readPiped(stdin: Input, warn: (message: Message) => void): Promise<Attachment[]> {
  const name = 'standard input';
  const text = await readText(stdin, t`standard input`, maxPipedBytes);
  if (text.trim() !== '') return [{name, text}];
  warn(empty);
  return [];
}

function nothingAsked(form: RunForm): AppError {
  const noun = nounOf(form);
  return usageError(t`there is no ${noun}; write: ${exampleOf(form)}, or see quorate --help`);
}
