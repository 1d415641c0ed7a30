/** A panel's count as data: what it asks its seats, what it heard, and the record that it leaves. */

import type {ModelVote, Proposal, ReviewRound, Screening, Seat} from '../domain/review.ts';
import {isVetoed, seatSummary, toAbstention, toVote} from '../domain/review.ts';
import type {QuorumSettings} from '../domain/settings.ts';
import {openTranscript, type Transcript} from '../domain/transcript.ts';
import {answerIn} from '../question.ts';
import type {
  PollInput,
  PollOutput,
  PollSeat,
  SeatAnswer,
  SeatAsked,
  SeatHeard,
  SeatMissed,
} from './poll.ts';
import {reviewMessage, reviewSystem} from './prompt.ts';
import {
  decide,
  decideEarly,
  type QuorumRule,
  type Standing,
  tryParseRule,
  type Verdict,
} from './rule.ts';

export interface QuorumInput {
  readonly round: number;
  readonly proposal: Proposal;
  readonly seats: readonly Seat[];
  readonly settings: QuorumSettings;
  readonly maxOutputTokens: number;
  /** What reviewers may read beside the proposal. */
  readonly background: string;
  readonly history: readonly ReviewRound[];
}

export interface QuorumContext {
  readonly input: QuorumInput;
  readonly rule: QuorumRule;
  /**
   * By seat, and by name of the policies that only screen. What is missing is still out, or was withdrawn when the panel
   * had decided.
   */
  readonly heard: PollOutput;
  /** Why seats can't be asked for now. They are still out. */
  readonly missed: Readonly<Record<string, string>>;
  /** The record, once it is decided. */
  readonly round?: ReviewRound;
}

/** A rule that can't be read is the strictest one: the configuration refuses it before. */
export function openCount(input: QuorumInput): QuorumContext {
  return {
    input,
    rule: tryParseRule(input.settings.rule) ?? {kind: 'unanimous'},
    heard: {},
    missed: {},
  };
}

/** Ballots are bound to exactly this proposal in this round. */
function subjectOf({proposal, round}: QuorumInput): string {
  return `${proposal.hash} in round ${round}`;
}

/** Every policy, once: those that screen, and those with a seat. */
export function screenOf({input}: QuorumContext): PollInput {
  const {proposal, settings} = input;
  return {
    subject: subjectOf(input),
    deadlineMs: settings.deadlineMs,
    seats: policiesOf(input).map(({id, policy}) => ({
      id,
      filledBy: 'policy',
      ask: {policy, proposal},
    })),
  };
}

/** A policy with a seat is known by its seat. */
function policiesOf({seats, settings}: QuorumInput): readonly {id: string; policy: string}[] {
  const sitting = seats.flatMap(({id, kind, model}) =>
    kind === 'policy' ? [{id, policy: model}] : [],
  );
  const aside = settings.screen.filter((name) => !sitting.some(({policy}) => policy === name));
  return [...aside.map((policy) => ({id: policy, policy})), ...sitting];
}

/** The models: all policies have been heard before. */
export function pollOf({input}: QuorumContext): PollInput {
  const {seats, settings, proposal, round, background, history} = input;
  const transcript = openTranscript(reviewMessage(proposal, round, background, history));
  return {
    subject: subjectOf(input),
    deadlineMs: settings.deadlineMs,
    seats: seats
      .filter(({kind}) => kind === 'model')
      .map((seat) => seated(seat, input, transcript)),
  };
}

function seated({id, model}: Seat, input: QuorumInput, transcript: Transcript): PollSeat {
  const {proposal, round, maxOutputTokens} = input;
  return {
    id,
    filledBy: 'model',
    ask: {
      question: 'cast_ballot',
      purpose: `review-${proposal.kind}`,
      about: {round},
      model,
      system: reviewSystem(proposal.kind),
      transcript,
      maxOutputTokens,
    },
  };
}

/** A ballot counts once a seat, for exactly what is voted on. */
export function isExpected(
  {input, heard}: QuorumContext,
  {subject, seat}: SeatAsked | SeatHeard | SeatMissed,
): boolean {
  const isAsked = [...policiesOf(input), ...input.seats].some(({id}) => id === seat);
  return isAsked && !Object.hasOwn(heard, seat) && subject === subjectOf(input);
}

/** All that is still out of a poll says nothing. */
export function silenced({heard}: QuorumContext, {seats}: PollInput, because: string): PollOutput {
  const silence = {kind: 'unanswered', because, at: 0} as const;
  return {...Object.fromEntries(seats.map(({id}) => [id, silence])), ...heard};
}

function screenings({input, heard}: QuorumContext): Screening[] {
  const policies = policiesOf(input);
  return input.settings.screen.map((policy) => {
    const known = policies.find((each) => each.policy === policy);
    return screeningBy(policy, heard[known?.id ?? policy]);
  });
}

function screeningBy(policy: string, answer: SeatAnswer | undefined): Screening {
  const ballot = answer && answerIn('cast_ballot', answer);
  if (ballot) {
    const {verdict, rules = [], reasons} = ballot;
    return {policy, verdict, rules, reasons};
  }
  const because = answer?.kind === 'unanswered' ? answer.because : 'no ballot';
  return {policy, verdict: 'abstain', rules: [], reasons: [because]};
}

/** No other voice can approve what a policy that screens refuses, or a seat with a veto. */
export function isRefused(context: QuorumContext): boolean {
  return isVetoed(roundOf(context, 'rejected'));
}

/** Undefined while the seat is out. */
export function voteOf({input, heard}: QuorumContext, id: string): ModelVote | undefined {
  const seat = input.seats.find((each) => each.id === id);
  const answer = heard[id];
  if (!seat || !answer) return undefined;
  const ballot = answerIn('cast_ballot', answer);
  if (ballot) return toVote(seat, ballot);
  return toAbstention(seat, answer.kind === 'unanswered' ? answer.because : 'no ballot');
}

function standings(context: QuorumContext): Standing[] {
  return context.input.seats.map(({id, weight, veto}) => ({
    seat: id,
    weight,
    veto,
    vote: voteOf(context, id)?.verdict ?? 'out',
  }));
}

/**
 * The verdict that no ballot still out can change, if there is one. When nobody is out any more there is nothing to be
 * early about.
 */
export function earlyVerdict(context: QuorumContext): Verdict | undefined {
  const {input, rule, heard} = context;
  if (input.seats.every(({id}) => Object.hasOwn(heard, id))) return undefined;
  return decideEarly(rule, standings(context), input.settings.minParticipation);
}

/** Of those that are still out nobody can be asked for now: there are no more reasons to wait for. */
export function isUnserved({input, heard, missed}: QuorumContext): boolean {
  const out = input.seats.filter(({id}) => !Object.hasOwn(heard, id));
  return out.length > 0 && out.every(({id}) => Object.hasOwn(missed, id));
}

export function withoutMiss({missed}: QuorumContext, seat: string): Partial<QuorumContext> {
  const {[seat]: _, ...left} = missed;
  return {missed: left};
}

/** The verdict with what has been heard: who is out counts as abstaining. */
export function verdictOfAll(context: QuorumContext): Verdict {
  return decide(context.rule, standings(context), context.input.settings.minParticipation);
}

/** Once it is decided, a seat that could not be asked has failed to vote. */
function withMisses({missed, heard, ...context}: QuorumContext): QuorumContext {
  const silent = Object.entries(missed).map(
    ([id, because]) => [id, {kind: 'unanswered', because, at: 0}] as const,
  );
  return {...context, missed, heard: {...Object.fromEntries(silent), ...heard}};
}

/** The record of a round: it can be counted again from this alone. */
export function roundOf(counted: QuorumContext, verdict: Verdict): ReviewRound {
  const context = withMisses(counted);
  const {input, heard} = context;
  const {round, proposal, settings, seats} = input;
  const votes = seats.flatMap(({id}) => voteOf(context, id) ?? []);
  const withdrawn = seats.filter(({id}) => !Object.hasOwn(heard, id)).map(({id}) => id);
  const cast = votes.filter((vote) => vote.verdict !== 'abstain').length;
  const screened = screenings(context);
  return {
    round,
    kind: proposal.kind,
    title: proposal.title,
    proposalHash: proposal.hash,
    rule: settings.rule,
    seats: seats.map(({id}) => id),
    weights: Object.fromEntries(seats.map(({id, weight}) => [id, weight])),
    vetoes: seats.filter(({veto}) => veto).map(({id}) => id),
    participation: {cast, required: settings.minParticipation},
    verdict,
    approved: verdict === 'approved',
    votes,
    summary: seatSummary(seats.map(({id}) => voteOf(context, id)?.verdict)),
    early: withdrawn.length > 0,
    withdrawn,
    degraded: votes.some(({abstainedBecause}) => abstainedBecause !== undefined),
    timestamp: Math.max(0, ...Object.values(heard).map(({at}) => at)),
    ...(screened.length > 0 ? {screened} : {}),
  };
}
