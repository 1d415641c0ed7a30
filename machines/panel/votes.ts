/** Votes for the record, from a ballot or a missing ballot. */

import type {ModelVote, Seat} from '../domain/review.ts';
import type {Ballot} from '../questions/ballot.ts';

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
