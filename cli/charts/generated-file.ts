/** Files that commands write for users. Each has a hash of its text at its head: one that was edited is not overwritten. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';

import {hashOf} from '../../machines/domain/digest.ts';
import {t} from '../../machines/message.ts';
import {usageError} from '../line/usage-error.ts';

/**
 * `mark`: how the first line begins, which says what made the file. Throws AppError `usage` for a file that was not made so, or
 * that was edited.
 */
export function writeGenerated(path: string, mark: string, text: string, cwd = '.'): void {
  const file = resolve(cwd, path);
  if (existsSync(file)) requireUnedited(path, mark, readFileSync(file, 'utf8'));
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `${mark} sha256:${shortHash(text)}\n${text}`);
}

function requireUnedited(path: string, mark: string, known: string): void {
  const [head = '', ...lines] = known.split('\n');
  if (!head.startsWith(mark)) {
    throw usageError(t`${path} exists and was not made by quorate paths; name another file`);
  }
  const [, hash] = /sha256:(\w+)$/.exec(head) ?? [];
  if (hash === undefined || hash === shortHash(lines.join('\n'))) return;
  throw usageError(
    t`${path} was edited after quorate paths made it: keep your changes in another file and delete it, or name another file`,
  );
}

function shortHash(text: string): string {
  return hashOf(text).slice(0, 16);
}
