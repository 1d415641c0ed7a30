/** The ranking of the answers, from the reviews of all readers. */

import type {AnswerReview, RankedAnswer} from '../../questions/discussion.ts';
import type {Voice} from './voices.ts';

/** One reader's review of one answer. `of`: the `by` of the voice. */
export interface PeerReview extends Omit<AnswerReview, 'label'> {
  readonly by: string;
  readonly of: string;
  /** 1 is the best. */
  readonly place: number;
  /** The number of answers that the reader ranked. */
  readonly among: number;
}

/**
 * Ranks the answers, the best first: by mean place, then by mean score, then in the order of the configuration. Answers
 * without a review are last. Empty without any review.
 */
export function rankVoices(
  voices: readonly Voice[],
  reviews: readonly PeerReview[],
): readonly RankedAnswer[] {
  if (reviews.length === 0) return [];
  return voices
    .map((voice, order) => ({voice, order, tally: tallyOf(voice, reviews)}))
    .toSorted(
      (a, b) => a.tally.place - b.tally.place || b.tally.score - a.tally.score || a.order - b.order,
    )
    .map(({voice: {all}, tally: {meanPlace, score, count}}, index) =>
      count === 0
        ? {rank: index + 1, participants: all, reviews: 0}
        : {
            rank: index + 1,
            participants: all,
            reviews: count,
            place: rounded(meanPlace),
            score: rounded(score),
          },
    );
}

interface Tally {
  /** From 0 (always first) to 1 (always last); 2 without a review. */
  readonly place: number;
  readonly meanPlace: number;
  readonly score: number;
  readonly count: number;
}

function tallyOf({by}: Voice, reviews: readonly PeerReview[]): Tally {
  const own = reviews.filter(({of}) => of === by);
  if (own.length === 0) return {place: 2, meanPlace: 0, score: 0, count: 0};
  return {
    place: mean(own.map(({place, among}) => (among > 1 ? (place - 1) / (among - 1) : 0))),
    meanPlace: mean(own.map(({place}) => place)),
    score: mean(own.map(({score}) => score)),
    count: own.length,
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}
