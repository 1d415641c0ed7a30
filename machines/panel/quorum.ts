/**
 * A panel deciding one proposal.
 *
 * polling → approved / rejected / noQuorum; a rejection hears the seats still out first (hearing)
 */

import {assign, enqueueActions, type ErrorActorEvent, raise, setup, stopChild} from 'xstate';

import {toFailure} from '../domain/failure.ts';
import {
  type ModelVote,
  type Proposal,
  type ReviewRound,
  type Seat,
  seatSummary,
  toAbstention,
  toVote,
} from '../domain/review.ts';
import type {QuorumSettings} from '../domain/settings.ts';
import {report} from '../report.ts';
import {reviewMessage} from './prompt.ts';
import {type BallotEvent, reviewerMachine} from './reviewer.ts';
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
  readonly context: string;
  readonly history: readonly ReviewRound[];
}

export interface QuorumContext extends QuorumInput {
  readonly votes: Readonly<Record<string, ModelVote>>;
  readonly lastBallotAt: number;
}

type SeatCrash = ErrorActorEvent<unknown, `seat:${string}`>;

export const quorumMachine = setup({
  types: {} as {
    context: QuorumContext;
    input: QuorumInput;
    output: ReviewRound;
    events: BallotEvent | SeatCrash;
  },
  actors: {reviewer: reviewerMachine},
  actions: {
    seatReviewers: enqueueActions(({context, enqueue}) => {
      for (const seat of context.seats) {
        enqueue.spawnChild('reviewer', {
          id: seatActor(seat.id),
          input: reviewerInput(context, seat),
        });
      }
    }),
    recordBallot: assign(({context}, ballot: BallotEvent) => recorded(context, ballot)),
    dismissReviewer: stopChild((_, {seat}: BallotEvent) => seatActor(seat)),
    reportBallot: report(({context: {round, proposal, votes}}, {seat}: BallotEvent) => {
      const vote = votes[seat];
      return vote && {type: 'ballot.cast', round, kind: proposal.kind, vote};
    }),
    countCrash: raise(({context}, crash: SeatCrash) => abstention(context, crash)),
    closePoll: assign(({context}) => ({votes: timedOut(context)})),
    reportStart: report(({context}) => ({
      type: 'quorum.started',
      round: context.round,
      kind: context.proposal.kind,
      title: context.proposal.title,
      rule: context.settings.rule,
      seats: context.seats.map(({id}) => id),
    })),
    reportDecision: report(({context}) => ({type: 'quorum.decided', ...roundOf(context)})),
  },
  guards: {
    isForThisProposal: ({context}, ballot: BallotEvent) => isCounted(context, ballot),
    isApproved: ({context}) => verdictNow(context) === 'approved',
    isRejected: ({context}) => verdictNow(context) === 'rejected',
    isRejectedByAll: ({context}) => isComplete(context) && verdictNow(context) === 'rejected',
    isNoQuorum: ({context}) => verdictNow(context) === 'noQuorum',
    isComplete: ({context}) => isComplete(context),
  },
  delays: {
    deadline: ({context}) => context.settings.deadlineMs,
    feedbackGrace: ({context}) => context.settings.feedbackGraceMs,
  },
}).createMachine({
  id: 'quorum',
  context: ({input}) => ({...input, votes: {}, lastBallotAt: 0}),
  initial: 'polling',
  states: {
    polling: {
      entry: ['reportStart', 'seatReviewers'],
      always: [
        {guard: 'isApproved', target: 'approved'},
        {guard: 'isNoQuorum', target: 'noQuorum'},
        {guard: 'isRejectedByAll', target: 'rejected'},
        {guard: 'isRejected', target: 'hearing'},
      ],
      on: {
        'ballot.*': {
          guard: {type: 'isForThisProposal', params: ({event}) => event},
          actions: [
            {type: 'recordBallot', params: ({event}) => event},
            {type: 'dismissReviewer', params: ({event}) => event},
            {type: 'reportBallot', params: ({event}) => event},
          ],
        },
        'xstate.error.actor.*': {actions: {type: 'countCrash', params: ({event}) => event}},
      },
      after: {deadline: {actions: 'closePoll'}},
    },
    hearing: {
      always: {guard: 'isComplete', target: 'rejected'},
      on: {
        'ballot.*': {
          guard: {type: 'isForThisProposal', params: ({event}) => event},
          actions: [
            {type: 'recordBallot', params: ({event}) => event},
            {type: 'dismissReviewer', params: ({event}) => event},
            {type: 'reportBallot', params: ({event}) => event},
          ],
        },
        'xstate.error.actor.*': {actions: {type: 'countCrash', params: ({event}) => event}},
      },
      after: {feedbackGrace: 'rejected'},
    },
    approved: {type: 'final', entry: 'reportDecision'},
    rejected: {type: 'final', entry: 'reportDecision'},
    noQuorum: {type: 'final', entry: 'reportDecision'},
  },
  output: ({context}) => roundOf(context),
});

function seatActor(seat: string): `seat:${string}` {
  return `seat:${encodeURIComponent(seat)}`;
}

function reviewerInput(
  {proposal, round, context, history, maxOutputTokens}: QuorumContext,
  seat: Seat,
) {
  return {
    seat,
    proposal,
    round,
    message: reviewMessage(proposal, round, context, history),
    maxOutputTokens,
  };
}

/** A ballot counts once a seat, for exactly this proposal in this round. */
function isCounted({votes, round, proposal, seats}: QuorumContext, event: BallotEvent): boolean {
  const bound = event.round === round && event.hash === proposal.hash;
  return bound && !Object.hasOwn(votes, event.seat) && seats.some(({id}) => id === event.seat);
}

function recorded({seats, votes}: QuorumContext, event: BallotEvent): Partial<QuorumContext> {
  const seat = seats.find(({id}) => id === event.seat);
  if (!seat) return {votes};
  const vote =
    event.type === 'ballot.cast' ? toVote(seat, event.ballot) : toAbstention(seat, event.because);
  return {votes: {...votes, [seat.id]: vote}, lastBallotAt: event.at};
}

/** A seat whose actor crashed, which is a bug, abstains. */
function abstention(
  {seats, round, proposal, lastBallotAt}: QuorumContext,
  {actorId, error}: SeatCrash,
): BallotEvent {
  const seat = seats.find(({id}) => seatActor(id) === actorId)?.id ?? actorId;
  const because = toFailure(error).message;
  return {type: 'ballot.abstained', seat, round, hash: proposal.hash, at: lastBallotAt, because};
}

function timedOut({seats, votes}: QuorumContext): QuorumContext['votes'] {
  const late = seats.filter(({id}) => !Object.hasOwn(votes, id));
  return {
    ...votes,
    ...Object.fromEntries(late.map((seat) => [seat.id, toAbstention(seat, 'deadline passed')])),
  };
}

function isComplete({seats, votes}: QuorumContext): boolean {
  return seats.every(({id}) => Object.hasOwn(votes, id));
}

function standings({seats, votes}: QuorumContext): Standing[] {
  return seats.map(({id, weight, veto}) => ({
    seat: id,
    weight,
    veto,
    vote: votes[id]?.verdict ?? 'out',
  }));
}

function ruleOf({settings}: QuorumContext): QuorumRule {
  return tryParseRule(settings.rule) ?? {kind: 'unanimous'};
}

function verdictNow(context: QuorumContext): Verdict | undefined {
  return decideEarly(ruleOf(context), standings(context), context.settings.minParticipation);
}

function roundOf(context: QuorumContext): ReviewRound {
  const {round, proposal, settings, seats, votes, lastBallotAt} = context;
  const verdict = decide(ruleOf(context), standings(context), settings.minParticipation);
  const cast = seats.flatMap(({id}) => votes[id] ?? []);
  const withdrawn = seats.filter(({id}) => !Object.hasOwn(votes, id)).map(({id}) => id);
  return {
    round,
    kind: proposal.kind,
    title: proposal.title,
    proposalHash: proposal.hash,
    rule: settings.rule,
    verdict,
    approved: verdict === 'approved',
    votes: cast,
    summary: seatSummary(seats.map(({id}) => votes[id]?.verdict)),
    early: withdrawn.length > 0,
    withdrawn,
    degraded: cast.some(({abstainedBecause}) => abstainedBecause !== undefined),
    timestamp: lastBallotAt,
  };
}
