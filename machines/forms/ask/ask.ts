/**
 * The ask form: answers a question with read-only tools, and with children that the panel approves.
 *
 * checkingInput → (surveying) → working → checkingClaims → checkingOutput → answered / blocked
 *
 * If the loop ends without an answer, because it gave none, a tool failed or a limit was reached: working →
 * answeringDirectly → checkingClaims → checkingOutput → answered, degraded or limited, in the same order.
 * unserved while the model can't be called. Other ends: cancelled, errored.
 */

import {assign, type DoneActorEvent, setup} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {GuardrailResult} from '../../domain/guardrail.ts';
import {isOutage, type ModelOutcome} from '../../domain/model.ts';
import {outageIn} from '../../domain/outage.ts';
import type {FormOutput} from '../../domain/result.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import {report} from '../../facts/report.ts';
import type {TurnLoopOutput} from '../../loop/loop-input.ts';
import {turnLoopMachine} from '../../loop/turn-loop.ts';
import {failureOf} from '../../loop/turn.ts';
import {asChart} from '../../machine-type.ts';
import {modelCallMachine} from '../../model-call.ts';
import {awaitResume, checkText, surveyWorkspace} from '../../ports.ts';
import type {Survey} from '../../prompts/survey-text.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {messagesReadFact, messagesFor} from '../../tree/messages.ts';
import {claimCheckMachine, type ClaimCheckOutput} from '../claim-check.ts';
import {phase, reportPhase} from '../phases.ts';
import {askLoopInput, askSurveyRequest, claimsOf, directRequest} from './ask-requests.ts';
import {
  type AskInput,
  type AskState,
  directAnswer,
  openAsk,
  withDirectAnswer,
  withLoop,
} from './ask-state.ts';
import {ending, endingShort} from './outcome.ts';

type AskEvent =
  | FormEvent
  | DoneActorEvent<ClaimCheckOutput, 'claims'>
  | DoneActorEvent<GuardrailResult, 'output'>
  | DoneActorEvent<ModelOutcome, 'direct'>;

const machine = setup({
  types: {} as {
    context: AskState;
    input: AskInput;
    output: FormOutput;
    events: AskEvent;
    tags: 'phase';
  },
  actors: {
    awaitResume,
    checkText,
    surveyWorkspace,
    claimCheck: claimCheckMachine,
    modelCall: modelCallMachine,
    turnLoop: turnLoopMachine,
  },
  actions: {
    reportPhase,
    takeLoop: assign((_, loop: TurnLoopOutput) => withLoop(loop)),
    takeDirectAnswer: assign(({context}, outcome: ModelOutcome) =>
      withDirectAnswer(context, outcome),
    ),
    takeChecked: assign((_, {answer, isCut}: ClaimCheckOutput) => ({answer, isCut})),
    takeBlock: assign((_, {action, reason, details}: GuardrailResult) => ({
      blockedBy: {action, reason, details},
    })),
    takeSurvey: assign((_, survey: Survey) => ({survey})),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
    takeOutage: assign(({context}, outcome: ModelOutcome) => ({
      outage: {model: context.settings.ask.model, ...failureOf(outcome)},
    })),
    reportRead: report(({self}) => messagesReadFact(messagesFor(self, 0).items)),
    reportCheck: report((_, {action, reason}: GuardrailResult) =>
      action === 'allow' ? undefined : {type: 'warning', message: `guardrail: ${reason}`},
    ),
  },
  guards: {
    isSurveyed: ({context}) => context.settings.agent.gathering !== undefined,
    isBlocked: (_, {action}: GuardrailResult) => action === 'block',
    isAnswered: (_, {kind, answer}: TurnLoopOutput) => kind === 'answered' && answer.trim() !== '',
    isFailed: (_, {kind}: TurnLoopOutput) => kind === 'failed',
    isToolLost: (_, {stopped}: TurnLoopOutput) => stopped === 'tool_failure',
    isCutShort: (_, {stopped}: TurnLoopOutput) => stopped !== undefined,
    isDirectAnswer: (_, outcome: ModelOutcome) => directAnswer(outcome) !== '',
    isUnserved: (_, {kind}: ModelOutcome) => isOutage(kind),
    isServed: (_, {kind}: ModelOutcome) => !isOutage(kind),
    isPassed: (_, {action}: GuardrailResult) => action !== 'block',
  },
}).createMachine({
  id: 'ask',
  context: ({input}) => openAsk(input),
  initial: 'checkingInput',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': '.cancelled',
  },
  states: {
    checkingInput: {
      ...phase('checkingInput'),
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
            guard: {type: 'isBlocked', params: outputIn},
            target: 'blocked',
            actions: {type: 'takeBlock', params: outputIn},
          },
          {
            guard: 'isSurveyed',
            target: 'surveying',
            actions: {type: 'reportCheck', params: outputIn},
          },
          {target: 'working', actions: {type: 'reportCheck', params: outputIn}},
        ],
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    surveying: {
      invoke: {
        src: 'surveyWorkspace',
        id: 'survey',
        input: ({context}) => askSurveyRequest(context),
        onDone: {target: 'working', actions: {type: 'takeSurvey', params: outputIn}},
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    working: {
      ...phase('working'),
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => askLoopInput(context),
        onDone: [
          {
            guard: {type: 'isAnswered', params: outputIn},
            target: 'checkingClaims.whole',
            actions: {type: 'takeLoop', params: outputIn},
          },
          {
            guard: {type: 'isFailed', params: outputIn},
            target: 'errored',
            actions: {type: 'takeLoop', params: outputIn},
          },
          {
            guard: {type: 'isToolLost', params: outputIn},
            target: 'answeringDirectly.withoutTool',
            actions: {type: 'takeLoop', params: outputIn},
          },
          {
            guard: {type: 'isCutShort', params: outputIn},
            target: 'answeringDirectly.cutShort',
            actions: {type: 'takeLoop', params: outputIn},
          },
          {target: 'answeringDirectly.afterSilence', actions: {type: 'takeLoop', params: outputIn}},
        ],
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    answeringDirectly: {
      ...phase('answeringDirectly', 'reportRead'),
      invoke: {
        src: 'modelCall',
        id: 'direct',
        input: ({context, self}) => directRequest(context, messagesFor(self, 0).items),
        onDone: [
          {
            guard: {type: 'isUnserved', params: outputIn},
            target: 'unserved',
            actions: {type: 'takeOutage', params: outputIn},
          },
          {target: 'errored', actions: {type: 'takeDirectAnswer', params: outputIn}},
        ],
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
      initial: 'afterSilence',
      states: {
        afterSilence: {
          on: {
            'xstate.done.actor.direct': {
              guard: {type: 'isDirectAnswer', params: outputIn},
              target: '#ask.checkingClaims.whole',
              actions: {type: 'takeDirectAnswer', params: outputIn},
            },
          },
        },
        withoutTool: {
          on: {
            'xstate.done.actor.direct': {
              guard: {type: 'isDirectAnswer', params: outputIn},
              target: '#ask.checkingClaims.withoutTool',
              actions: {type: 'takeDirectAnswer', params: outputIn},
            },
          },
        },
        cutShort: {
          on: {
            'xstate.done.actor.direct': [
              {
                guard: {type: 'isDirectAnswer', params: outputIn},
                target: '#ask.checkingClaims.cutShort',
                actions: {type: 'takeDirectAnswer', params: outputIn},
              },
              {
                guard: {type: 'isServed', params: outputIn},
                target: '#ask.limited',
                actions: {type: 'takeDirectAnswer', params: outputIn},
              },
            ],
          },
        },
        before: {type: 'history'},
      },
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => outageIn(context),
        onDone: 'answeringDirectly.before',
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
    },
    checkingClaims: {
      invoke: {
        src: 'claimCheck',
        id: 'claims',
        input: ({context}) => claimsOf(context),
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
      initial: 'whole',
      states: {
        whole: {on: {'xstate.done.actor.claims': checkedThen('#ask.checkingOutput.whole')}},
        withoutTool: {
          on: {'xstate.done.actor.claims': checkedThen('#ask.checkingOutput.withoutTool')},
        },
        cutShort: {on: {'xstate.done.actor.claims': checkedThen('#ask.checkingOutput.cutShort')}},
      },
    },
    checkingOutput: {
      ...phase('checkingOutput'),
      invoke: {
        src: 'checkText',
        id: 'output',
        input: ({context}) => ({
          stage: 'output',
          text: context.answer,
          rules: context.settings.guardrails,
        }),
        onDone: {target: 'blocked', actions: {type: 'takeBlock', params: outputIn}},
        onError: {target: 'errored', actions: {type: 'takeFailure', params: crashIn}},
      },
      initial: 'whole',
      states: {
        whole: {on: {'xstate.done.actor.output': passedThen('#ask.answered')}},
        withoutTool: {on: {'xstate.done.actor.output': passedThen('#ask.degraded')}},
        cutShort: {on: {'xstate.done.actor.output': passedThen('#ask.limited')}},
      },
    },
    answered: {type: 'final', output: ending('completed', 'completed')},
    degraded: {type: 'final', output: ending('completed', 'tool_failure_degraded')},
    blocked: {type: 'final', output: ending('rejected', 'blocked')},
    limited: {type: 'final', output: endingShort},
    cancelled: {type: 'final', output: ending('cancelled')},
    errored: {type: 'final', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const askMachine = asChart<AskState, FormEvent, AskInput, FormOutput>(machine);

/** A transition that takes the answer after the check of its claims. */
function checkedThen<Target extends string>(target: Target) {
  return {target, actions: {type: 'takeChecked', params: outputIn}} as const;
}

/** A transition for an answer that passes the guardrails. */
function passedThen<Target extends string>(target: Target) {
  const params = outputIn<GuardrailResult>;
  const actions = {type: 'reportCheck', params} as const;
  return {guard: {type: 'isPassed', params}, target, actions} as const;
}
