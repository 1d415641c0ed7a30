/** The votes of a panel on the single calls of a proposal of several. */

import type {CallDecision, CallVerdict, Proposal, ReviewRound} from '../domain/review.ts';
import {countedSeatsIn, type RecordedRound, verdictOf} from './recount.ts';
import {type CountedSeat, ruleOrStrictest} from './rule.ts';

/** The decision on each call, by the rule of the round. */
export function callDecisions(
  parts: readonly Proposal[],
  round: RecordedRound,
): readonly CallDecision[] {
  return parts.map(({title, hash}, at) => ({title, hash, verdict: verdictOnCall(round, at + 1)}));
}

/**
 * `open` unless the remaining ballots can't change it: so the decision on a call never differs from the one with all
 * ballots.
 */
export function verdictOnCall(round: RecordedRound, number: number): CallDecision['verdict'] {
  const rule = ruleOrStrictest(round.rule);
  return verdictOf(onCall(round, number), rule, seatsOnCall(round, number)) ?? 'open';
}

/** A seat that rejects the whole has taken part in the vote on each call, which it rejects unless it approves it. */
export function seatsOnCall(round: RecordedRound, number: number): CountedSeat[] {
  const whole = countedSeatsIn(round);
  return countedSeatsIn(onCall(round, number)).map((seat, at): CountedSeat => {
    const isAgainst = whole[at]?.vote === 'reject' && seat.vote !== 'approve';
    return isAgainst ? Object.assign(seat, {vote: 'reject'}) : seat;
  });
}

/** The round as of a vote on this call alone. */
export function onCall<Round extends RecordedRound | ReviewRound>(
  round: Round,
  number: number,
): Round {
  const {votes, screened} = round;
  return {
    ...round,
    votes: votes.map((vote) => ofCall(vote, number)),
    ...(screened ? {screened: screened.map((each) => ofCall(each, number))} : {}),
  };
}

/** A verdict without any for single calls is the verdict on each of them. */
function ofCall<Said extends {readonly calls?: readonly CallVerdict[]}>(
  said: Said,
  number: number,
): Said {
  const own = said.calls?.find((call) => call.number === number);
  if (!own) return said;
  const {verdict, reasons, rules = [], unknown = []} = own;
  return {...said, verdict, reasons, rules, unknown};
}
