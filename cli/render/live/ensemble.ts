/** The drafts of an ensemble with their scores, as a table. */

import {t} from '../../../machines/message.ts';
import type {ScoredDraft} from '../../../machines/questions/evaluation.ts';
import {say, type Reader} from '../../language.ts';
import type {Style} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';

/** ` with 7.5 of 10`; empty for a draft without a score. */
export function meanText(draft: ScoredDraft | undefined, reader: Reader): string {
  return draft?.mean === undefined ? '' : say(t` with ${draft.mean.toFixed(1)} of 10`, reader);
}

/** One draft a line, the chosen one marked, with its scores and their reasons below. */
export function ensembleLines(
  {by, drafts}: {readonly by: string; readonly drafts: readonly ScoredDraft[]},
  style: Style,
  width: number,
): string[] {
  return drafts.flatMap((draft) => [
    `${draft.by === by ? style.green('✓') : ' '} ${(draft.mean?.toFixed(1) ?? '–').padStart(4)}  ${oneLine(`${draft.by}: ${draft.objective}`, width - 10)}`,
    ...draft.scores.flatMap(({scorer, score, reasons}) =>
      proseRows(`${score} by ${scorer}: ${reasons.join('; ')}`, width - 10).map(
        (row) => `        ${row}`,
      ),
    ),
  ]);
}
