/** Pruned runs as lines. */

import type {PrunedRun, PruneReport} from '../../../actors/sessions/prune.ts';
import {t} from '../../../machines/message.ts';
import {say, type Reader, wordIn} from '../../language.ts';
import {ageText, bytesText} from '../numbers.ts';
import {oneLine, padTo, widthOfText, wrapWords} from '../text.ts';

const reasonsToKeep = {
  running: t`a process is running it`,
  open: t`it has not ended`,
  inDoubt: t`it has not ended, and a command of it may have run or not`,
  changed: t`it was not shown, or it has changed since`,
  failed: t`it could not be removed`,
};

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
  const words = {
    removed: isDry ? say(t`would be removed`, reader) : say(t`removed`, reader),
    kept: say(t`kept`, reader),
  };
  const width = Math.max(...Object.values(words).map(widthOfText));
  const lineOf = (word: string, run: PrunedRun, why = ''): string =>
    `${padTo(word, width)}  ${runText(run, reader)}${why}`;
  const bytes = removed.reduce((sum, run) => sum + run.bytes, 0);
  const count = isDry
    ? t`${removed.length} {run|runs} would be removed`
    : t`${removed.length} {run|runs} removed`;
  return [
    ...removed.slice(0, maxListed).map((run) => lineOf(words.removed, run)),
    ...(removed.length > maxListed
      ? [say(t`… and ${removed.length - maxListed} {more run|more runs}`, reader)]
      : []),
    ...kept.map((run) => {
      const cause = run.error ? ` (${oneLine(run.error.message)})` : '';
      return lineOf(words.kept, run, `: ${say(reasonsToKeep[run.why], reader)}${cause}`);
    }),
    say(t`${count} (${bytesText(bytes)}); ${kept.length} kept, ${others} {other|others}`, reader),
    ...(files
      ? [say(t`journal: ${bytesText(files.before)} before, ${bytesText(files.after)} now`, reader)]
      : []),
    ...(error
      ? [say(t`the journal's files are as large as before: ${oneLine(error.message)}`, reader)]
      : []),
  ].flatMap((line) => wrapWords(line, columns));
}

function runText({id, form, request, status, updatedAt, bytes}: PrunedRun, reader: Reader): string {
  const state = status === undefined ? say(t`open`, reader) : wordIn(status, reader);
  const age = ageText(Date.now() - updatedAt, reader);
  return [id, form, state, age, bytesText(bytes), oneLine(request, 60)]
    .map((text) => oneLine(text))
    .join('  ');
}
