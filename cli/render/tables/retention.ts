/** Pruned runs as lines. */

import type {PrunedRun, PruneReport} from '../../../actors/sessions/prune.ts';
import type {Reader} from '../../language.ts';
import {wordIn} from '../live/texts.ts';
import {ageText, bytesText} from '../numbers.ts';
import {oneLine, padTo, widthOfText, wrapWords} from '../text.ts';
import {retentionTexts} from './retention-texts.ts';

/** More are only counted. */
const maxListed = 20;

/** A reader of text in so many columns. */
interface PageReader extends Reader {
  readonly width: number;
}

/** `isDry`: nothing was removed. */
export function pruneLines(
  {removed, kept, others, files, error}: PruneReport,
  {isDry, width: columns, ...reader}: PageReader & {readonly isDry: boolean},
): string[] {
  const texts = retentionTexts(reader);
  const words = {removed: isDry ? texts.wouldRemove : texts.removed, kept: texts.kept};
  const width = Math.max(...Object.values(words).map(widthOfText));
  const lineOf = (word: string, run: PrunedRun, why = ''): string =>
    `${padTo(word, width)}  ${runText(run, reader)}${why}`;
  const bytes = removed.reduce((sum, run) => sum + run.bytes, 0);
  const count = (isDry ? texts.wouldRemoveRuns : texts.removedRuns)(removed.length);
  return [
    ...removed.slice(0, maxListed).map((run) => lineOf(words.removed, run)),
    ...(removed.length > maxListed ? [texts.more(removed.length - maxListed)] : []),
    ...kept.map((run) => {
      const cause = run.error ? ` (${oneLine(run.error.message)})` : '';
      return lineOf(words.kept, run, `: ${texts.why[run.why]}${cause}`);
    }),
    texts.sum(count, bytesText(bytes), kept.length, others),
    ...(files ? [texts.files(bytesText(files.before), bytesText(files.after))] : []),
    ...(error ? [texts.notSmaller(oneLine(error.message))] : []),
  ].flatMap((line) => wrapWords(line, columns));
}

function runText({id, form, request, status, updatedAt, bytes}: PrunedRun, reader: Reader): string {
  const state = status === undefined ? retentionTexts(reader).isOpen : wordIn(status, reader);
  const age = ageText(Date.now() - updatedAt, reader);
  return [id, form, state, age, bytesText(bytes), oneLine(request, 60)]
    .map((text) => oneLine(text))
    .join('  ');
}
