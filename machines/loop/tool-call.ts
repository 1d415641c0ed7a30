/**
 * One use of one tool, from validation to outcome.
 *
 * validating → (reviewing → queueing) → running → succeeded; retrying; inDoubt; rejected; refused; failed
 */

import {assign, enqueueActions, sendParent, setup} from 'xstate';

import {type Failure, toFailure} from '../domain/failure.ts';
import type {HumanDecision} from '../domain/human.ts';
import type {Denied} from '../domain/result.ts';
import {callSummary} from '../domain/tool-facts.ts';
import type {ToolOutcome} from '../domain/tool.ts';
import {humanGateMachine} from '../human-gate.ts';
import {type Delivered, neverMs, runTool} from '../ports.ts';
import {report} from '../report.ts';
import {laneOf} from '../tree/lane.ts';
import {actionReviewMachine, type ActionReviewed} from './action-review.ts';
import {
  type ActionReviewOutput,
  deniedOf,
  doubtQuestion,
  timeOutOutcome,
  toolRequest,
  toolResult,
  unofferedResult,
  wordOutcome,
} from './action.ts';
import {
  callOf,
  type CallState,
  endOf,
  mayRetry,
  reviewed,
  type ToolCallInput,
} from './call-state.ts';
import type {CallEnd} from './turn.ts';

const retryPauseMs = 250;

export interface ActionDenied {
  readonly type: 'action.denied';
  readonly denied: Denied;
}

export const toolCallMachine = setup({
  types: {} as {
    context: CallState;
    input: ToolCallInput;
    output: CallEnd;
    events: {type: 'lane.granted'} | ActionReviewed;
  },
  actors: {actionReview: actionReviewMachine, humanGate: humanGateMachine, runTool},
  actions: {
    refuseUnoffered: assign(({context}) => ({
      result: unofferedResult(context.call, context.offered),
    })),
    takeReview: assign(({context}, review: ActionReviewOutput) => reviewed(context.call, review)),
    takeOutcome: assign(({context}, outcome: ToolOutcome & Delivered) => ({
      result: toolResult(callOf(context), outcome),
      ms: context.ms + outcome.ms,
    })),
    takeCrash: assign(({context}, failure: Failure) => ({
      result: toolResult(callOf(context), {kind: 'failed', ...failure}),
    })),
    takeTimeOut: assign(({context}) => ({
      ms: context.timeLeftMs ?? context.ms,
      result: toolResult(callOf(context), timeOutOutcome),
    })),
    takeWord: assign(({context}, decision: HumanDecision) => ({
      result: toolResult(callOf(context), wordOutcome(decision.decision)),
    })),
    countAttempt: assign(({context}) => ({attempts: context.attempts + 1})),
    passRound: sendParent(({event}) => event),
    passDenial: sendParent(({context}): ActionDenied => ({
      type: 'action.denied',
      denied: deniedOf(context.call, context.result),
    })),
    enterLane: enqueueActions(({context, system, enqueue}) => {
      enqueue.sendTo(laneOf(system), {type: 'lane.enter', holder: context.holder});
    }),
    leaveLane: enqueueActions(({context, system, enqueue}) => {
      if (!context.allowed) return;
      enqueue.sendTo(laneOf(system), {type: 'lane.leave', holder: context.holder});
    }),
    reportCall: report(({context}) => ({
      type: 'tool.called',
      tool: context.call.name,
      summary: callSummary(context.call.name, context.call.args, context.tool),
      task: context.task,
    })),
    reportResult: report(
      ({context: {call, result, task}}) =>
        result && {
          type: 'tool.settled',
          tool: call.name,
          status: result.status,
          message: result.text,
          task,
        },
    ),
    reportRetry: report(({context: {call, attempts, result}}) => ({
      type: 'tool.retried',
      tool: call.name,
      attempt: attempts,
      message: result?.text ?? '',
    })),
  },
  guards: {
    isUnoffered: ({context}) => context.tool === undefined || context.call.problem !== undefined,
    isLowRisk: ({context}) => context.tool?.risk === 'low',
    isAllowed: (_, {kind}: ActionReviewOutput) => kind === 'allowed',
    isRejected: (_, {kind}: ActionReviewOutput) => kind === 'rejected',
    isSuccess: (_, {kind}: ToolOutcome) => kind === 'succeeded',
    isRefusal: (_, {kind}: ToolOutcome) => kind === 'refused',
    isInDoubt: (_, {kind}: ToolOutcome) => kind === 'inDoubt',
    mayRetry: ({context}, outcome: ToolOutcome) => mayRetry(context, outcome),
    isRetry: (_, {decision}: HumanDecision) => decision === 'retry',
    isDone: (_, {decision}: HumanDecision) => decision === 'done',
  },
  delays: {
    retryPause: ({context}) => retryPauseMs * context.attempts,
    timeLeft: ({context: {timeLeftMs, ms}}) =>
      timeLeftMs === undefined ? neverMs : Math.max(0, timeLeftMs - ms),
  },
}).createMachine({
  id: 'tool-call',
  context: ({input}) => ({...input, attempts: 1, ms: 0}),
  initial: 'validating',
  states: {
    validating: {
      always: [
        {guard: 'isUnoffered', target: 'refused', actions: 'refuseUnoffered'},
        {guard: 'isLowRisk', target: 'running'},
        {target: 'reviewing'},
      ],
    },
    reviewing: {
      invoke: {
        src: 'actionReview',
        id: 'review',
        input: ({context}) => context,
        onDone: [
          {
            guard: {type: 'isAllowed', params: ({event}) => event.output},
            target: 'queueing',
            actions: {type: 'takeReview', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isRejected', params: ({event}) => event.output},
            target: 'rejected',
            actions: {type: 'takeReview', params: ({event}) => event.output},
          },
          {target: 'refused', actions: {type: 'takeReview', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
        },
      },
      on: {'action.reviewed': {actions: 'passRound'}},
    },
    queueing: {entry: 'enterLane', on: {'lane.granted': 'running'}},
    running: {
      entry: 'reportCall',
      invoke: {
        src: 'runTool',
        id: 'run',
        input: ({context}) => toolRequest(callOf(context), context),
        onDone: [
          {
            guard: {type: 'isSuccess', params: ({event}) => event.output},
            target: 'succeeded',
            actions: {type: 'takeOutcome', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isInDoubt', params: ({event}) => event.output},
            target: 'inDoubt',
            actions: {type: 'takeOutcome', params: ({event}) => event.output},
          },
          {
            guard: {type: 'mayRetry', params: ({event}) => event.output},
            target: 'retrying',
            actions: {type: 'takeOutcome', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isRefusal', params: ({event}) => event.output},
            target: 'refused',
            actions: {type: 'takeOutcome', params: ({event}) => event.output},
          },
          {target: 'failed', actions: {type: 'takeOutcome', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
        },
      },
      after: {timeLeft: {target: 'failed', actions: 'takeTimeOut'}},
    },
    retrying: {
      entry: 'reportRetry',
      after: {retryPause: {target: 'running', actions: 'countAttempt'}},
    },
    inDoubt: {
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({
          hilMode: context.settings.agent.hilMode,
          question: doubtQuestion(callOf(context), context.brief, context.result?.text),
        }),
        onDone: [
          {guard: {type: 'isRetry', params: ({event}) => event.output.decision}, target: 'running'},
          {
            guard: {type: 'isDone', params: ({event}) => event.output.decision},
            target: 'succeeded',
            actions: {type: 'takeWord', params: ({event}) => event.output.decision},
          },
          {
            target: 'failed',
            actions: {type: 'takeWord', params: ({event}) => event.output.decision},
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeCrash', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    succeeded: {type: 'final', entry: ['leaveLane', 'reportResult']},
    failed: {type: 'final', entry: ['leaveLane', 'reportResult']},
    refused: {type: 'final', entry: ['leaveLane', 'reportResult']},
    rejected: {type: 'final', entry: ['reportResult', 'passDenial']},
  },
  output: ({context}) => endOf(context),
});
