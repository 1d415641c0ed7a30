/** The file of `--answers`: all answers as JSON, complete at every instant. */

import {constants} from 'node:fs';
import {access, chmod, open, rename, stat, unlink, writeFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {type Message, t} from '../../machines/message.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';

/** Answers are personal: no other user of the machine may read them. */
const mode = 0o600;

/** Called before the first question. Throws AppError `usage` for a file that can't be written. */
export async function checkAnswersFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) throw refusal(path, t`it is a folder`);
  try {
    await access(found ? path : dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw refusal(
      path,
      found ? t`it is not writable` : t`its folder does not exist, or is not writable`,
      error,
    );
  }
}

function refusal(path: string, why: Message, cause?: unknown): AppError {
  const file = oneLine(path, 200);
  return usageError(t`--answers ${file}: ${why}`, {cause});
}

/** Of an incomplete form, the answers up to now; resolves with false without any. Rejects with AppError `io`. */
export async function writeAnswers(path: string, {answers}: RunResult): Promise<boolean> {
  if (!answers) return false;
  const text = `${JSON.stringify(answers, undefined, 2)}\n`;
  try {
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isFile()) await writeFile(path, text);
    else await replace(path, text, found?.mode);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `the answers can't be written: ${reason}`, {cause: error});
  }
}

/** Writes another file and renames it, so that a reader finds the old text or the new one. */
async function replace(path: string, text: string, keptMode = mode): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(draft, 'w', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, keptMode & 0o777);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}
