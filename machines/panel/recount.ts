/** A recorded round counted again by another rule, or without some of its seats. Pure: no model is asked again. */

import {type ModelVote, type ReviewRound, type Screening, seatSummary} from '../domain/review.ts';
import {
  decideEarly,
  type QuorumRule,
  ruleOrStrictest,
  ruleText,
  type Standing,
  standingIn,
  type Verdict,
} from './rule.ts';

/** A round as a journal of any version holds it: what is optional is not in older ones. */
export interface RecordedRound
  extends
    Pick<ReviewRound, 'round' | 'title' | 'rule' | 'seats' | 'verdict' | 'summary'>,
    Partial<Pick<ReviewRound, 'weights' | 'vetoes' | 'participation' | 'missed'>> {
  readonly kind: string;
  readonly votes: readonly Pick<
    ModelVote,
    'model' | 'verdict' | 'unknown' | 'abstainedBecause' | 'ms'
  >[];
  readonly screened?: readonly Pick<Screening, 'policy' | 'verdict'>[];
}

/** What is supposed to have been otherwise. */
export interface Terms {
  /** Absent: the rule that was recorded. */
  readonly rule?: QuorumRule;
  /** Seats that are taken off the panel: neither their ballots count nor they themselves. */
  readonly without: ReadonlySet<string>;
}

export interface Recount {
  readonly rule: string;
  /** `unknown` when ballots that were never heard decide, or when the record does not tell all that counts. */
  readonly verdict: Verdict | 'unknown';
  /** Policies that refused it before any model was asked: no rule changes that. */
  readonly refusedBy: readonly string[];
  /** As in the round, of the seats that are left. */
  readonly summary: string;
  /** Of an unknown verdict: the seats whose ballots could decide. None when it is the record that lacks something. */
  readonly unheard: readonly string[];
  /** Whether it is another verdict than the recorded one. */
  readonly differs: 'yes' | 'no' | 'unknown';
}

/** All rounds of a run, counted again. */
export interface Recounting {
  readonly rounds: readonly RecountedRound[];
  /** The number of the first round that surely ends otherwise: what came after it rests on what was decided there. */
  readonly differsFrom?: number;
  /** Of the first of which it can't be known, when none before it surely differs. */
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

function markOf(vote: Standing['vote']): ModelVote['verdict'] | undefined {
  if (vote === 'out') return undefined;
  return vote === 'unjudged' ? 'abstain' : vote;
}

/**
 * A refusal by a policy that screens stands whatever the rule, and whoever sits. Seats that were withdrawn, or could not
 * be asked, might have voted in any way.
 */
function recount(round: RecordedRound, {rule, without}: Terms): Recount {
  const by = rule ?? ruleOrStrictest(round.rule);
  const standings = standingsIn(round).filter(({seat}) => !without.has(seat));
  const verdict = verdictOf(round, by, standings) ?? 'unknown';
  const refusedBy = refusalsIn(round);
  const out = standings.filter(({vote}) => vote === 'out').map(({seat}) => seat);
  return {
    rule: ruleText(by),
    verdict,
    refusedBy,
    summary: seatSummary(standings.map(({vote}) => markOf(vote))),
    unheard: verdict === 'unknown' && isWhole(round) ? out : [],
    differs: verdict === 'unknown' ? 'unknown' : verdict === round.verdict ? 'no' : 'yes',
  };
}

/** Undefined when it can't be known. */
export function verdictOf(
  round: RecordedRound,
  rule: QuorumRule,
  standings: readonly Standing[],
): Verdict | undefined {
  if (refusalsIn(round).length > 0) return 'rejected';
  if (!isWhole(round)) return undefined;
  return decideEarly(rule, standings, round.participation?.required ?? 0);
}

function refusalsIn({screened = []}: RecordedRound): string[] {
  return screened.filter(({verdict}) => verdict === 'reject').map(({policy}) => policy);
}

/** Whether the record tells all that counts. */
function isWhole({weights, vetoes, participation}: RecordedRound): boolean {
  return weights !== undefined && vetoes !== undefined && participation !== undefined;
}

/** Of every seat, as it stood when the round was decided. */
export function standingsIn(round: RecordedRound): Standing[] {
  const {seats, weights = {}, vetoes = [], votes, missed = []} = round;
  return seats.map((seat) => ({
    seat,
    weight: weights[seat] ?? 1,
    veto: vetoes.includes(seat),
    vote: missed.includes(seat) ? 'out' : standingIn(votes.find(({model}) => model === seat)),
  }));
}
