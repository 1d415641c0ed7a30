/**
 * One field of a form: asked about until its reviewer passes the answer.
 *
 * pending → interviewing → reviewing → done; interviewing again, with what is missing
 * skipped, declined, leftOpen (asked often enough), left (for another field, or a pause), failed
 */

import {assign, setup} from 'xstate';

import type {Route} from '../../domain/answer-reading.ts';
import type {Failure} from '../../domain/failure.ts';
import {crashIn, outputIn} from '../../ended.ts';
import {report} from '../../report.ts';
import {agentLoopMachine, type AgentLoopOutput} from './agent-loop.ts';
import {exchangeInput} from './asking.ts';
import {type Dialogue, fieldOf, type Handover, recordOf} from './dialogue.ts';
import {exchangeMachine, type ExchangeOutput} from './exchange.ts';
import {declined, failed, leftOpen, passed, reviewReport, skipped} from './field-endings.ts';
import {fieldReviewerMachine} from './field-reviewer.ts';
import {
  answered,
  asked,
  type FieldInput,
  type FieldState,
  fieldTopic,
  heard,
  interviewerInput,
  isCapped,
  isTalkedOut,
  leaving,
  looped,
  openField,
  told,
  withStatus,
} from './field-state.ts';
import type {FieldReview} from './review-state.ts';

const chart = setup({
  types: {} as {context: FieldState; input: FieldInput; output: Handover},
  actors: {
    agentLoop: agentLoopMachine,
    exchange: exchangeMachine,
    fieldReviewer: fieldReviewerMachine,
  },
  actions: {
    markInterviewing: assign(({context}) => withStatus(context, 'interviewing')),
    markReviewing: assign(({context}) => withStatus(context, 'reviewing')),
    takeLoop: assign(({context}, loop: AgentLoopOutput) => looped(context, loop)),
    ask: assign(({context}) => asked(context)),
    hear: assign(({context}, output: ExchangeOutput) => heard(context, output)),
    takeAnswer: assign(({context}) => answered(context)),
    tell: assign(({context}) => told(context)),
    takePass: assign(({context}, review: FieldReview) => passed(context, review)),
    takeFail: assign(({context}, review: FieldReview) => failed(context, review)),
    skip: assign(({context}) => skipped(context)),
    decline: assign(({context}) => declined(context)),
    leaveOpen: assign(({context}) => leftOpen(context)),
    leave: assign(({context}) => leaving(context)),
    takeFailure: assign((_, failure: Failure) => ({move: {to: 'failure' as const, failure}})),
    reportReview: report(({context}, review: FieldReview) => reviewReport(context, review)),
  },
  guards: {
    isByRule: ({context: {isByRule}}) => isByRule,
    canReview: ({context: {canReview}}) => canReview,
    isAsked: (_, {kind}: AgentLoopOutput) => kind === 'asked',
    isHanded: (_, {kind}: AgentLoopOutput) => kind === 'handed',
    isRouted: (_, {kind}: AgentLoopOutput) => kind === 'routed',
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isSkip: ({context: {route, dialogue, field}}) =>
      route.kind === 'skip' && maySkip(dialogue, field),
    isDecline: ({context: {route}}) => route.kind === 'decline',
    isLeaving: ({context: {route, field}}) => isLeaving(route, field),
    isUnclear: ({context: {route, isByRule, wasUnclear}}) =>
      route.kind === 'unclear' && isByRule && !wasUnclear,
    isAskedAgain: ({context: {route}}) => route.kind === 'correct' && route.text === undefined,
    isTold: ({context: {route}}) => toldRoutes.has(route.kind),
    isPassed: (_, {passed: isPassed}: FieldReview) => isPassed,
    isTalkedOut: ({context}) => isTalkedOut(context),
    isCapped: ({context}) => isCapped(context),
  },
});

/** What is answered by the form itself, before the question is asked once more. */
const toldRoutes: ReadonlySet<Route['kind']> = new Set(['skip', 'why', 'language']);

export const fieldMachine = chart.createMachine({
  id: 'field',
  context: ({input}) => openField(input),
  initial: 'pending',
  states: {
    pending: {always: [{guard: 'canReview', target: 'reviewing'}, {target: 'interviewing'}]},
    interviewing: {
      entry: 'markInterviewing',
      initial: 'deciding',
      states: {
        deciding: {
          always: [{guard: 'isByRule', target: 'asking', actions: 'ask'}, {target: 'thinking'}],
        },
        thinking: {
          invoke: {
            src: 'agentLoop',
            id: 'interviewer',
            input: ({context}) => interviewerInput(context),
            onDone: [
              {
                guard: {type: 'isAsked', params: outputIn},
                target: 'asking',
                actions: {type: 'takeLoop', params: outputIn},
              },
              {
                guard: {type: 'isHanded', params: outputIn},
                target: '#field.reviewing',
                actions: {type: 'takeLoop', params: outputIn},
              },
              {
                guard: {type: 'isRouted', params: outputIn},
                target: 'routing',
                actions: {type: 'takeLoop', params: outputIn},
              },
              {
                guard: 'canReview',
                target: '#field.reviewing',
                actions: {type: 'takeLoop', params: outputIn},
              },
              {
                target: 'asking',
                actions: [{type: 'takeLoop', params: outputIn}, 'ask'],
              },
            ],
            onError: {
              target: '#field.failed',
              actions: {type: 'takeFailure', params: crashIn},
            },
          },
        },
        asking: {
          invoke: {
            src: 'exchange',
            id: 'exchange',
            input: ({context}) => exchangeInput(context, fieldTopic(context)),
            onDone: [
              {
                guard: {type: 'isLost', params: outputIn},
                target: '#field.failed',
                actions: {type: 'hear', params: outputIn},
              },
              {target: 'routing', actions: {type: 'hear', params: outputIn}},
            ],
            onError: {
              target: '#field.failed',
              actions: {type: 'takeFailure', params: crashIn},
            },
          },
        },
        routing: {
          always: [
            {guard: 'isSkip', target: '#field.skipped', actions: 'skip'},
            {guard: 'isDecline', target: '#field.declined', actions: 'decline'},
            {guard: 'isLeaving', target: '#field.left', actions: 'leave'},
            {guard: 'isTold', target: 'asking', actions: ['tell', 'ask']},
            {guard: 'isUnclear', target: 'asking', actions: ['tell', 'ask']},
            {guard: 'isAskedAgain', target: 'deciding'},
            {guard: 'isByRule', target: '#field.reviewing', actions: 'takeAnswer'},
            {guard: 'isTalkedOut', target: '#field.reviewing', actions: 'takeAnswer'},
            {target: 'thinking', actions: 'takeAnswer'},
          ],
        },
      },
    },
    reviewing: {
      entry: 'markReviewing',
      invoke: {
        src: 'fieldReviewer',
        id: 'reviewer',
        input: ({context: {dialogue, settings, field}}) => ({dialogue, settings, field}),
        onDone: [
          {
            guard: {type: 'isPassed', params: outputIn},
            target: 'done',
            actions: [
              {type: 'takePass', params: outputIn},
              {type: 'reportReview', params: outputIn},
            ],
          },
          {
            target: 'weighing',
            actions: [
              {type: 'takeFail', params: outputIn},
              {type: 'reportReview', params: outputIn},
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: crashIn},
        },
      },
    },
    weighing: {
      always: [
        {guard: 'isCapped', target: 'leftOpen', actions: 'leaveOpen'},
        {target: 'interviewing'},
      ],
    },
    done: {type: 'final'},
    skipped: {type: 'final'},
    declined: {type: 'final'},
    leftOpen: {type: 'final'},
    left: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context: {dialogue, move}}) => ({dialogue, move}),
});

/** To a pause, to another field, or to the beginning. */
function isLeaving(route: Route, field: string): boolean {
  if (route.kind === 'correct') return route.field !== field;
  return leavingRoutes.has(route.kind);
}

const leavingRoutes: ReadonlySet<Route['kind']> = new Set(['pause', 'quit', 'startOver']);

/** One that is required only while a change of it is given up. */
function maySkip(dialogue: Dialogue, field: string): boolean {
  return !fieldOf(dialogue, field).required || recordOf(dialogue, field).former !== undefined;
}
