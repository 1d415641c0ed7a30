/**
 * A position, or a proposal such as a plan, held against an opponent's objections, round by round, before a moderator.
 *
 * opening → attacking → defending → ruling → settled, as soon as no critical or major objection is open; else attacking …;
 * escalated, when the rounds are used up, or one has moved nothing. failed without a position
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {report} from '../../facts/report.ts';
import {asChart} from '../../machine-type.ts';
import {pollMachine} from '../../panel/poll.ts';
import type {PollOutput} from '../../panel/polled.ts';
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

interface Turn {
  readonly role: Role;
  readonly heard: PollOutput;
}

const machine = setup({
  types: {} as {
    context: DebateState;
    input: DebateInput;
    output: DebateOutput;
    events: ErrorActorEvent;
  },
  actors: {poll: pollMachine},
  actions: {
    hear: assign(({context, self}) => withMessagesInGround(context, messagesFor(self, 0).items)),
    reportRead: report(({self}) => messagesReadFact(messagesFor(self, 0).items)),
    takePosition: assign(({context}, heard: PollOutput) => withPosition(context, heard)),
    beginRound: assign(({context}) => withRound(context)),
    takeAttack: assign(({context}, heard: PollOutput) => withAttack(context, heard)),
    takeDefence: assign(({context}, heard: PollOutput) => withDefence(context, heard)),
    takeRulings: assign(({context}, heard: PollOutput) => withRulings(context, heard)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportTurn: report(({context}, {role, heard}: Turn) => turnReport(context, role, heard)),
  },
  guards: {
    isGiven: ({context}) => context.given !== undefined,
    hasFailed: ({context}) => context.failure !== undefined,
    isUnopposed: ({context}) => openIds(context).length === 0,
    isSettled: ({context}) => isSettled(context),
    isLastRound: ({context}) => context.rounds >= context.rules.maxRounds || isStalled(context),
  },
}).createMachine({
  id: 'debate',
  context: ({input}) => openDebate(input),
  initial: 'chosen',
  on: {
    'xstate.error.actor.*': {
      target: '.failed',
      actions: {type: 'takeFailure', params: crashIn},
    },
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
        onDone: {
          target: 'opened',
          actions: [
            {type: 'takePosition', params: outputIn},
            {type: 'reportTurn', params: ({event}) => ({role: 'proponent', heard: event.output})},
          ],
        },
      },
    },
    opened: {
      tags: 'choice',
      always: [{guard: 'hasFailed', target: 'failed'}, {target: 'attacking'}],
    },
    attacking: {
      entry: ['hear', 'reportRead', 'beginRound'],
      invoke: {
        src: 'poll',
        id: 'attack',
        input: ({context}) => attackPoll(context),
        onDone: {
          target: 'attacked',
          actions: [
            {type: 'takeAttack', params: outputIn},
            {type: 'reportTurn', params: ({event}) => ({role: 'opponent', heard: event.output})},
          ],
        },
      },
    },
    attacked: {
      tags: 'choice',
      always: [{guard: 'isUnopposed', target: 'settled'}, {target: 'defending'}],
    },
    defending: {
      entry: ['hear', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'defence',
        input: ({context}) => defencePoll(context),
        onDone: {
          target: 'ruling',
          actions: [
            {type: 'takeDefence', params: outputIn},
            {type: 'reportTurn', params: ({event}) => ({role: 'proponent', heard: event.output})},
          ],
        },
      },
    },
    ruling: {
      entry: ['hear', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'ruling',
        input: ({context}) => rulingPoll(context),
        onDone: {
          target: 'ruled',
          actions: [
            {type: 'takeRulings', params: outputIn},
            {type: 'reportTurn', params: ({event}) => ({role: 'moderator', heard: event.output})},
          ],
        },
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
    failed: {type: 'final', output: ({context}) => outputOf(context, 'failed')},
  },
  output: ({event}) => event.output as DebateOutput,
});

/** To decide a plan by, its author proposes and another opposes: what is still open is in the output's objections. */
export const debateMachine = asChart<DebateState, ErrorActorEvent, DebateInput, DebateOutput>(
  machine,
);
