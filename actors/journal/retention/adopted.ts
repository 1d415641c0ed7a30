/** Runs of other journals: the parts of an import that every journal shares. */

import {AppError} from '../../../machines/domain/app-error.ts';
import type {Entry, EntryBody} from '../journal.ts';

/** An entry without its place in the chain. */
export function bodyOf({seq: _seq, at: _at, hash: _hash, ...body}: Entry): EntryBody {
  return body;
}

/** The error of an import whose id other entries have: `there` of them, and `given` in the import. */
export function otherEntries(interaction: string, there: number, given: number): AppError {
  return new AppError(
    'usage',
    `run ${interaction} is in this journal with other entries (${there}, and ${given} in the import); nothing was imported: to replace it, erase it first (quorate erase ${interaction})`,
  );
}
