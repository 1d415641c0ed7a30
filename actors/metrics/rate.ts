/** Rates the result of a run. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {Journal} from '../journal/journal.ts';
import type {Masking} from '../secrets/redact.ts';
import {noSuchRun} from '../sessions/run-errors.ts';
import type {RateOptions} from './measuring.ts';

const maxWords = 2_000;

/** Known secrets in the words are masked. Rejects as {@link Measuring.rate}. */
export async function rateRun(
  id: string,
  {rating, words = ''}: RateOptions,
  {journal, redactor}: {readonly journal: Journal; readonly redactor: Pick<Masking, 'text'>},
): Promise<void> {
  const {log, reactions} = journal;
  const row = (await log.list()).find((listed) => listed.id === id);
  if (!row) throw noSuchRun(id);
  if (row.status === undefined) throw notEnded(id);
  if (words.length > maxWords) throw tooLong(words.length);
  if (!reactions) throw new AppError('usage', 'this journal keeps no ratings');
  const said = redactor.text(words.toWellFormed().trim());
  const reaction = {kind: rating, at: Date.now(), ...(said === '' ? {} : {words: said})};
  await reactions.add(id, reaction);
}

function notEnded(id: string): AppError {
  return new AppError(
    'usage',
    `run ${id} has not ended: rate it when it has a result; quorate resume ${id} continues it`,
    {
      translations: {
        ja: `実行 ${id} はまだ終わっていません。結果が出てから評価してください。quorate resume ${id} で続きます`,
      },
    },
  );
}

function tooLong(length: number): AppError {
  return new AppError('usage', `a rating takes up to ${maxWords} characters, not ${length}`, {
    translations: {ja: `評価の言葉は ${maxWords} 文字までです（${length} 文字あります）`},
  });
}
