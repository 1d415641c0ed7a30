/** A discussion as a document: its conclusion, its evidence, the ranking of the answers, open points. */

import type {Language} from '../../../machines/domain/language.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {listed, t} from '../../../machines/message.ts';
import type {Discussion, RankedAnswer} from '../../../machines/questions/discussion.ts';
import {say, type Reader} from '../../language.ts';
import {ledgerLines} from '../live/debate.ts';
import type {PageView} from '../style.ts';
import {oneLine, proseRows} from '../text.ts';
import {titles} from './result-titles.ts';

interface DocumentView extends PageView {
  /** Include the answers of all participants. */
  readonly isWhole?: boolean;
  /** The language of the titles. */
  readonly language?: Language | undefined;
}

export function discussionLines(discussion: Discussion, view: DocumentView): string[] {
  const {conclusion, key_points, agreements, disagreements, ranking, answers, notes} = discussion;
  const {accepted} = discussion.debate ?? {};
  return [
    ...(accepted === undefined ? [] : proseRows(accepted, view.width).map(view.style.yellow)),
    ...paragraph(say(titles.conclusion, view), conclusion, view),
    ...list(say(titles.keyPoints, view), key_points, view),
    ...list(say(titles.agreements, view), agreements, view),
    ...list(say(titles.disagreements, view), disagreements, view),
    ...(discussion.debate ? ledgerLines(discussion.debate, view) : []),
    ...list(
      say(titles.ranking, view),
      ranking.map((rank) => rankText(rank, view)),
      view,
      (index) => `${index + 1}. `,
    ),
    ...list(say(discussion.degraded ? titles.degraded : titles.notes, view), notes, view),
    ...(view.isWhole === true
      ? answers.flatMap(({participant, text}) =>
          paragraph(say(t`Answer of ${participant}`, view), text, view),
        )
      : []),
  ];
}

function rankText({participants, reviews, place, score}: RankedAnswer, reader: Reader): string {
  const who = listed(participants, (before, last) => t`${before} and ${last}{:list}`);
  return reviews === 0
    ? say(t`${who}: not reviewed`, reader)
    : say(
        t`${who}: mean place ${numberText(place)}, mean score ${numberText(score)} of 10, ${reviews} {review|reviews}`,
        reader,
      );
}

function numberText(number = 0): string {
  return String(Math.round(number * 10) / 10);
}

function paragraph(title: string, text: string, {style, width}: DocumentView): string[] {
  return text === ''
    ? []
    : ['', style.bold(oneLine(title, width)), ...proseRows(text, width, '  ')];
}

/** A text of several rows continues below its beginning. */
function list(
  title: string,
  items: readonly string[],
  {style, width}: DocumentView,
  markOf: (index: number) => string = () => '- ',
): string[] {
  if (items.length === 0) return [];
  const rows = items.flatMap((item, index) => {
    const mark = markOf(index);
    return proseRows(item, width, ' '.repeat(mark.length + 2)).map((row, at) =>
      at === 0 ? `  ${mark}${row.trimStart()}` : row,
    );
  });
  return ['', style.bold(title), ...rows];
}

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

interface Room extends PageView {
  /** Everything, without a limit of rows. */
  readonly isWhole: boolean;
}

export function answeredLines(
  {participant, answer, because = ''}: Of<'discuss.answered'>,
  {style, width, isWhole}: Room,
): readonly string[] {
  const who = oneLine(participant, 60);
  if (answer === undefined)
    return [style.yellow(`  ! ${oneLine(`${who}: ${because}`, width - 4)}`)];
  if (!isWhole) return [`  ${style.green('●')} ${oneLine(`${who}: ${answer}`, width - 4)}`];
  return [`  ${style.green('●')} ${who}:`, ...proseRows(answer, width, '    ')];
}

/** `▲ a ranks: b (8), c (4)` */
export function reviewedLines(
  {participant, reviews, because = ''}: Of<'discuss.reviewed'>,
  {style, width, isWhole}: Room,
): readonly string[] {
  const who = oneLine(participant, 60);
  if (!reviews) return [style.yellow(`  ! ${oneLine(`${who}: ${because}`, width - 4)}`)];
  const order = reviews.map(({of, score}) => `${of} (${score})`).join(', ');
  const words = isWhole
    ? reviews.map(({of, assessment}) => `    ${oneLine(`${of}: ${assessment}`, 2000)}`)
    : [];
  return [`  ${style.green('●')} ${oneLine(`${who} ranks ${order}`, width - 4)}`, ...words];
}
