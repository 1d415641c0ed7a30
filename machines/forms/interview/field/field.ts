/**
 * One field of a form: asked about until its reviewer passes the answer.
 *
 * pending → interviewing → reviewing → done; interviewing again if something is missing
 * skipped, declined, leftOpen (after too many questions); paused, restarted, redirected (to another field); failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {report} from '../../../facts/record.ts';
import {isPause} from '../../../questionnaire/answer-reading.ts';
import {agentLoopMachine, type AgentLoopOutput} from '../agents/agent-loop.ts';
import {failing, type FieldAssignment, going, type Handover, toField} from '../agents/handover.ts';
import {exchangeInput, exchangeMachine, type ExchangeOutput} from '../exchange.ts';
import {type FieldReview, fieldReviewerMachine} from './field-reviewer.ts';
import {
  answered,
  asked,
  canReview,
  declined,
  failed,
  fieldReplied,
  type FieldState,
  fieldTopic,
  interviewerInput,
  isAnsweredByForm,
  isCapped,
  isEmpty,
  isTalkedOut,
  leftOpen,
  looped,
  maySkip,
  noticeAdded,
  openField,
  passed,
  reviewReport,
  skipped,
  withStatus,
} from './field-state.ts';

const chart = setup({
  types: {} as {context: FieldState; input: FieldAssignment; output: Handover},
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
    takeReply: assign(({context}, output: ExchangeOutput) => fieldReplied(context, output)),
    takeAnswer: assign(({context}) => answered(context)),
    addNotice: assign(({context}) => noticeAdded(context)),
    takePass: assign(({context}, review: FieldReview) => passed(context, review)),
    takeFail: assign(({context}, review: FieldReview) => failed(context, review)),
    skip: assign(({context}) => skipped(context)),
    decline: assign(({context}) => declined(context)),
    leaveOpen: assign(({context}) => leftOpen(context)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportReview: report(({context}, review: FieldReview) => reviewReport(context, review)),
  },
  guards: {
    isByRule: ({context: {isByRule}}) => isByRule,
    canReview: ({context}) => canReview(context),
    isAsked: (_, {kind}: AgentLoopOutput) => kind === 'asked',
    isHanded: (_, {kind}: AgentLoopOutput) => kind === 'handed',
    isRouted: (_, {kind}: AgentLoopOutput) => kind === 'routed',
    isLost: (_, {kind}: ExchangeOutput) => kind === 'lost',
    isSkip: ({context}) => isEmpty(context.route) && maySkip(context),
    isDecline: ({context: {route}}) => route.kind === 'decline',
    isPause: ({context: {route}}) => isPause(route),
    isRestart: ({context: {route}}) => route.kind === 'startOver',
    isRedirection: ({context: {route, field}}) => route.kind === 'correct' && route.field !== field,
    isUnclear: ({context: {route, isByRule, wasUnclear}}) =>
      ['unclear', 'confirm', 'without'].includes(route.kind) && isByRule && !wasUnclear,
    isAskedAgain: ({context: {route}}) => route.kind === 'correct' && route.text === undefined,
    isAnsweredByForm: ({context}) => isAnsweredByForm(context),
    isPassed: (_, {passed: isPassed}: FieldReview) => isPassed,
    isTalkedOut: ({context}) => isTalkedOut(context),
    isCapped: ({context}) => isCapped(context),
  },
});

const crashing = onCrash('#field.failed', 'takeFailure');

export const fieldMachine = chart.createMachine({
  id: 'field',
  context: ({input}) => openField(input),
  initial: 'pending',
  states: {
    pending: {
      tags: 'choice',
      always: [{guard: 'canReview', target: 'reviewing'}, {target: 'interviewing'}],
    },
    interviewing: {
      entry: 'markInterviewing',
      initial: 'decided',
      states: {
        decided: {
          tags: 'choice',
          always: [{guard: 'isByRule', target: 'conversing', actions: 'ask'}, {target: 'thinking'}],
        },
        thinking: {
          invoke: {
            src: 'agentLoop',
            id: 'interviewer',
            input: ({context}) => interviewerInput(context),
            onDone: [
              when('isAsked', 'conversing', 'takeLoop'),
              when('isHanded', '#field.reviewing', 'takeLoop'),
              when('isRouted', 'routed', 'takeLoop'),
              {
                guard: 'canReview',
                target: '#field.reviewing',
                actions: {type: 'takeLoop', params: outputIn},
              },
              {
                target: 'conversing',
                actions: [{type: 'takeLoop', params: outputIn}, 'ask'],
              },
            ],
            onError: crashing,
          },
        },
        conversing: {
          invoke: {
            src: 'exchange',
            id: 'exchange',
            input: ({context}) => exchangeInput(context, fieldTopic(context)),
            onDone: [
              when('isLost', '#field.failed', 'takeReply'),
              otherwise('routed', 'takeReply'),
            ],
            onError: crashing,
          },
        },
        routed: {
          tags: 'choice',
          always: [
            {guard: 'isSkip', target: '#field.skipped', actions: 'skip'},
            {guard: 'isDecline', target: '#field.declined', actions: 'decline'},
            {guard: 'isPause', target: '#field.paused'},
            {guard: 'isRestart', target: '#field.restarted'},
            {guard: 'isRedirection', target: '#field.redirected'},
            {guard: 'isAnsweredByForm', target: 'conversing', actions: ['addNotice', 'ask']},
            {guard: 'isUnclear', target: 'conversing', actions: ['addNotice', 'ask']},
            {guard: 'isAskedAgain', target: 'decided'},
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
          when('isPassed', 'done', 'takePass', 'reportReview'),
          otherwise('weighed', 'takeFail', 'reportReview'),
        ],
        onError: crashing,
      },
    },
    weighed: {
      tags: 'choice',
      always: [
        {guard: 'isCapped', target: 'leftOpen', actions: 'leaveOpen'},
        {target: 'interviewing'},
      ],
    },
    done: {type: 'final', output: going('next')},
    skipped: {type: 'final', output: going('next')},
    declined: {type: 'final', output: going('next')},
    leftOpen: {type: 'final', output: going('next')},
    paused: {type: 'final', output: going('pause')},
    restarted: {type: 'final', output: going('startOver')},
    redirected: {
      type: 'final',
      output: ({context: {dialogue, route}}) => toField(dialogue, route),
    },
    failed: {type: 'final', tags: 'failure', output: failing},
  },
  output: ({event}) => event.output as Handover,
});
