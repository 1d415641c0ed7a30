/** Decisions that were not the panel's, for the people who answer for the run. */

import type {Decision, Placed, RunResult} from '../../../machines/domain/result.ts';
import {vetoText, type ReviewRound} from '../../../machines/domain/review.ts';
import {type Message, t, type Value} from '../../../machines/message.ts';
import {protocolWord, say, type Reader} from '../../language.ts';
import {placeText} from '../live/interactions.ts';
import {timeText} from '../numbers.ts';
import {digestDigits} from '../question.ts';
import {oneLine, wrapWords} from '../text.ts';

type Decided = Pick<RunResult, 'decisions' | 'reviews'>;

const deeds: Readonly<Record<Decision['decision'], (by: Value, what: Value) => Message>> = {
  approve: (by, what) => t`${by} approved ${what}`,
  always: (by, what) => t`${by} allowed for good ${what}`,
  reject: (by, what) => t`${by} rejected ${what}`,
  edit: (by, what) => t`${by} edited ${what}`,
  revise: (by, what) => t`${by} asked for another version of ${what}`,
  retry: (by, what) => t`${by} had repeated ${what}`,
  done: (by, what) => t`${by} counted as done ${what}`,
  fail: (by, what) => t`${by} counted as failed ${what}`,
};

const maxLine = 800;

/** `person approved plan "Write a greeting" against the panel · 2026-11-22 14:03 · sha256 4dfe68e9a06f` */
export function decisionLines(
  {decisions = [], reviews = []}: Decided,
  {width, ...reader}: {readonly width: number} & Reader,
): string[] {
  return decisions
    .filter(({by}) => by !== 'panel')
    .flatMap((one) => wrapWords(decisionLine(one, reviews, reader), width - 2));
}

function decisionLine(
  decision: Placed<Decision>,
  reviews: readonly ReviewRound[],
  reader: Reader,
): string {
  const {by, at, hash, title, reason, refused} = decision;
  const round = roundOn(hash, reviews);
  const what = round
    ? t`${protocolWord(round.kind)} "${round.title}"`
    : (title ?? t`what was asked`);
  const against = isOverruling(decision, reviews) ? opponent(round) : t``;
  const why = reason === undefined ? '' : `: ${reason}`;
  const vain = refused === undefined ? t`` : t` (no effect: ${refused})`;
  const deed = deeds[decision.decision](protocolWord(by), what);
  return [
    oneLine(placeText(decision) + say(t`${deed}${against}${why}${vain}`, reader), maxLine),
    ...(at === undefined ? [] : [timeText(at)]),
    `sha256 ${oneLine(hash.slice(0, digestDigits))}`,
  ].join(' · ');
}

function isOverruling(
  {by, decision, hash, refused}: Decision,
  reviews: readonly ReviewRound[],
): boolean {
  const lets = decision === 'approve' || decision === 'edit';
  return (
    by !== 'panel' &&
    lets &&
    refused === undefined &&
    roundOn(hash, reviews)?.verdict === 'rejected'
  );
}

/** The last vote on exactly this proposal. */
function roundOn(hash: string, reviews: readonly ReviewRound[]): ReviewRound | undefined {
  return reviews.findLast(({proposalHash}) => proposalHash === hash);
}

function opponent(round: ReviewRound | undefined): Message {
  return round && vetoText(round) !== undefined ? t` against a veto` : t` against the panel`;
}
