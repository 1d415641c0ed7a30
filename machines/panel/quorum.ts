/**
 * A panel deciding one proposal: policies screen it, then models vote by a rule.
 *
 * opened → screening → screened → vetoed, without asking a model; polling: undecided → approved / noQuorum, as soon as the
 * remaining ballots cannot change it; collectingReasons → rejected, because a rejection waits for the reasons of seats that
 * can still give them; collectingComments → vetoed, because a vetoed diff is still commented on; counted → approved /
 * rejected / noQuorum / vetoed, when all ballots are in or the deadline has passed
 */

import {assign, sendTo, setup} from 'xstate';

import {crashIn, onCrash, otherwise, outputIn} from '../actor-end.ts';
import {type Failure, toFailure} from '../domain/failure.ts';
import type {ModelVote, ReviewRound} from '../domain/review.ts';
import type {Fact} from '../facts/fact.ts';
import {report} from '../facts/record.ts';
import {screenProposal, type Settled} from '../ports.ts';
import {triggerFired, ownInteraction} from '../tree/rules.ts';
import {
  isRefused,
  isUnserved,
  policyVotes,
  roundOf,
  unjudgedBy,
  voteOf,
  withAnswers,
  withLastAnswers,
} from './count.ts';
import {
  pollMachine,
  type PollOutput,
  type SeatAnswered,
  type SeatAsked,
  type SeatMissed,
} from './poll.ts';
import {
  isCommentedOn,
  isExpected,
  openCount,
  policiesOf,
  pollOf,
  type QuorumContext,
  type QuorumInput,
  screenedBy,
  screeningOf,
  silenced,
  unscreened,
  withoutMiss,
} from './round.ts';
import type {Verdict} from './rule.ts';

export const quorumMachine = setup({
  types: {} as {
    context: QuorumContext;
    input: QuorumInput;
    output: ReviewRound;
    events: SeatAsked | SeatAnswered | SeatMissed;
  },
  actors: {poll: pollMachine, screenProposal},
  actions: {
    takeScreening: assign(({context}, outcome: Settled<'screenProposal'>) =>
      withAnswers(context, screenedBy(context, outcome)),
    ),
    takeNoScreening: assign(({context}, {message}: Failure) =>
      withAnswers(context, unscreened(context, message)),
    ),
    takeAnswer: assign(({context}, {seat, answer}: SeatAnswered) =>
      withAnswers(context, {[seat]: answer}),
    ),
    takeMiss: assign(({context: {missed}}, {seat, because}: SeatMissed) => ({
      missed: {...missed, [seat]: because},
    })),
    forgetMiss: assign(({context}, seat: string) => withoutMiss(context, seat)),
    takeAll: assign(({context}, answers: PollOutput) => withLastAnswers(context, answers)),
    takeNoPoll: assign(({context}, {message}: Failure) =>
      withLastAnswers(context, silenced(context, message)),
    ),
    settle: assign(({context}, verdict: Verdict) => ({round: roundOf(context, verdict)})),
    reportStart: report(({context: {input}}) => ({
      type: 'quorum.started',
      round: input.round,
      kind: input.proposal.kind,
      title: input.proposal.title,
      rule: input.settings.rule,
      seats: input.seats.map(({id}) => id),
    })),
    reportScreening: report(({context}) =>
      policyVotes(context).map((vote) => ballotCast(context.input, vote)),
    ),
    reportBallot: report(({context}, seat: string) => {
      const vote = voteOf(context, seat);
      return vote && ballotCast(context.input, vote);
    }),
    fireRejection: sendTo(ownInteraction, ({context: {input}}) =>
      triggerFired(`${input.proposal.kind}.rejected`),
    ),
    fireNoQuorum: sendTo(ownInteraction, triggerFired('quorum.noQuorum')),
    reportDecision: report(
      ({context: {round}}) => round && {type: 'quorum.decided' as const, ...round},
    ),
  },
  guards: {
    hasPolicies: ({context: {input}}) => policiesOf(input).length > 0,
    isRefused: ({context}) => isRefused(context),
    isCommentedOn: ({context}) => isRefused(context) && isCommentedOn(context),
    isExpected: ({context}, event: SeatAsked | SeatAnswered | SeatMissed) =>
      isExpected(context, event),
    isUnserved: ({context}) => isUnserved(context),
    isDecided: ({context}, verdict: Verdict) => context.verdict === verdict,
  },
  delays: {
    deadline: ({context}) => context.input.settings.deadlineMs,
    feedbackGrace: ({context}) => context.input.settings.feedbackGraceMs,
  },
}).createMachine({
  id: 'quorum',
  context: ({input}) => openCount(input),
  initial: 'opened',
  on: {
    'seat.settled': {
      guard: {type: 'isExpected', params: ({event}) => event},
      actions: [
        {type: 'takeAnswer', params: ({event}) => event},
        {type: 'reportBallot', params: ({event}) => event.seat},
      ],
    },
  },
  states: {
    opened: {
      tags: 'choice',
      entry: 'reportStart',
      always: [{guard: 'hasPolicies', target: 'screening'}, {target: 'polling'}],
    },
    screening: {
      invoke: {
        src: 'screenProposal',
        id: 'screen',
        input: ({context: {input}}) => screeningOf(input),
        onDone: {
          target: 'screened',
          actions: [{type: 'takeScreening', params: outputIn}, 'reportScreening'],
        },
        onError: {
          target: 'screened',
          actions: [{type: 'takeNoScreening', params: crashIn}, 'reportScreening'],
        },
      },
      after: {
        deadline: {
          target: 'screened',
          actions: {type: 'takeNoScreening', params: toFailure('deadline passed')},
        },
      },
    },
    screened: {
      tags: 'choice',
      always: [
        {guard: 'isCommentedOn', target: 'polling.collectingComments'},
        {guard: 'isRefused', target: 'vetoed'},
        {target: 'polling'},
      ],
    },
    polling: {
      invoke: {
        src: 'poll',
        id: 'poll',
        input: ({context}) => pollOf(context, unjudgedBy(context)),
        onDone: otherwise('counted', 'takeAll'),
        onError: onCrash('counted', 'takeNoPoll'),
      },
      on: {
        'seat.missed': {
          guard: {type: 'isExpected', params: ({event}) => event},
          actions: {type: 'takeMiss', params: ({event}) => event},
        },
        'seat.asked': {
          guard: {type: 'isExpected', params: ({event}) => event},
          actions: {type: 'forgetMiss', params: ({event}) => event.seat},
        },
      },
      initial: 'undecided',
      states: {
        undecided: {
          always: [
            {guard: {type: 'isDecided', params: 'approved'}, target: '#quorum.approved'},
            {guard: {type: 'isDecided', params: 'noQuorum'}, target: '#quorum.noQuorum'},
            {guard: {type: 'isDecided', params: 'rejected'}, target: 'collectingReasons'},
          ],
        },
        collectingReasons: {
          always: {guard: 'isUnserved', target: '#quorum.rejected'},
          after: {feedbackGrace: '#quorum.rejected'},
        },
        collectingComments: {
          always: {guard: 'isUnserved', target: '#quorum.vetoed'},
        },
      },
    },
    counted: {
      tags: 'choice',
      always: [
        {guard: 'isRefused', target: 'vetoed'},
        {guard: {type: 'isDecided', params: 'approved'}, target: 'approved'},
        {guard: {type: 'isDecided', params: 'noQuorum'}, target: 'noQuorum'},
        {target: 'rejected'},
      ],
    },
    vetoed: {
      type: 'final',
      tags: 'failure',
      entry: [{type: 'settle', params: 'rejected'}, 'reportDecision', 'fireRejection'],
    },
    approved: {
      type: 'final',
      entry: [{type: 'settle', params: 'approved'}, 'reportDecision'],
    },
    rejected: {
      type: 'final',
      tags: 'failure',
      entry: [{type: 'settle', params: 'rejected'}, 'reportDecision', 'fireRejection'],
    },
    noQuorum: {
      type: 'final',
      entry: [{type: 'settle', params: 'noQuorum'}, 'reportDecision', 'fireNoQuorum'],
    },
  },
  output: ({context}) => recordIn(context),
});

function ballotCast({round, proposal}: QuorumInput, vote: ModelVote): Fact {
  return {type: 'ballot.cast', round, kind: proposal.kind, vote};
}

function recordIn({round}: QuorumContext): ReviewRound {
  if (!round) throw new Error('the quorum ended without the record of its round');
  return round;
}
