/**
 * The agent form: gathers, plans, has the plan voted on, runs it, judges the result.
 *
 * gathering → planning → reviewingPlan → (confirming) → executing → evaluating → (reviewingResult) → completed
 *
 * Rejected plans: revising → reviewingPlan …, then awaitingHuman. Other ends: failed, rejected, cancelled, limited,
 * errored.
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {type Failure, toFailure} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import {humanGateMachine, type HumanGateOutput} from '../../human-gate.ts';
import {asChart} from '../../machine-type.ts';
import {quorumMachine} from '../../panel/quorum.ts';
import {report} from '../../report.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {tellingPhases} from '../phases.ts';
import {
  type AgentInput,
  type AgentState,
  evaluationInput,
  evaluationOf,
  executionInput,
  gatheringInput,
  isAllowed,
  isPlanOnly,
  lastVerdict,
  limitReport,
  mayReplan,
  mayRevise,
  openState,
  planningInput,
  planReport,
  verdictReport,
  withDecision,
  withEvaluation,
  withExecution,
  withGathering,
  withPlanning,
  withRound,
} from './agent-state.ts';
import {evaluationMachine, type EvaluationOutput} from './evaluation.ts';
import {executionMachine, type ExecutionOutput} from './execution.ts';
import {gatheringMachine, type GatheringOutput} from './gathering.ts';
import {ending} from './outcome.ts';
import {planningMachine, type PlanningOutput} from './planning.ts';
import {
  confirmationQuestion,
  planQuestion,
  planReviewInput,
  resultQuestion,
  resultReviewInput,
} from './proposals.ts';

type AgentEvent = FormEvent | ErrorActorEvent;

const machine = setup({
  types: {} as {
    context: AgentState;
    input: AgentInput;
    output: FormOutput;
    events: AgentEvent;
    tags: 'phase' | 'waitsForPerson';
  },
  actors: {
    gathering: gatheringMachine,
    planning: planningMachine,
    quorum: quorumMachine,
    humanGate: humanGateMachine,
    execution: executionMachine,
    evaluation: evaluationMachine,
  },
  actions: {
    takeBackground: assign(({context}, output: GatheringOutput) => withGathering(context, output)),
    takePlan: assign((_, output: PlanningOutput) => withPlanning(output)),
    takeRound: assign(({context}, round: ReviewRound) => withRound(context, round)),
    takeDecision: assign(({context}, output: HumanGateOutput) => withDecision(context, output)),
    takeExecution: assign(({context}, output: ExecutionOutput) => withExecution(context, output)),
    takeEvaluation: assign(({context}, output: EvaluationOutput) =>
      withEvaluation(context, output),
    ),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
    startOver: assign({rounds: []}),
    because: assign((_, reason: string) => ({reason})),
    reportPlan: report(({context}) => planReport(context)),
    reportVerdict: report(({context}) => verdictReport(context)),
    reportLimit: report(({context}) => limitReport(context)),
  },
  guards: {
    hasFailed: ({context}) => context.failure !== undefined,
    isApproved: ({context}) => lastVerdict(context) === 'approved',
    isApprovedPlanOnly: ({context}) => lastVerdict(context) === 'approved' && isPlanOnly(context),
    isToConfirm: ({context}) =>
      lastVerdict(context) === 'approved' && context.settings.agent.confirmExecution,
    mayRevise: ({context}) => mayRevise(context),
    isAccepted: (_, {approved}: ReviewRound) => approved,
    isNoQuorum: (_, {verdict}: ReviewRound) => verdict === 'noQuorum',
    isAllowed: (_, output: HumanGateOutput) => isAllowed(output),
    isRefused: ({context: {word}}) => word !== undefined && !isAllowed(word),
    isPlanOnly: ({context}) => isPlanOnly(context),
    isOutOfIterations: ({context}) => context.limit !== undefined,
    isSuccessToReview: ({context}) =>
      evaluationOf(context)?.successful === true && context.settings.agent.requireFinalReview,
    isSuccess: ({context}) => evaluationOf(context)?.successful === true,
    isHopeless: ({context}) => evaluationOf(context)?.cancelReason !== undefined,
    mayReplan: ({context}) => mayReplan(context),
  },
}).createMachine({
  id: 'agent',
  context: ({input}) => openState(input),
  initial: 'gathering',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': {target: '.cancelled', actions: {type: 'because', params: 'a person cancelled'}},
    'xstate.error.actor.*': {
      target: '.errored',
      actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
    },
  },
  states: {
    gathering: {
      tags: 'phase',
      invoke: {
        src: 'gathering',
        id: 'gathering',
        input: ({context}) => gatheringInput(context),
        onDone: {
          target: 'gathered',
          actions: {type: 'takeBackground', params: ({event}) => event.output},
        },
      },
    },
    gathered: {always: [{guard: 'hasFailed', target: 'errored'}, {target: 'drafting'}]},
    drafting: {
      invoke: {
        src: 'planning',
        id: 'planning',
        input: ({context}) => planningInput(context),
        onDone: {
          target: 'drafted',
          actions: {type: 'takePlan', params: ({event}) => event.output},
        },
      },
      initial: 'planning',
      states: {planning: {tags: 'phase'}, revising: {tags: 'phase'}},
    },
    drafted: {
      always: [
        {guard: 'hasFailed', target: 'failed'},
        {target: 'reviewingPlan', actions: 'reportPlan'},
      ],
    },
    reviewingPlan: {
      tags: 'phase',
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => planReviewInput(context),
        onDone: {
          target: 'weighing',
          actions: {type: 'takeRound', params: ({event}) => event.output},
        },
      },
    },
    weighing: {
      always: [
        {guard: 'isApprovedPlanOnly', target: 'completed'},
        {guard: 'isToConfirm', target: 'confirming'},
        {guard: 'isApproved', target: 'executing'},
        {guard: 'mayRevise', target: 'drafting.revising'},
        {target: 'awaitingHuman'},
      ],
    },
    awaitingHuman: {
      tags: ['phase', 'waitsForPerson'],
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: planQuestion(context)}),
        onDone: {
          target: 'decided',
          actions: {type: 'takeDecision', params: ({event}) => event.output},
        },
      },
    },
    confirming: {
      tags: ['phase', 'waitsForPerson'],
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: confirmationQuestion(context)}),
        onDone: {
          target: 'decided',
          actions: {type: 'takeDecision', params: ({event}) => event.output},
        },
      },
    },
    decided: {
      always: [
        {guard: 'isRefused', target: 'rejected'},
        {guard: 'isPlanOnly', target: 'completed'},
        {target: 'executing'},
      ],
    },
    executing: {
      tags: 'phase',
      invoke: {
        src: 'execution',
        id: 'execution',
        input: ({context}) => executionInput(context),
        onDone: {
          target: 'executed',
          actions: {type: 'takeExecution', params: ({event}) => event.output},
        },
      },
    },
    executed: {
      always: [
        {guard: 'isOutOfIterations', target: 'limited', actions: 'reportLimit'},
        {target: 'evaluating'},
      ],
    },
    evaluating: {
      tags: 'phase',
      invoke: {
        src: 'evaluation',
        id: 'evaluation',
        input: ({context}) => evaluationInput(context),
        onDone: {
          target: 'judged',
          actions: {type: 'takeEvaluation', params: ({event}) => event.output},
        },
      },
    },
    judged: {
      entry: 'reportVerdict',
      always: [
        {guard: 'hasFailed', target: 'failed'},
        {guard: 'isSuccessToReview', target: 'reviewingResult'},
        {guard: 'isSuccess', target: 'completed'},
        {guard: 'isHopeless', target: 'cancelled'},
        {guard: 'mayReplan', target: 'drafting', actions: 'startOver'},
        {target: 'failed'},
      ],
    },
    reviewingResult: {
      tags: 'phase',
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => resultReviewInput(context),
        onDone: [
          {guard: {type: 'isAccepted', params: ({event}) => event.output}, target: 'completed'},
          {
            guard: {type: 'isNoQuorum', params: ({event}) => event.output},
            target: 'confirmingResult',
            actions: {type: 'takeRound', params: ({event}) => event.output},
          },
          {target: 'failed', actions: {type: 'because', params: 'The panel rejected the result.'}},
        ],
      },
    },
    confirmingResult: {
      tags: ['phase', 'waitsForPerson'],
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: resultQuestion(context)}),
        onDone: [
          {guard: {type: 'isAllowed', params: ({event}) => event.output}, target: 'completed'},
          {target: 'failed', actions: {type: 'takeDecision', params: ({event}) => event.output}},
        ],
      },
    },
    completed: {type: 'final', output: ending('completed')},
    failed: {type: 'final', output: ending('failed')},
    rejected: {type: 'final', output: ending('rejected')},
    cancelled: {type: 'final', output: ending('cancelled')},
    limited: {type: 'final', output: ending('limited')},
    errored: {type: 'final', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const agentMachine = asChart<AgentState, AgentEvent, AgentInput, FormOutput>(
  tellingPhases(machine),
);
