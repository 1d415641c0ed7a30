/** What a run's writes take the place of is kept, within limits, and never with a known secret in it. */

import {createHash} from 'node:crypto';

import type {OnReplace, Replacement} from '../tools/index.ts';
import type {Backup, Backups} from './journal/journal.ts';
import type {Redactor} from './redact.ts';

/** Of the contents that one run leaves behind in one process. */
const maxRunBytes = 64 * 1024 * 1024;

/** Keeps nothing where the journal has no place for it. Rejects with AppError `io` when it can't be kept. */
export function createKeeper(
  run: string,
  backups: Backups | undefined,
  redactor: Redactor,
): OnReplace {
  let kept = 0;
  const contentOf = (content: Buffer): Uint8Array | 'large' | 'secret' => {
    if (kept + content.length > maxRunBytes) return 'large';
    const text = content.toString('utf8');
    if (redactor.text(text) !== text) return 'secret';
    kept += content.length;
    return content;
  };
  return async ({path, before, after}: Replacement) => {
    const held = before && {
      hash: createHash('sha256').update(before.content).digest('hex'),
      mode: before.mode,
      content: contentOf(before.content),
    };
    const backup: Backup = {
      path,
      ...(held ? {before: held} : {}),
      ...(after === undefined ? {} : {after}),
    };
    await backups?.keep(run, backup);
  };
}
