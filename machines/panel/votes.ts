/** Votes of the record, from a ballot or from the lack of one. */

import type {Ballot} from '../domain/ballot.ts';
import type {ModelVote, Seat} from '../domain/review.ts';

export function toVote(seat: Seat, ballot: Ballot, ms?: number): ModelVote {
  return {
    model: seat.id,
    approved: ballot.verdict === 'approve',
    reasoning: ballot.reasons.join('; '),
    ...ballot,
    ...(ms === undefined ? {} : {ms}),
  };
}

export function toAbstention(seat: Seat, because: string, ms?: number): ModelVote {
  return {
    model: seat.id,
    approved: false,
    verdict: 'abstain',
    reasoning: because,
    reasons: [],
    confidence: 0,
    abstainedBecause: because,
    ...(ms === undefined ? {} : {ms}),
  };
}
