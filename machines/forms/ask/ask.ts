/**
 * The ask form: answers a question with read-only tools, and with children that the panel approves.
 *
 * checkingInput → (surveying) → working → checkingClaims → checkingOutput → answered / blocked
 *
 * If the loop ends without an answer, because it gave none, a tool failed or a limit was reached: working →
 * answeringDirectly → checkingClaims → checkingOutput → answered, degraded or limited, in the same order.
 * unserved while the model can't be called. Other ends: cancelled, errored.
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, outputIn, when} from '../../actor-end.ts';
import {type Failure, outageIn} from '../../domain/failure.ts';
import {isOutage, type ModelOutcome} from '../../domain/model.ts';
import type {FormOutput} from '../../domain/result.ts';
import {changeSettings, type GuardrailResult, type SettingsChange} from '../../domain/settings.ts';
import {report} from '../../facts/record.ts';
import {turnLoopMachine} from '../../loop/turn-loop.ts';
import {failureOf, type TurnLoopOutput} from '../../loop/turn.ts';
import {asChart} from '../../machine-type.ts';
import {modelCallMachine} from '../../model-call.ts';
import {awaitResume, checkText, surveyWorkspace} from '../../ports.ts';
import type {Survey} from '../../prompts/sections.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {messagesReadFact, messagesFor} from '../../tree/messages.ts';
import {claimCheckMachine, type ClaimCheckOutput} from '../claim-check.ts';
import {phase, reportPhase} from '../phases.ts';
import {askLoopInput, askSurveyRequest, claimsOf, directRequest} from './ask-requests.ts';
import {type AskInput, type AskState, openAsk, withDirectAnswer, withLoop} from './ask-state.ts';
import {ending, endingShort} from './outcome.ts';

const machine = setup({
  types: {} as {
    context: AskState;
    input: AskInput;
    output: FormOutput;
    events: FormEvent;
    tags: 'choice' | 'phase' | 'failure';
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
    hasFailed: ({context: {failure}}) => failure !== undefined,
    isAnswered: ({context: {answer}}) => answer !== '',
    isToolLost: ({context: {stopped}}) => stopped === 'tool_failure',
    isCutShort: ({context: {stopped}}) => stopped !== undefined && stopped !== 'tool_failure',
    isUnserved: (_, {kind}: ModelOutcome) => isOutage(kind),
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
          when('isBlocked', 'blocked', 'takeBlock'),
          {
            guard: 'isSurveyed',
            target: 'surveying',
            actions: {type: 'reportCheck', params: outputIn},
          },
          otherwise('working', 'reportCheck'),
        ],
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    surveying: {
      invoke: {
        src: 'surveyWorkspace',
        id: 'survey',
        input: ({context}) => askSurveyRequest(context),
        onDone: otherwise('working', 'takeSurvey'),
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    working: {
      ...phase('working'),
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => askLoopInput(context),
        onDone: otherwise('worked', 'takeLoop'),
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    worked: {
      tags: 'choice',
      always: [
        {guard: 'hasFailed', target: 'errored'},
        {guard: 'isAnswered', target: 'checkingClaims'},
        {target: 'answeringDirectly'},
      ],
    },
    answeringDirectly: {
      ...phase('answeringDirectly', 'reportRead'),
      invoke: {
        src: 'modelCall',
        id: 'direct',
        input: ({context, self}) => directRequest(context, messagesFor(self, 0).items),
        onDone: [
          when('isUnserved', 'unserved', 'takeOutage'),
          otherwise('directlyAnswered', 'takeDirectAnswer'),
        ],
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    directlyAnswered: {
      tags: 'choice',
      always: [
        {guard: 'isAnswered', target: 'checkingClaims'},
        {guard: 'isCutShort', target: 'limited'},
        {target: 'errored'},
      ],
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => outageIn(context),
        onDone: 'answeringDirectly',
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    checkingClaims: {
      invoke: {
        src: 'claimCheck',
        id: 'claims',
        input: ({context}) => claimsOf(context),
        onDone: otherwise('checkingOutput', 'takeChecked'),
        onError: onCrash('errored', 'takeFailure'),
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
        onDone: [when('isBlocked', 'blocked', 'takeBlock'), otherwise('checked', 'reportCheck')],
        onError: onCrash('errored', 'takeFailure'),
      },
    },
    checked: {
      tags: 'choice',
      always: [
        {guard: 'isToolLost', target: 'degraded'},
        {guard: 'isCutShort', target: 'limited'},
        {target: 'answered'},
      ],
    },
    answered: {type: 'final', output: ending('completed', 'completed')},
    degraded: {type: 'final', output: ending('completed', 'tool_failure_degraded')},
    blocked: {type: 'final', tags: 'failure', output: ending('rejected', 'blocked')},
    limited: {type: 'final', output: endingShort},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
    errored: {type: 'final', tags: 'failure', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const askMachine = asChart<AskState, FormEvent, AskInput, FormOutput>(machine);
