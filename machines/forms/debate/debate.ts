/**
 * Debates a position, or a proposal such as a plan: an opponent objects, the proponent answers, and a moderator rules.
 *
 * opening → attacking → defending → ruling → settled, when no critical or major objection is open; otherwise attacking …
 * escalated after the last round, or after a round that changed nothing; failed without a position
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {onCrash, otherwise} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {report} from '../../facts/record.ts';
import {asChart} from '../../machine-type.ts';
import {pollMachine, type PollOutput} from '../../panel/poll.ts';
import {messagesReadFact, messagesFor} from '../../tree/messages.ts';
import {attackPoll, defencePoll, openingPoll, rulingPoll} from './debate-polls.ts';
import {
  type DebateInput,
  type DebateOutput,
  type DebateState,
  isSettled,
  isStalled,
  openDebate,
  openIds,
  outputOf,
  type Role,
  turnReport,
  withAttack,
  withDefence,
  withMessagesInGround,
  withPosition,
  withRound,
  withRulings,
} from './debate-state.ts';

const machine = setup({
  types: {} as {
    context: DebateState;
    input: DebateInput;
    output: DebateOutput;
    events: ErrorActorEvent;
  },
  actors: {poll: pollMachine},
  actions: {
    takeMessages: assign(({context, self}) =>
      withMessagesInGround(context, messagesFor(self, 0).items),
    ),
    reportRead: report(({self}) => messagesReadFact(messagesFor(self, 0).items)),
    takePosition: assign(({context}, replies: PollOutput) => withPosition(context, replies)),
    beginRound: assign(({context}) => withRound(context)),
    takeAttack: assign(({context}, replies: PollOutput) => withAttack(context, replies)),
    takeDefence: assign(({context}, replies: PollOutput) => withDefence(context, replies)),
    takeRulings: assign(({context}, replies: PollOutput) => withRulings(context, replies)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportProponent: reporting('proponent'),
    reportOpponent: reporting('opponent'),
    reportModerator: reporting('moderator'),
  },
  guards: {
    isGiven: ({context}) => context.given !== undefined,
    hasFailed: ({context}) => context.failure !== undefined,
    isUnopposed: ({context}) => openIds(context).length === 0,
    isSettled: ({context}) => isSettled(context),
    isLastRound: ({context}) =>
      context.rounds >= context.settings.debate.maxRounds || isStalled(context),
  },
}).createMachine({
  id: 'debate',
  context: ({input}) => openDebate(input),
  initial: 'chosen',
  on: {
    'xstate.error.actor.*': onCrash('.failed', 'takeFailure'),
  },
  states: {
    chosen: {
      tags: 'choice',
      always: [{guard: 'isGiven', target: 'attacking'}, {target: 'opening'}],
    },
    opening: {
      invoke: {
        src: 'poll',
        id: 'opening',
        input: ({context}) => openingPoll(context),
        onDone: otherwise('opened', 'takePosition', 'reportProponent'),
      },
    },
    opened: {
      tags: 'choice',
      always: [{guard: 'hasFailed', target: 'failed'}, {target: 'attacking'}],
    },
    attacking: {
      entry: ['takeMessages', 'reportRead', 'beginRound'],
      invoke: {
        src: 'poll',
        id: 'attack',
        input: ({context}) => attackPoll(context),
        onDone: otherwise('attacked', 'takeAttack', 'reportOpponent'),
      },
    },
    attacked: {
      tags: 'choice',
      always: [{guard: 'isUnopposed', target: 'settled'}, {target: 'defending'}],
    },
    defending: {
      entry: ['takeMessages', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'defence',
        input: ({context}) => defencePoll(context),
        onDone: otherwise('ruling', 'takeDefence', 'reportProponent'),
      },
    },
    ruling: {
      entry: ['takeMessages', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'ruling',
        input: ({context}) => rulingPoll(context),
        onDone: otherwise('ruled', 'takeRulings', 'reportModerator'),
      },
    },
    ruled: {
      tags: 'choice',
      always: [
        {guard: 'isSettled', target: 'settled'},
        {guard: 'isLastRound', target: 'escalated'},
        {target: 'attacking'},
      ],
    },
    settled: {type: 'final', output: ({context}) => outputOf(context, 'settled')},
    escalated: {type: 'final', output: ({context}) => outputOf(context, 'escalated')},
    failed: {type: 'final', tags: 'failure', output: ({context}) => outputOf(context, 'failed')},
  },
  output: ({event}) => event.output as DebateOutput,
});

/** In a debate on a plan, its author is the proponent. The output lists all objections, open ones included. */
export const debateMachine = asChart<DebateState, ErrorActorEvent, DebateInput, DebateOutput>(
  machine,
);

function reporting(role: Role) {
  return report<DebateState, ErrorActorEvent, PollOutput, ErrorActorEvent>(({context}, replies) =>
    turnReport(context, role, replies),
  );
}
