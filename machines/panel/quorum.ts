/**
 * A panel deciding one proposal: its policies are heard, then its models are polled, by a rule for when it has decided.
 *
 * screening → vetoed, with no model asked; open: polling → approved / noQuorum, as soon as no ballot still out can change
 * it; hearing → rejected, for a rejection waits for the reasons of seats still out that can be asked; counting →
 * approved / rejected / noQuorum, when all are in or the deadline passed
 */

import {assign, sendTo, setup} from 'xstate';

import type {Failure} from '../domain/failure.ts';
import type {ReviewRound} from '../domain/review.ts';
import {crashIn, outputIn} from '../ended.ts';
import {report} from '../report.ts';
import {record} from '../tree/record.ts';
import {arose, hearerOf} from '../tree/rules.ts';
import {
  earlyVerdict,
  isRefused,
  isUnserved,
  roundOf,
  unjudgedBy,
  verdictOfAll,
  voteOf,
} from './count.ts';
import {pollMachine} from './poll.ts';
import type {PollOutput, SeatAsked, SeatHeard, SeatMissed} from './polled.ts';
import {
  isExpected,
  openCount,
  pollOf,
  type QuorumContext,
  type QuorumInput,
  screenOf,
  silenced,
  withoutMiss,
} from './round.ts';
import type {Verdict} from './rule.ts';

export const quorumMachine = setup({
  types: {} as {
    context: QuorumContext;
    input: QuorumInput;
    output: ReviewRound;
    events: SeatAsked | SeatHeard | SeatMissed;
  },
  actors: {poll: pollMachine},
  actions: {
    takeAnswer: assign(({context: {heard}}, {seat, answer}: SeatHeard) => ({
      heard: {...heard, [seat]: answer},
    })),
    takeMiss: assign(({context: {missed}}, {seat, because}: SeatMissed) => ({
      missed: {...missed, [seat]: because},
    })),
    forgetMiss: assign(({context}, seat: string) => withoutMiss(context, seat)),
    takeAll: assign(({context}, heard: PollOutput) => ({heard: {...context.heard, ...heard}})),
    takeNoScreening: assign(({context}, {message}: Failure) => ({
      heard: silenced(context, screenOf(context), message),
    })),
    takeNoPoll: assign(({context}, {message}: Failure) => ({
      heard: silenced(context, pollOf(context), message),
    })),
    settle: assign(({context}, verdict: Verdict) => ({round: roundOf(context, verdict)})),
    reportStart: report(({context: {input}}) => ({
      type: 'quorum.started',
      round: input.round,
      kind: input.proposal.kind,
      title: input.proposal.title,
      rule: input.settings.rule,
      seats: input.seats.map(({id}) => id),
    })),
    reportBallot: report(({context}, seat: string) => {
      const {round, proposal} = context.input;
      const vote = voteOf(context, seat);
      return vote && {type: 'ballot.cast', round, kind: proposal.kind, vote};
    }),
    recordRound: record(({context: {round}}) => round && {type: 'round.recorded' as const, round}),
    tellRejection: sendTo(hearerOf, ({context: {input}}) =>
      arose(`${input.proposal.kind}.rejected`),
    ),
    tellNoQuorum: sendTo(hearerOf, arose('quorum.noQuorum')),
    reportDecision: report(
      ({context: {round}}) => round && {type: 'quorum.decided' as const, ...round},
    ),
  },
  guards: {
    isRefused: ({context}) => isRefused(context),
    isExpected: ({context}, told: SeatAsked | SeatHeard | SeatMissed) => isExpected(context, told),
    isUnserved: ({context}) => isUnserved(context),
    isSurelyApproved: ({context}) => earlyVerdict(context) === 'approved',
    isSurelyRejected: ({context}) => earlyVerdict(context) === 'rejected',
    isSurelyNoQuorum: ({context}) => earlyVerdict(context) === 'noQuorum',
    isApproved: ({context}) => verdictOfAll(context) === 'approved',
    isNoQuorum: ({context}) => verdictOfAll(context) === 'noQuorum',
  },
  delays: {feedbackGrace: ({context}) => context.input.settings.feedbackGraceMs},
}).createMachine({
  id: 'quorum',
  context: ({input}) => openCount(input),
  initial: 'screening',
  on: {
    'seat.heard': {
      guard: {type: 'isExpected', params: ({event}) => event},
      actions: [
        {type: 'takeAnswer', params: ({event}) => event},
        {type: 'reportBallot', params: ({event}) => event.seat},
      ],
    },
  },
  states: {
    screening: {
      entry: 'reportStart',
      invoke: {
        src: 'poll',
        id: 'screen',
        input: ({context}) => screenOf(context),
        onDone: {target: 'screened', actions: {type: 'takeAll', params: outputIn}},
        onError: {target: 'screened', actions: {type: 'takeNoScreening', params: crashIn}},
      },
    },
    screened: {always: [{guard: 'isRefused', target: 'vetoed'}, {target: 'open'}]},
    open: {
      invoke: {
        src: 'poll',
        id: 'poll',
        input: ({context}) => pollOf(context, unjudgedBy(context)),
        onDone: {target: 'counting', actions: {type: 'takeAll', params: outputIn}},
        onError: {target: 'counting', actions: {type: 'takeNoPoll', params: crashIn}},
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
      initial: 'polling',
      states: {
        polling: {
          always: [
            {guard: 'isSurelyApproved', target: '#quorum.approved'},
            {guard: 'isSurelyNoQuorum', target: '#quorum.noQuorum'},
            {guard: 'isSurelyRejected', target: 'hearing'},
          ],
        },
        hearing: {
          always: {guard: 'isUnserved', target: '#quorum.rejected'},
          after: {feedbackGrace: '#quorum.rejected'},
        },
      },
    },
    counting: {
      always: [
        {guard: 'isApproved', target: 'approved'},
        {guard: 'isNoQuorum', target: 'noQuorum'},
        {target: 'rejected'},
      ],
    },
    vetoed: {
      type: 'final',
      entry: [
        {type: 'settle', params: 'rejected'},
        'recordRound',
        'tellRejection',
        'reportDecision',
      ],
    },
    approved: {
      type: 'final',
      entry: [{type: 'settle', params: 'approved'}, 'recordRound', 'reportDecision'],
    },
    rejected: {
      type: 'final',
      entry: [
        {type: 'settle', params: 'rejected'},
        'recordRound',
        'tellRejection',
        'reportDecision',
      ],
    },
    noQuorum: {
      type: 'final',
      entry: [
        {type: 'settle', params: 'noQuorum'},
        'recordRound',
        'tellNoQuorum',
        'reportDecision',
      ],
    },
  },
  output: ({context}) => context.round ?? roundOf(context, verdictOfAll(context)),
});
