/** Reads the request of a run from the words of the command line and standard input. */

import {readdirSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

import type {RunForm} from '../../actors/config/resolve.ts';
import type {AppError} from '../../machines/domain/app-error.ts';
import {formTraits, type InteractionForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import type {Attachment} from '../../machines/prompts/sections.ts';
import {decodedText, readInside} from '../../tools/read/read.ts';
import {oneLine} from '../render/text.ts';
import type {Input} from '../terminal.ts';
import {isGiven, readText, startsSoon} from './standard-input.ts';
import {meant, usageError} from './usage-error.ts';

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

// `@file` in a request attaches the file.

/** `@path` or `@"a path"`, at the beginning of a word. */
const mention = /(?<![^\s([{（「『、。])@(?:"([^"\n]+)"|([^\s"]+))/gu;

/**
 * Attaches the workspace files that the request names with an `@`, and removes the `@`, so that readers of the request see
 * paths. A word that is not a file stays as it is; `warn` is called when it looks like one. Throws AppError `usage` for a file
 * outside of the workspace, a too large one and one that is not text.
 */
export function withFiles(
  {request, attachments}: Asked,
  workspace: string,
  warn: (message: Message) => void,
): Asked {
  const files = new Map<string, Attachment>();
  const text = request.replaceAll(mention, (whole, quoted?: string, word?: string) => {
    const name = quoted ?? word ?? '';
    const path = quoted === undefined ? fileIn(name, workspace) : isFile(name, workspace) && name;
    if (!path) {
      const [file] = likeFile.exec(name) ?? [];
      if (file !== undefined) warn(noSuchFile(file, workspace));
      return whole;
    }
    const file = readAttachment(path, workspace);
    files.set(file.name, file);
    return quoted === undefined ? path + name.slice(path.length) : `"${path}"`;
  });
  return {request: text, attachments: [...attachments, ...files.values()]};
}

/** The longest prefix that is a file and ends where a path may: text may follow it, in Japanese without a blank. */
function fileIn(word: string, workspace: string): string | undefined {
  for (let end = word.length; end > 0; end -= 1) {
    const isEnd = end === word.length || !/[\w/-]/.test(word[end] ?? '');
    if (isEnd && isFile(word.slice(0, end), workspace)) return word.slice(0, end);
  }
  return undefined;
}

/** A prefix that ends like a file name. */
const likeFile = /^.*?\.[a-z]\w{0,7}(?![\w./])/i;

function noSuchFile(name: string, workspace: string): Message {
  const names = namesIn(resolve(workspace, dirname(name))).map((one) => join(dirname(name), one));
  const [file, near] = [oneLine(name, 200), meant(name, names)];
  return t`there is no file ${file}, so @${file} stays a word${near}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string, workspace: string): boolean {
  try {
    return statSync(resolve(workspace, path)).isFile();
  } catch {
    return false;
  }
}

function readAttachment(path: string, workspace: string): Attachment {
  const found = readInside(workspace, path);
  if (!found.ok) throw notAttached(path, found.denial.message);
  const text = decodedText(found.value);
  if (!text.ok) throw notAttached(path, text.denial.message);
  return {name: found.value.path, text: text.value, file: found.value.path};
}

function notAttached(path: string, why: string): Error {
  return usageError(t`@${path} can't be attached: ${why}`);
}

// The names of the forms on the command line.

export type {RunForm};

/** A command line that begins a run of the form. */
const examples: Readonly<Record<InteractionForm, string>> = {
  agent: 'quorate "TASK"',
  ask: 'quorate ask "what do you want to know?"',
  discuss: 'quorate discuss "what is to be discussed?"',
  interview: 'quorate interview form.toml',
  review: 'git diff | quorate review',
  command: 'quorate chat, and there: !npm test',
};

const nouns: Readonly<Record<(typeof formTraits)[InteractionForm]['input'], Message>> = {
  task: t`task`,
  question: t`question`,
  form: t`form`,
  diff: t`diff`,
  command: t`command`,
};

/** The noun for the form's input. */
function nounOf(form: InteractionForm): Message {
  return nouns[formTraits[form].input];
}

function exampleOf(form: InteractionForm): string {
  return examples[form];
}
