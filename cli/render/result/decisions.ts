/** Decisions that were not the panel's, for the people who answer for the run. */

import type {Decision, Placed, RunResult} from '../../../machines/domain/result.ts';
import {vetoText, type ReviewRound} from '../../../machines/domain/review.ts';
import {placeText} from '../live/interactions.ts';
import {timeText} from '../numbers.ts';
import {oneLine, wrapWords} from '../text.ts';

type Decided = Pick<RunResult, 'decisions' | 'reviews'>;

const deeds: Readonly<Record<Decision['decision'], string>> = {
  approve: 'approved',
  always: 'allowed for good',
  reject: 'rejected',
  edit: 'edited',
  retry: 'had repeated',
  done: 'counted as done',
  fail: 'counted as failed',
};

const shownDigits = 12;
const maxLine = 800;

/** `person approved plan "Write a greeting" against the panel · 2026-11-22 14:03 · sha256 4dfe68e9a06f` */
export function decisionLines(
  {decisions = [], reviews = []}: Decided,
  {width}: {readonly width: number},
): string[] {
  return decisions
    .filter(({by}) => by !== 'panel')
    .flatMap((one) => wrapWords(decisionLine(one, reviews), width - 2));
}

function decisionLine(decision: Placed<Decision>, reviews: readonly ReviewRound[]): string {
  const {by, at, hash, title, reason, refused} = decision;
  const round = roundOn(hash, reviews);
  const what = round ? `${round.kind} "${round.title}"` : (title ?? 'what was asked');
  const against = isOverruling(decision, reviews) ? ` against ${opponent(round)}` : '';
  const why = reason === undefined ? '' : `: ${reason}`;
  const vain = refused === undefined ? '' : ` (no effect: ${refused})`;
  return [
    oneLine(
      `${placeText(decision)}${by} ${deeds[decision.decision]} ${what}${against}${why}${vain}`,
      maxLine,
    ),
    ...(at === undefined ? [] : [timeText(at)]),
    `sha256 ${oneLine(hash.slice(0, shownDigits))}`,
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

function opponent(round: ReviewRound | undefined): string {
  return round && vetoText(round) !== undefined ? 'a veto' : 'the panel';
}
