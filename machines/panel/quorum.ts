/**
 * A panel deciding one proposal: its policies are heard, then its models are polled, by a rule for when it has decided.
 *
 * screening → vetoed, with no model asked; open: polling → approved / noQuorum, as soon as no ballot still out can change
 * it; hearing → rejected, for a rejection waits for the reasons of seats still out; counting → approved / rejected /
 * noQuorum, when all are in or the deadline passed
 */

import {assign, setup} from 'xstate';

import {toFailure} from '../domain/failure.ts';
import type {ReviewRound} from '../domain/review.ts';
import {report} from '../report.ts';
import {record} from '../tree/record.ts';
import {pollMachine, type PollOutput, type SeatHeard} from './poll.ts';
import {
  earlyVerdict,
  isExpected,
  isRefused,
  openCount,
  pollOf,
  type QuorumContext,
  type QuorumInput,
  roundOf,
  screenOf,
  silenced,
  verdictOfAll,
  voteOf,
} from './round.ts';
import type {Verdict} from './rule.ts';

export const quorumMachine = setup({
  types: {} as {
    context: QuorumContext;
    input: QuorumInput;
    output: ReviewRound;
    events: SeatHeard;
  },
  actors: {poll: pollMachine},
  actions: {
    takeAnswer: assign(({context: {heard}}, {seat, answer}: SeatHeard) => ({
      heard: {...heard, [seat]: answer},
    })),
    takeAll: assign(({context}, heard: PollOutput) => ({heard: {...context.heard, ...heard}})),
    takeNoScreening: assign(({context}, because: string) => ({
      heard: silenced(context, screenOf(context), because),
    })),
    takeNoPoll: assign(({context}, because: string) => ({
      heard: silenced(context, pollOf(context), because),
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
    reportDecision: report(
      ({context: {round}}) => round && {type: 'quorum.decided' as const, ...round},
    ),
  },
  guards: {
    isRefused: ({context}) => isRefused(context),
    isExpected: ({context}, heard: SeatHeard) => isExpected(context, heard),
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
        onDone: {target: 'screened', actions: {type: 'takeAll', params: ({event}) => event.output}},
        onError: {
          target: 'screened',
          actions: {type: 'takeNoScreening', params: ({event}) => toFailure(event.error).message},
        },
      },
    },
    screened: {always: [{guard: 'isRefused', target: 'vetoed'}, {target: 'open'}]},
    open: {
      invoke: {
        src: 'poll',
        id: 'poll',
        input: ({context}) => pollOf(context),
        onDone: {target: 'counting', actions: {type: 'takeAll', params: ({event}) => event.output}},
        onError: {
          target: 'counting',
          actions: {type: 'takeNoPoll', params: ({event}) => toFailure(event.error).message},
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
        hearing: {after: {feedbackGrace: '#quorum.rejected'}},
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
      entry: [{type: 'settle', params: 'rejected'}, 'recordRound', 'reportDecision'],
    },
    approved: {
      type: 'final',
      entry: [{type: 'settle', params: 'approved'}, 'recordRound', 'reportDecision'],
    },
    rejected: {
      type: 'final',
      entry: [{type: 'settle', params: 'rejected'}, 'recordRound', 'reportDecision'],
    },
    noQuorum: {
      type: 'final',
      entry: [{type: 'settle', params: 'noQuorum'}, 'recordRound', 'reportDecision'],
    },
  },
  output: ({context}) => context.round ?? roundOf(context, verdictOfAll(context)),
});
