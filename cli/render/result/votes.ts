/** The votes of a run's panels, and their refusals. */

import type {Denied, Placed} from '../../../machines/domain/result.ts';
import type {ReviewRound} from '../../../machines/domain/review.ts';
import {t} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import {placeText} from '../live/interactions.ts';
import {reasonRows, roundLines, type RoundView} from '../round.ts';
import type {Style} from '../style.ts';
import {oneLine, wrapWords} from '../text.ts';

/** Without a limit a model's reason could fill screens: the journal has the whole text. */
const maxLine = 500;

interface VotesView extends Pick<
  RoundView,
  'all' | 'whole' | 'width' | 'isCommented' | 'language'
> {
  readonly style: Style;
}

/** `plan "Greet", round 2` */
export function voteTitle({kind, title, round}: ReviewRound, reader: Reader): string {
  return oneLine(say(t`${protocolWord(kind)} "${title}", round ${round}`, reader), 100);
}

export function voteLines(
  reviews: readonly Placed<ReviewRound>[],
  {style, width, all, whole, isCommented, language}: VotesView,
): string[] {
  return reviews.flatMap((round) =>
    roundLines(round, style, {
      width: Math.min(width - 2, whole === true ? width : maxLine),
      all,
      whole,
      isCommented,
      language,
      label: placeText(round) + voteTitle(round, {language}),
    }),
  );
}

export function deniedLines(denied: Placed<Denied>, width: number): string[] {
  const {tool, summary, reasons} = denied;
  const what = `${placeText(denied)}${summary.startsWith(tool) ? summary : `${tool} ${summary}`}`;
  const why = reasons.flatMap((reason) =>
    reasonRows(oneLine(reason, maxLine), {width, whole: true}),
  );
  return [...wrapWords(oneLine(what, maxLine), width), ...why];
}
