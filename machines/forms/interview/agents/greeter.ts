/**
 * The greeter: finds out the language, the country and the time zone of the respondent.
 *
 * derived → thinking → conversing → thinking … → greeted
 * derived → posing → reading → derived …, by rule, also after the model was stuck; inferring the time zone from the country;
 * paused, failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {readSetting} from '../../../ports.ts';
import {isPause, type SettingReading} from '../../../questionnaire/answer-reading.ts';
import {exchangeInput} from '../asking.ts';
import {type ExchangeOutput, exchangeMachine} from '../exchange.ts';
import {agentLoopMachine, type AgentLoopOutput} from './agent-loop.ts';
import {
  asked,
  assumedNow,
  type GreeterState,
  greeterReplied,
  greeterTopic,
  inferred,
  isInferable,
  isTalkedOut,
  loopInput,
  looped,
  noticeAdded,
  openGreeter,
  sectionNow,
  settingInput,
  settingTaken,
} from './greeter-state.ts';
import {type Assignment, failing, going, type Handover} from './handover.ts';

/** Limit of replies on one section that are not understood. Then a default is assumed. */
const maxMisses = 2;

const chart = setup({
  types: {} as {context: GreeterState; input: Assignment; output: Handover},
  actors: {agentLoop: agentLoopMachine, exchange: exchangeMachine, readSetting},
  actions: {
    takeLoop: assign(({context}, loop: AgentLoopOutput) => looped(context, loop)),
    ask: assign(({context}) => asked(context)),
    takeReply: assign(({context}, reply: ExchangeOutput) => greeterReplied(context, reply)),
    takeSetting: assign(({context}, reading: SettingReading) => settingTaken(context, reading)),
    takeInference: assign(({context}, reading: SettingReading) => inferred(context, reading)),
    addNotice: assign(({context}, reply: ExchangeOutput) => noticeAdded(context, reply)),
    assume: assign(({context}) => assumedNow(context)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isGreeted: ({context}) => sectionNow(context) === 'completed',
    isTalkedOut: ({context}) => isTalkedOut(context),
    isSpent: ({context}) => context.misses >= maxMisses,
    isInferable: ({context}) => isInferable(context),
    mayGiveMore: ({context}) => context.mayGiveMore,
    isByRule: ({context}) => context.isByRule || isTalkedOut(context),
    isAsked: (_, {kind}: AgentLoopOutput) => kind === 'asked',
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isPause: (_, reply: ExchangeOutput) => reply.kind === 'replied' && isPause(reply.route),
    isRefusal: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && ['skip', 'decline', 'without'].includes(reply.route.kind),
    isAside: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && ['why', 'help', 'back'].includes(reply.route.kind),
    isSwitch: (_, reply: ExchangeOutput) =>
      reply.kind === 'replied' && reply.route.kind === 'language',
  },
});

const answeredByForm = [
  when('isLost', 'failed', 'takeReply'),
  when('isPause', 'paused', 'takeReply'),
  when('isAside', 'derived', 'takeReply', 'addNotice'),
] as const;

const crashing = onCrash('failed', 'takeFailure');

export const greeterMachine = chart.createMachine({
  id: 'greeter',
  context: ({input}) => openGreeter(input),
  initial: 'derived',
  states: {
    derived: {
      tags: 'choice',
      always: [
        {guard: 'isInferable', target: 'inferring'},
        {guard: 'isGreeted', target: 'greeted'},
        {guard: 'mayGiveMore', target: 'reading'},
        {guard: 'isSpent', target: 'derived', reenter: true, actions: 'assume'},
        {guard: 'isByRule', target: 'posing', actions: 'ask'},
        {target: 'thinking'},
      ],
    },
    thinking: {
      invoke: {
        src: 'agentLoop',
        id: 'agent',
        input: ({context}) => loopInput(context),
        onDone: [when('isAsked', 'conversing', 'takeLoop'), otherwise('derived', 'takeLoop')],
        onError: crashing,
      },
    },
    conversing: {
      invoke: {
        src: 'exchange',
        id: 'exchange',
        input: ({context}) => exchangeInput(context, greeterTopic(context)),
        onDone: [
          ...answeredByForm,
          {
            guard: 'isTalkedOut',
            target: 'derived',
            actions: {type: 'takeReply', params: outputIn},
          },
          otherwise('thinking', 'takeReply'),
        ],
        onError: crashing,
      },
    },
    posing: {
      invoke: {
        src: 'exchange',
        id: 'exchange',
        input: ({context}) => exchangeInput(context, greeterTopic(context)),
        onDone: [
          ...answeredByForm,
          when('isSwitch', 'derived', 'takeReply'),
          {
            guard: {type: 'isRefusal', params: outputIn},
            target: 'derived',
            actions: [{type: 'takeReply', params: outputIn}, 'assume'],
          },
          otherwise('reading', 'takeReply'),
        ],
        onError: crashing,
      },
    },
    reading: {
      invoke: {
        src: 'readSetting',
        id: 'reading',
        input: ({context}) => settingInput(context),
        onDone: otherwise('derived', 'takeSetting'),
        onError: crashing,
      },
    },
    inferring: {
      invoke: {
        src: 'readSetting',
        id: 'inference',
        input: ({context}) => ({...settingInput(context), text: ''}),
        onDone: otherwise('derived', 'takeInference'),
        onError: crashing,
      },
    },
    greeted: {type: 'final', output: going('next')},
    paused: {type: 'final', output: going('pause')},
    failed: {type: 'final', tags: 'failure', output: failing},
  },
  output: ({event}) => event.output as Handover,
});
