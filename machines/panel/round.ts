/** A round of a panel as data: what it asks its seats, and what it has heard of them. */

import type {Proposal, ProposalKind, ReviewRound, Seat} from '../domain/review.ts';
import type {Section} from '../domain/sections.ts';
import type {QuorumSettings} from '../domain/settings.ts';
import {openTranscript, type Transcript} from '../domain/transcript.ts';
import type {PollInput, PollOutput, PollSeat, SeatAsked, SeatHeard, SeatMissed} from './polled.ts';
import {reviewMessage, reviewSystem} from './prompt.ts';
import {type QuorumRule, tryParseRule} from './rule.ts';

export interface QuorumInput {
  readonly round: number;
  readonly proposal: Proposal;
  readonly seats: readonly Seat[];
  readonly settings: QuorumSettings;
  readonly maxOutputTokens: number;
  /** What reviewers may read beside the proposal. */
  readonly background: readonly Section[];
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
export function screenOf({input}: Pick<QuorumContext, 'input'>): PollInput {
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
export function policiesOf({
  seats,
  settings,
}: QuorumInput): readonly {id: string; policy: string}[] {
  const sitting = seats.flatMap(({id, kind, model}) =>
    kind === 'policy' ? [{id, policy: model}] : [],
  );
  const aside = settings.screen.filter((name) => !sitting.some(({policy}) => policy === name));
  return [...aside.map((policy) => ({id: policy, policy})), ...sitting];
}

/** The models: all policies have been heard before. */
export function pollOf({input}: QuorumContext, unjudged: readonly string[] = []): PollInput {
  const {seats, settings, proposal, round, background, history} = input;
  const message = reviewMessage(proposal, round, background, history, unjudged);
  const transcript = openTranscript(message);
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
      ...questionOn(proposal.kind),
      about: {round},
      model,
      system: reviewSystem(proposal.kind),
      transcript,
      maxOutputTokens,
    },
  };
}

/** Only a diff has lines to comment on. */
function questionOn(kind: ProposalKind) {
  return kind === 'diff'
    ? ({question: 'review_diff', purpose: 'review-diff'} as const)
    : ({question: 'cast_ballot', purpose: `review-${kind}`} as const);
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

export function withoutMiss({missed}: QuorumContext, seat: string): Partial<QuorumContext> {
  const {[seat]: _, ...left} = missed;
  return {missed: left};
}
