/** `@file` in a request attaches the file. */

import {readdirSync, statSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';

import {type Message, t} from '../../machines/message.ts';
import type {Attachment} from '../../machines/prompts/sections.ts';
import {readInside, decodedText} from '../../tools/read/read.ts';
import {oneLine} from '../render/text.ts';
import type {Asked} from './request.ts';
import {meant, usageError} from './usage-error.ts';

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
