/** What each seat of a panel has been worth, told from recorded rounds. Pure: nothing is asked again. */

import type {Usage} from '../domain/model.ts';
import {type RecordedRound, standingsIn, verdictOf} from './recount.ts';
import {type Standing, ruleOrStrictest, type Verdict} from './rule.ts';

/** One settled call for a seat. Without a usage nobody knows what it cost. */
export interface SeatCall {
  readonly seat: string;
  readonly usage?: Usage;
}

/** How many of how many. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

/** A count of rounds that ballots which were never heard leave open: it lies between these. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export interface SeatRecord {
  readonly seat: string;
  /** Rounds in which it sat: as many as the next five together. */
  readonly rounds: number;
  readonly approved: number;
  readonly rejected: number;
  readonly abstained: number;
  /** It was to vote, and gave no ballot: late, unreadable, broken. */
  readonly failed: number;
  /** No ballot of its was needed any more. */
  readonly unheard: number;
  /** Of its approvals and rejections, in rounds that approved or rejected: those that were the verdict. */
  readonly agreement: Share;
  /** Rounds in which the opposite ballot (to approve for to reject) would have led to another verdict. */
  readonly decisive: Range;
  /** Rounds that would have led to another verdict had it not been on the panel. */
  readonly turnedWithout: Range;
  /** Median time at work for a ballot, of those that were heard. Absent: not known. */
  readonly latencyMs?: number;
  /** Of all its calls, broken off ones too. Absent: not known. */
  readonly spent?: SeatSpending;
}

export interface SeatSpending {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the calls whose price is known. Absent: of none. */
  readonly costUsd?: number;
  /** Calls that may have cost something, nobody knows what. */
  readonly unpriced: number;
  /** Some of it is counted here, not told by the provider. */
  readonly estimated: boolean;
}

/** Two seats: of the rounds in which both approved or rejected, those in which they did the same. */
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

export function panelRecord(
  rounds: readonly RecordedRound[],
  calls: readonly SeatCall[],
): PanelRecord {
  const seats = [...new Set(rounds.flatMap((round) => round.seats))];
  const of = (verdict: Verdict) => rounds.filter((round) => round.verdict === verdict).length;
  return {
    rounds: rounds.length,
    verdicts: {approved: of('approved'), rejected: of('rejected'), noQuorum: of('noQuorum')},
    seats: seats.map((seat) => seatRecord(seat, rounds, calls)),
    pairs: seats.flatMap((one, index) =>
      seats.slice(index + 1).map((other) => pairRecord(one, other, rounds)),
    ),
  };
}

function seatRecord(
  seat: string,
  rounds: readonly RecordedRound[],
  calls: readonly SeatCall[],
): SeatRecord {
  const sat = rounds.filter(({seats}) => seats.includes(seat));
  const fates = sat.map((round) => fateOf(seat, round));
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  const latencyMs = median(sat.flatMap((round) => latencyIn(seat, round)));
  const own = calls.filter((call) => call.seat === seat);
  return {
    seat,
    rounds: sat.length,
    approved: count('approve'),
    rejected: count('reject'),
    abstained: count('abstain'),
    failed: count('failed'),
    unheard: count('out'),
    agreement: agreementOf(seat, sat),
    decisive: turned(sat, (round) => reversed(standingsIn(round), seat)),
    turnedWithout: turned(sat, (round) => standingsIn(round).filter((each) => each.seat !== seat)),
    ...(latencyMs === undefined ? {} : {latencyMs}),
    ...(own.length === 0 ? {} : {spent: spentOn(own)}),
  };
}

type Fate = Standing['vote'] | 'failed';

function fateOf(seat: string, round: RecordedRound): Fate {
  const vote = round.votes.find(({model}) => model === seat);
  const standing = standingIn(round, seat);
  return standing === 'abstain' && vote?.abstainedBecause !== undefined ? 'failed' : standing;
}

function standingIn(round: RecordedRound, seat: string): Standing['vote'] {
  return standingsIn(round).find((each) => each.seat === seat)?.vote ?? 'out';
}

/** What it voted for or against; undefined when it did neither. */
function choiceIn(round: RecordedRound, seat: string): 'approve' | 'reject' | undefined {
  const vote = standingIn(round, seat);
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

/** Undefined where there is no opposite. */
function reversed(standings: readonly Standing[], seat: string): Standing[] | undefined {
  const own = standings.find((each) => each.seat === seat);
  if (own?.vote !== 'approve' && own?.vote !== 'reject') return undefined;
  const vote = own.vote === 'approve' ? 'reject' : 'approve';
  return standings.map((each) => (each === own ? {...own, vote} : each));
}

/** How many rounds come to another verdict when their seats stand otherwise. */
function turned(
  rounds: readonly RecordedRound[],
  otherwise: (round: RecordedRound) => readonly Standing[] | undefined,
): Range {
  const verdicts = rounds.flatMap((round) => {
    const standings = otherwise(round);
    if (!standings) return [];
    const rule = ruleOrStrictest(round.rule);
    const verdict = verdictOf(round, rule, standings);
    return [verdict === undefined ? 'unknown' : verdict === round.verdict ? 'same' : 'other'];
  });
  const least = verdicts.filter((verdict) => verdict === 'other').length;
  const unknown = verdicts.filter((verdict) => verdict === 'unknown').length;
  return {least, most: least + unknown};
}

/** Of a ballot that was cast. */
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

function spentOn(calls: readonly SeatCall[]): SeatSpending {
  const usages = calls.flatMap(({usage}) => usage ?? []);
  const priced = usages.flatMap(({costUsd}) => costUsd ?? []);
  return {
    calls: calls.length,
    inputTokens: sum(usages.map(({inputTokens}) => inputTokens)),
    outputTokens: sum(usages.map(({outputTokens}) => outputTokens)),
    ...(priced.length === 0 ? {} : {costUsd: sum(priced)}),
    unpriced: calls.length - priced.length,
    estimated: usages.some(({estimated}) => estimated === true),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
