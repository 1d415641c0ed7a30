/** Recounts a recorded round by another rule, or without some of its seats. Pure: no model is asked again. */

import {ownMember} from '../domain/json.ts';
import {type ModelVote, type ReviewRound, type Screening, seatSummary} from '../domain/review.ts';
import {
  type CountedSeat,
  countedVoteOf,
  decideEarly,
  type QuorumRule,
  ruleOrStrictest,
  ruleText,
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

// Statistics of each seat of a panel from recorded rounds. Pure: no model is asked again.

/** `count` out of `of`. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** Bounds for a count of rounds that is uncertain because of missing ballots. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export interface SeatRecord {
  readonly seat: string;
  /** Rounds with this seat: the sum of the next five members. */
  readonly rounds: number;
  readonly approved: number;
  readonly rejected: number;
  readonly abstained: number;
  /** It was asked, but gave no ballot: late, unreadable, crashed. */
  readonly failed: number;
  /** Its ballot was no longer needed. */
  readonly unheard: number;
  /** Its votes equal to the verdict, out of its approvals and rejections in rounds that approved or rejected. */
  readonly agreement: Share;
  /** Rounds in which the opposite ballot (to approve for to reject) would have led to another verdict. */
  readonly decisive: Range;
  /** Rounds that would have led to another verdict without this seat. */
  readonly turnedWithout: Range;
  /** Median duration of its received ballots, in ms. Absent: unknown. */
  readonly latencyMs?: number;
  /** Usage of all its calls, including aborted ones. Absent: unknown. */
  readonly spent?: SeatSpending;
}

export interface SeatSpending {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost of calls with a known price. Absent: no call has one. */
  readonly costUsd?: number;
  /** The number of calls with an unknown price. */
  readonly unpriced: number;
  /** Part of it is an estimate, not reported by the provider. */
  readonly estimated: boolean;
}

/** Two seats: the rounds in which they voted the same, out of those in which both approved or rejected. */
export interface PairRecord extends Share {
  readonly seats: readonly [string, string];
}

export interface PanelRecord {
  readonly rounds: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** In the order in which they first sat. */
  readonly seats: readonly SeatRecord[];
  readonly pairs: readonly PairRecord[];
}

/** `spent`: by seat. */
export function panelRecord(
  rounds: readonly RecordedRound[],
  spent: ReadonlyMap<string, SeatSpending> = new Map(),
): PanelRecord {
  const seats = [...new Set(rounds.flatMap((round) => round.seats))];
  const of = (verdict: Verdict) => rounds.filter((round) => round.verdict === verdict).length;
  return {
    rounds: rounds.length,
    verdicts: {approved: of('approved'), rejected: of('rejected'), noQuorum: of('noQuorum')},
    seats: seats.map((seat) => seatRecord(seat, rounds, spent.get(seat))),
    pairs: seats.flatMap((one, index) =>
      seats.slice(index + 1).map((other) => pairRecord(one, other, rounds)),
    ),
  };
}

function seatRecord(
  seat: string,
  rounds: readonly RecordedRound[],
  spent: SeatSpending | undefined,
): SeatRecord {
  const sat = rounds.filter(({seats}) => seats.includes(seat));
  const fates = sat.map((round) => seatFate(seat, round));
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  const latencyMs = median(sat.flatMap((round) => latencyIn(seat, round)));
  return {
    seat,
    rounds: sat.length,
    approved: count('approve'),
    rejected: count('reject'),
    abstained: count('abstain'),
    failed: count('failed'),
    unheard: count('out'),
    agreement: agreementOf(seat, sat),
    decisive: turned(sat, (round) => reversed(countedSeatsIn(round), seat)),
    turnedWithout: turned(sat, (round) =>
      countedSeatsIn(round).filter((each) => each.seat !== seat),
    ),
    ...(latencyMs === undefined ? {} : {latencyMs}),
    ...(spent ? {spent} : {}),
  };
}

type Fate = CountedSeat['vote'] | 'failed';

function seatFate(seat: string, round: RecordedRound): Fate {
  const vote = round.votes.find(({model}) => model === seat);
  const counted = countedVoteIn(round, seat);
  return counted === 'abstain' && vote?.abstainedBecause !== undefined ? 'failed' : counted;
}

function countedVoteIn(round: RecordedRound, seat: string): CountedSeat['vote'] {
  return countedSeatsIn(round).find((each) => each.seat === seat)?.vote ?? 'out';
}

/** The vote of the seat; undefined unless it approved or rejected. */
function choiceIn(round: RecordedRound, seat: string): 'approve' | 'reject' | undefined {
  const vote = countedVoteIn(round, seat);
  return vote === 'approve' || vote === 'reject' ? vote : undefined;
}

function agreementOf(seat: string, rounds: readonly RecordedRound[]): Share {
  const choices = rounds.flatMap((round) => {
    const choice = choiceIn(round, seat);
    if (choice === undefined || round.verdict === 'noQuorum') return [];
    return [(choice === 'approve') === (round.verdict === 'approved')];
  });
  return shareOf(choices);
}

function pairRecord(one: string, other: string, rounds: readonly RecordedRound[]): PairRecord {
  const choices = rounds.flatMap((round) => {
    const [mine, yours] = [choiceIn(round, one), choiceIn(round, other)];
    return mine === undefined || yours === undefined ? [] : [mine === yours];
  });
  return {seats: [one, other], ...shareOf(choices)};
}

function shareOf(choices: readonly boolean[]): Share {
  return {count: choices.filter(Boolean).length, of: choices.length};
}

/** All seats of the count, with the opposite vote of this seat; undefined unless it approved or rejected. */
function reversed(seats: readonly CountedSeat[], seat: string): CountedSeat[] | undefined {
  const own = seats.find((each) => each.seat === seat);
  if (own?.vote !== 'approve' && own?.vote !== 'reject') return undefined;
  const vote = own.vote === 'approve' ? 'reject' : 'approve';
  return seats.map((each) => (each === own ? {...own, vote} : each));
}

/** The number of rounds whose verdict changes with the changed seats. */
function turned(
  rounds: readonly RecordedRound[],
  changedSeats: (round: RecordedRound) => readonly CountedSeat[] | undefined,
): Range {
  const verdicts = rounds.flatMap((round) => {
    const seats = changedSeats(round);
    if (!seats) return [];
    const rule = ruleOrStrictest(round.rule);
    const verdict = verdictOf(round, rule, seats);
    return [verdict === undefined ? 'unknown' : verdict === round.verdict ? 'same' : 'other'];
  });
  const least = verdicts.filter((verdict) => verdict === 'other').length;
  const unknown = verdicts.filter((verdict) => verdict === 'unknown').length;
  return {least, most: least + unknown};
}

/** The duration of the seat's ballot, if it was cast. */
function latencyIn(seat: string, {votes}: RecordedRound): number[] {
  return votes.flatMap(({model, ms, abstainedBecause}) =>
    model === seat && ms !== undefined && abstainedBecause === undefined ? [ms] : [],
  );
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((index) => sorted[index]);
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
