/**
 * The ask form: a question, answered with read-only tools.
 *
 * checkingInput → working → checkingOutput → answered / blocked / degraded / limited; answeringDirectly when the loop
 * ends without an answer. Other ends: cancelled, errored.
 */

import {assign, setup} from 'xstate';

import {type Failure, toFailure} from '../../domain/failure.ts';
import type {GuardrailResult} from '../../domain/guardrail.ts';
import type {ModelOutcome} from '../../domain/model.ts';
import type {FinalStatus, FormOutput} from '../../domain/result.ts';
import {turnLoopMachine} from '../../loop/turn-loop.ts';
import type {TurnClosed, TurnLoopOutput} from '../../loop/turn-state.ts';
import {modelCallMachine} from '../../model-call.ts';
import {checkText} from '../../ports.ts';
import {report} from '../../report.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {askLoopInput, directRequest} from './ask-inputs.ts';
import {
  type AskInput,
  askOutput,
  type AskState,
  directAnswer,
  openAsk,
  withDirectAnswer,
  withLoop,
  withSteps,
} from './ask-state.ts';

export type AskContext = AskState & {readonly status: FinalStatus};

export const askMachine = setup({
  types: {} as {
    context: AskContext;
    input: AskInput;
    output: FormOutput;
    events: FormEvent | TurnClosed;
  },
  actors: {checkText, modelCall: modelCallMachine, turnLoop: turnLoopMachine},
  actions: {
    takeSteps: assign(({context, event}) =>
      event.type === 'turn.closed' ? withSteps(context, event.steps) : {},
    ),
    takeLoop: assign((_, loop: TurnLoopOutput) => withLoop(loop)),
    takeDirectAnswer: assign(({context}, outcome: ModelOutcome) =>
      withDirectAnswer(context, outcome),
    ),
    takeBlock: assign((_, {action, reason, details}: GuardrailResult) => ({
      blockedBy: {action, reason, details},
      stopped: 'blocked' as const,
    })),
    takeLimit: assign(({event}) =>
      event.type === 'limit.reached'
        ? {limit: event.limit, stopped: 'limit_reached' as const, answer: ''}
        : {},
    ),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    end: assign((_, status: FinalStatus) => ({status})),
    reportPhase: report((_, phase: string) => ({type: 'phase.changed', phase})),
    reportCheck: report((_, {action, reason}: GuardrailResult) =>
      action === 'allow' ? undefined : {type: 'warning', message: `guardrail: ${reason}`},
    ),
  },
  guards: {
    isBlocked: (_, {action}: GuardrailResult) => action === 'block',
    isAnswered: (_, {kind, answer}: TurnLoopOutput) => kind === 'answered' && answer.trim() !== '',
    isFailed: (_, {kind}: TurnLoopOutput) => kind === 'failed',
    isDirectAnswer: (_, outcome: ModelOutcome) => directAnswer(outcome) !== '',
    isComplete: ({context}) => context.stopped === 'completed',
    isDegraded: ({context}) => context.stopped === 'tool_failure_degraded',
    isCutShort: ({context}) =>
      context.stopped !== 'completed' && context.stopped !== 'tool_failure_degraded',
  },
}).createMachine({
  id: 'ask',
  context: ({input}) => ({...openAsk(input), status: 'failed'}),
  initial: 'checkingInput',
  on: {
    'user.cancel': '.cancelled',
    'limit.reached': {target: '.limited', actions: 'takeLimit'},
    'turn.closed': {actions: 'takeSteps'},
  },
  states: {
    checkingInput: {
      entry: {type: 'reportPhase', params: 'checkingInput'},
      invoke: {
        src: 'checkText',
        id: 'input',
        input: ({context}) => ({
          stage: 'input',
          text: context.request,
          rules: context.settings.guardrails,
        }),
        onDone: [
          {
            guard: {type: 'isBlocked', params: ({event}) => event.output},
            target: 'blocked',
            actions: {type: 'takeBlock', params: ({event}) => event.output},
          },
          {target: 'working', actions: {type: 'reportCheck', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'errored',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    working: {
      entry: {type: 'reportPhase', params: 'working'},
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => askLoopInput(context),
        onDone: [
          {
            guard: {type: 'isAnswered', params: ({event}) => event.output},
            target: 'checkingOutput',
            actions: {type: 'takeLoop', params: ({event}) => event.output},
          },
          {
            guard: {type: 'isFailed', params: ({event}) => event.output},
            target: 'errored',
            actions: {type: 'takeLoop', params: ({event}) => event.output},
          },
          {
            target: 'answeringDirectly',
            actions: {type: 'takeLoop', params: ({event}) => event.output},
          },
        ],
        onError: {
          target: 'errored',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    answeringDirectly: {
      entry: {type: 'reportPhase', params: 'answeringDirectly'},
      invoke: {
        src: 'modelCall',
        id: 'direct',
        input: ({context}) => directRequest(context),
        onDone: [
          {
            guard: {type: 'isDirectAnswer', params: ({event}) => event.output},
            target: 'checkingOutput',
            actions: {type: 'takeDirectAnswer', params: ({event}) => event.output},
          },
          {
            guard: 'isCutShort',
            target: 'limited',
            actions: {type: 'takeDirectAnswer', params: ({event}) => event.output},
          },
          {
            target: 'errored',
            actions: {type: 'takeDirectAnswer', params: ({event}) => event.output},
          },
        ],
        onError: {
          target: 'errored',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    checkingOutput: {
      entry: {type: 'reportPhase', params: 'checkingOutput'},
      invoke: {
        src: 'checkText',
        id: 'output',
        input: ({context}) => ({
          stage: 'output',
          text: context.answer,
          rules: context.settings.guardrails,
        }),
        onDone: [
          {
            guard: {type: 'isBlocked', params: ({event}) => event.output},
            target: 'blocked',
            actions: {type: 'takeBlock', params: ({event}) => event.output},
          },
          {
            guard: 'isComplete',
            target: 'answered',
            actions: {type: 'reportCheck', params: ({event}) => event.output},
          },
          {
            guard: 'isDegraded',
            target: 'degraded',
            actions: {type: 'reportCheck', params: ({event}) => event.output},
          },
          {target: 'limited', actions: {type: 'reportCheck', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'errored',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    answered: {type: 'final', entry: {type: 'end', params: 'completed'}},
    degraded: {type: 'final', entry: {type: 'end', params: 'completed'}},
    blocked: {type: 'final', entry: {type: 'end', params: 'rejected'}},
    limited: {type: 'final', entry: {type: 'end', params: 'limited'}},
    cancelled: {type: 'final', entry: {type: 'end', params: 'cancelled'}},
    errored: {type: 'final', entry: {type: 'end', params: 'error'}},
  },
  output: ({context}) => askOutput(context, context.status),
});
