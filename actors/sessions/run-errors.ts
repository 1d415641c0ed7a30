/** Errors about a run that is named by its id. */

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import type {Salvaged} from '../journal/journal.ts';

export function noSuchRun(id: string): AppError {
  return new AppError('not_found', `there is no run ${id}; see: quorate runs`);
}

/** Throws AppError `usage` for a run that was recorded elsewhere: nothing of it approves, writes or counts as a setting here. */
export function requireOwnRun(id: string, {imported}: Pick<Salvaged, 'imported'>): void {
  if (imported !== true) return;
  throw new AppError(
    'usage',
    t`run ${id} was recorded elsewhere: it can be read and verified, but not continued, forked or undone`,
  );
}
