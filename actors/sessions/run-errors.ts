/** Errors about a run that is named by its id. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Salvaged} from '../journal/journal.ts';

export function noSuchRun(id: string): AppError {
  return new AppError('not_found', `there is no run ${id}; see: quorate runs`);
}

/** Throws AppError `usage` for a run that was recorded elsewhere: nothing of it approves, writes or counts as a setting here. */
export function requireOwnRun(id: string, {imported}: Pick<Salvaged, 'imported'>): void {
  if (imported !== true) return;
  throw new AppError(
    'usage',
    `run ${id} was recorded elsewhere: it can be read and verified, but not continued, forked or undone`,
    {
      translations: {
        ja: `実行 ${id} は別の場所の記録です。読むことと検証はできますが、続行、分岐、取り消しはできません`,
      },
    },
  );
}
