/** Errors about a run that is named by its id. */

import {AppError} from '../../machines/domain/app-error.ts';

export function noSuchRun(id: string): AppError {
  return new AppError('not_found', `there is no run ${id}; see: quorate sessions`);
}

/**
 * The record of an imported run may name any folder, of another machine or of a forger: a person names the one to work in, with
 * `command`.
 */
export function importedRun(id: string, command: string): AppError {
  return new AppError('usage', `run ${id} was imported; name its folder: ${command}`, {
    translations: {
      ja: `実行 ${id} は取り込まれたものです。フォルダを指定してください: ${command}`,
    },
  });
}
