/**
 * One seat of a panel, asked once.
 *
 * asking → voted; with repairing (one attempt); else abstained
 */

import {assign, sendParent, setup} from 'xstate';

import {type Ballot, readBallot} from '../domain/ballot.ts';
import {toFailure} from '../domain/failure.ts';
import type {ModelOutcome, ModelPurpose, ModelRequest} from '../domain/model.ts';
import type {Proposal, Seat} from '../domain/review.ts';
import {appendMessages, openTranscript, type Transcript} from '../domain/transcript.ts';
import {modelCallMachine} from '../model-call.ts';
import {callModel, consultPolicy} from '../ports.ts';
import {ballotProblemMessage, reviewSystem} from './prompt.ts';

export interface ReviewerInput {
  readonly seat: Seat;
  readonly proposal: Proposal;
  readonly round: number;
  /** The proposal as this seat reads it. */
  readonly message: string;
  readonly maxOutputTokens: number;
}

export interface ReviewerContext extends ReviewerInput {
  readonly transcript: Transcript;
  readonly ballot?: Ballot;
  readonly because: string;
  readonly at: number;
}

/** To the quorum. `hash` and `round` bind the ballot to the proposal that this seat saw. */
export type BallotEvent =
  | {
      readonly type: 'ballot.cast';
      readonly seat: string;
      readonly round: number;
      readonly hash: string;
      readonly at: number;
      readonly ballot: Ballot;
    }
  | {
      readonly type: 'ballot.abstained';
      readonly seat: string;
      readonly round: number;
      readonly hash: string;
      readonly at: number;
      readonly because: string;
    };

export const reviewerMachine = setup({
  types: {} as {context: ReviewerContext; input: ReviewerInput; output: undefined},
  actors: {callModel, consultPolicy, modelCall: modelCallMachine},
  actions: {
    askForRepair: assign(({context}, outcome: ModelOutcome) => repaired(context, outcome)),
    takeBallot: assign((_, {ballot, at}: {ballot: Ballot | undefined; at: number}) => ({
      at,
      ...(ballot ? {ballot} : {}),
    })),
    noteFailure: assign(({context}, {because, at}: {because: string; at?: number}) => ({
      because,
      at: at ?? context.at,
    })),
    castBallot: sendParent(({context}) => ballotEvent(context)),
  },
  guards: {
    isPolicy: ({context}) => context.seat.kind === 'policy',
    isBallot: ({context}, outcome: ModelOutcome) => readBallot(outcome, context.round).ok,
    mayRepair: (_, outcome: ModelOutcome) =>
      outcome.kind === 'ok' || outcome.kind === 'protocol' || outcome.kind === 'truncated',
  },
}).createMachine({
  id: 'reviewer',
  context: ({input}) => ({
    ...input,
    transcript: openTranscript(input.message),
    because: '',
    at: 0,
  }),
  initial: 'choosing',
  states: {
    choosing: {always: [{guard: 'isPolicy', target: 'consulting'}, {target: 'asking'}]},
    consulting: {
      invoke: {
        src: 'consultPolicy',
        id: 'policy',
        input: ({context}) => ({policy: context.seat.model, proposal: context.proposal}),
        onDone: {
          target: 'voted',
          actions: {type: 'takeBallot', params: ({event}) => event.output},
        },
        onError: {
          target: 'abstained',
          actions: {
            type: 'noteFailure',
            params: ({event}) => ({because: toFailure(event.error).message}),
          },
        },
      },
    },
    asking: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => ballotRequest(context),
        onDone: [
          {
            guard: {type: 'isBallot', params: ({event}) => event.output},
            target: 'voted',
            actions: {
              type: 'takeBallot',
              params: ({context, event}) => ({
                ballot: ballotOf(event.output, context.round),
                at: event.output.at,
              }),
            },
          },
          {
            guard: {type: 'mayRepair', params: ({event}) => event.output},
            target: 'repairing',
            actions: {type: 'askForRepair', params: ({event}) => event.output},
          },
          {
            target: 'abstained',
            actions: {
              type: 'noteFailure',
              params: ({event}) => ({because: reasonOf(event.output), at: event.output.at}),
            },
          },
        ],
        onError: {
          target: 'abstained',
          actions: {
            type: 'noteFailure',
            params: ({event}) => ({because: toFailure(event.error).message}),
          },
        },
      },
    },
    repairing: {
      invoke: {
        src: 'callModel',
        id: 'repair',
        input: ({context}) => ballotRequest(context),
        onDone: [
          {
            guard: {type: 'isBallot', params: ({event}) => event.output},
            target: 'voted',
            actions: {
              type: 'takeBallot',
              params: ({context, event}) => ({
                ballot: ballotOf(event.output, context.round),
                at: event.output.at,
              }),
            },
          },
          {
            target: 'abstained',
            actions: {
              type: 'noteFailure',
              params: ({context, event}) => ({
                because: `invalid ballot: ${problemOf(event.output, context.round)}`,
                at: event.output.at,
              }),
            },
          },
        ],
        onError: {
          target: 'abstained',
          actions: {
            type: 'noteFailure',
            params: ({event}) => ({because: toFailure(event.error).message}),
          },
        },
      },
    },
    voted: {type: 'final', entry: 'castBallot'},
    abstained: {type: 'final', entry: 'castBallot'},
  },
});

function ballotRequest(context: ReviewerContext): ModelRequest {
  return {
    purpose: purposeOf(context.proposal),
    model: context.seat.model,
    system: reviewSystem(context.proposal.kind),
    transcript: context.transcript,
    tools: ['cast_ballot'],
    toolChoice: 'required',
    maxOutputTokens: context.maxOutputTokens,
  };
}

function purposeOf({kind}: Proposal): ModelPurpose {
  return `review-${kind}`;
}

function ballotOf(outcome: ModelOutcome, round: number): Ballot | undefined {
  const reading = readBallot(outcome, round);
  return reading.ok ? reading.ballot : undefined;
}

function problemOf(outcome: ModelOutcome, round: number): string {
  const reading = readBallot(outcome, round);
  return reading.ok ? '' : reading.problem;
}

function repaired(
  {transcript, round}: ReviewerContext,
  outcome: ModelOutcome,
): Pick<ReviewerContext, 'transcript'> {
  const said = outcome.kind === 'ok' ? outcome.text : '';
  return {
    transcript: appendMessages(
      transcript,
      {role: 'assistant', text: said === '' ? '(no valid ballot)' : said, calls: []},
      {role: 'user', text: ballotProblemMessage(problemOf(outcome, round))},
    ),
  };
}

function ballotEvent({seat, round, proposal, ballot, because, at}: ReviewerContext): BallotEvent {
  const bound = {seat: seat.id, round, hash: proposal.hash, at};
  return ballot
    ? {type: 'ballot.cast', ...bound, ballot}
    : {type: 'ballot.abstained', ...bound, because};
}

function reasonOf(outcome: ModelOutcome): string {
  if (outcome.kind === 'ok') return 'no valid ballot';
  return `${outcome.kind}: ${outcome.message}`;
}
