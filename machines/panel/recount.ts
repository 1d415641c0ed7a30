/** Recounts a recorded round by another rule, or without some of its seats. Pure: no model is asked again. */

import {ownMember} from '../domain/json.ts';
import {type ModelVote, type ReviewRound, type Screening, seatSummary} from '../domain/review.ts';
import {
  decideEarly,
  type QuorumRule,
  ruleOrStrictest,
  ruleText,
  type CountedSeat,
  countedVoteOf,
  type Verdict,
} from './rule.ts';

/** A round from a journal, which may lack the optional members. */
export interface RecordedRound
  extends
    Pick<ReviewRound, 'round' | 'title' | 'rule' | 'seats' | 'verdict' | 'summary'>,
    Partial<Pick<ReviewRound, 'weights' | 'vetoes' | 'participation' | 'missed' | 'calls'>> {
  readonly kind: string;
  readonly votes: readonly Pick<
    ModelVote,
    'model' | 'verdict' | 'unknown' | 'abstainedBecause' | 'ms' | 'calls'
  >[];
  readonly screened?: readonly Pick<Screening, 'policy' | 'verdict' | 'calls'>[];
}

/** The hypothetical changes of a recount. */
export interface Terms {
  /** Absent: the recorded rule. */
  readonly rule?: QuorumRule;
  /** Seats that are removed from the panel, with their ballots. */
  readonly without: ReadonlySet<string>;
}

export interface Recount {
  readonly rule: string;
  /** `unknown` when missing ballots could decide, or when the record lacks weights, vetoes or the participation. */
  readonly verdict: Verdict | 'unknown';
  /** Policies that rejected it before any model was asked: no rule changes that. */
  readonly refusedBy: readonly string[];
  /** As in the round, for the remaining seats. */
  readonly summary: string;
  /** For an unknown verdict: the seats whose ballots could decide. Empty when the record is incomplete. */
  readonly unheard: readonly string[];
  /** `yes` if the verdict is not the recorded one. */
  readonly differs: 'yes' | 'no' | 'unknown';
}

/** The recount of all rounds of a run. */
export interface Recounting {
  readonly rounds: readonly RecountedRound[];
  /** The number of the first round whose verdict certainly differs. Later rounds depend on its decision. */
  readonly differsFrom?: number;
  /** The number of the first round whose verdict may differ, if no earlier round certainly differs. */
  readonly mayDifferFrom?: number;
}

export interface RecountedRound {
  /** Its place among the rounds of the run, from 1. */
  readonly number: number;
  readonly recorded: RecordedRound;
  readonly recounted: Recount;
}

export function recountAll(rounds: readonly RecordedRound[], terms: Terms): Recounting {
  const counted = rounds.map((recorded, index) => {
    return {number: index + 1, recorded, recounted: recount(recorded, terms)};
  });
  const first = counted.find(({recounted: {differs}}) => differs !== 'no');
  const certain = counted.find(({recounted: {differs}}) => differs === 'yes');
  return {
    rounds: counted,
    ...(certain ? {differsFrom: certain.number} : {}),
    ...(first && first !== certain ? {mayDifferFrom: first.number} : {}),
  };
}

function markOf(vote: CountedSeat['vote']): ModelVote['verdict'] | undefined {
  if (vote === 'out') return undefined;
  return vote === 'unjudged' ? 'abstain' : vote;
}

/**
 * A rejection by a screening policy holds under every rule and with any seats. Seats that were withdrawn, or could not be
 * asked, might have voted in any way.
 */
function recount(round: RecordedRound, {rule, without}: Terms): Recount {
  const by = rule ?? ruleOrStrictest(round.rule);
  const counted = countedSeatsIn(round).filter(({seat}) => !without.has(seat));
  const verdict = verdictOf(round, by, counted) ?? 'unknown';
  const refusedBy = refusalsIn(round);
  const out = counted.filter(({vote}) => vote === 'out').map(({seat}) => seat);
  return {
    rule: ruleText(by),
    verdict,
    refusedBy,
    summary: seatSummary(counted.map(({vote}) => markOf(vote))),
    unheard: verdict === 'unknown' && isWhole(round) ? out : [],
    differs: verdict === 'unknown' ? 'unknown' : verdict === round.verdict ? 'no' : 'yes',
  };
}

/** Undefined when the verdict can't be determined. */
export function verdictOf(
  round: RecordedRound,
  rule: QuorumRule,
  counted: readonly CountedSeat[],
): Verdict | undefined {
  if (refusalsIn(round).length > 0) return 'rejected';
  if (!isWhole(round)) return undefined;
  return decideEarly(rule, counted, round.participation?.required ?? 0);
}

function refusalsIn({screened = []}: RecordedRound): string[] {
  return screened.filter(({verdict}) => verdict === 'reject').map(({policy}) => policy);
}

/** True if the record contains everything that counts. */
function isWhole({weights, vetoes, participation}: RecordedRound): boolean {
  return weights !== undefined && vetoes !== undefined && participation !== undefined;
}

/** Every seat in the count, when the round was decided. */
export function countedSeatsIn(round: RecordedRound): CountedSeat[] {
  const {seats, weights = {}, vetoes = [], votes, missed = []} = round;
  return seats.map((seat) => ({
    seat,
    weight: ownMember(weights, seat) ?? 1,
    veto: vetoes.includes(seat),
    vote: missed.includes(seat) ? 'out' : countedVoteOf(votes.find(({model}) => model === seat)),
  }));
}
