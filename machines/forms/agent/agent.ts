/**
 * The agent form: gathers, plans, has the plan voted on, runs it, judges the result.
 *
 * gathering → planning → reviewingPlan → (confirming) → executing → evaluating → (reviewingResult) → completed
 *
 * Rejected plans: revising → reviewingPlan …, then awaitingHuman. Other ends: failed, rejected, cancelled, limited,
 * errored.
 */

import {assign, setup} from 'xstate';

import type {FinalStatus, FormOutput} from '../../domain/result.ts';
import {humanGateMachine} from '../../human-gate.ts';
import type {Chart} from '../../machine-type.ts';
import {quorumMachine} from '../../panel/quorum.ts';
import {report} from '../../report.ts';
import {agentGuards} from './agent-guards.ts';
import {
  type AgentEvent,
  errorOf,
  evaluationInput,
  executionInput,
  gateInput,
  heard,
  outputOf,
  planningInput,
  planReport,
  planReviewInput,
  replanned,
  resultReviewInput,
  withDecision,
  withEvaluation,
  withExecution,
  withPlanning,
  withRound,
} from './agent-inputs.ts';
import {type AgentInput, agentOutput, type AgentState, openState} from './agent-state.ts';
import {evaluationMachine} from './evaluation.ts';
import {executionMachine} from './execution.ts';
import {gatheringMachine} from './gathering.ts';
import {planningMachine} from './planning.ts';

export type AgentContext = AgentState & {readonly status: FinalStatus};

const machine = setup({
  types: {} as {
    context: AgentContext;
    input: AgentInput;
    output: FormOutput;
    events: AgentEvent;
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
    takeContext: assign(({event}) => outputOf(event, 'gathering')),
    takePlan: assign(({context, event}) => withPlanning(context, outputOf(event, 'planning'))),
    takeRound: assign(({context, event}) => withRound(context, outputOf(event, 'quorum'))),
    takeDecision: assign(({context, event}) => withDecision(context, outputOf(event, 'gate'))),
    takeExecution: assign(({context, event}) =>
      withExecution(context, outputOf(event, 'execution')),
    ),
    takeEvaluation: assign(({event}) => withEvaluation(outputOf(event, 'evaluation'))),
    takeError: assign(({event}) => ({failure: errorOf(event)})),
    hear: assign(({context, event}) => heard(context, event)),
    takeLimit: assign(({event}) => (event.type === 'limit.reached' ? {limit: event.limit} : {})),
    takeIterationLimit: assign({limit: 'max_iterations'}),
    startOver: assign(({context}) => replanned(context)),
    because: assign((_, reason: string) => ({reason})),
    end: assign((_, status: FinalStatus) => ({status})),
    reportPhase: report((_, phase: string) => ({type: 'phase.changed', phase})),
    reportPlan: report(({context}) => planReport(context)),
  },
  guards: agentGuards,
}).createMachine({
  id: 'agent',
  context: ({input}) => ({...openState(input), status: 'failed'}),
  initial: 'gathering',
  on: {
    'user.cancel': {target: '.cancelled', actions: {type: 'because', params: 'a person cancelled'}},
    'limit.reached': {target: '.limited', actions: 'takeLimit'},
    'task.*': {actions: 'hear'},
    'action.*': {actions: 'hear'},
    'xstate.error.actor.*': {target: '.errored', actions: 'takeError'},
  },
  states: {
    gathering: {
      entry: {type: 'reportPhase', params: 'gathering'},
      invoke: {
        src: 'gathering',
        id: 'gathering',
        input: ({context}) => context,
        onDone: [
          {guard: 'isDown', target: 'errored', actions: 'takeContext'},
          {target: 'planning', actions: 'takeContext'},
        ],
      },
    },
    planning: {
      entry: {type: 'reportPhase', params: 'planning'},
      invoke: {
        src: 'planning',
        id: 'planning',
        input: ({context}) => planningInput(context),
        onDone: [
          {guard: 'isPlanned', target: 'reviewingPlan', actions: ['takePlan', 'reportPlan']},
          {guard: 'isProviderDown', target: 'errored', actions: 'takePlan'},
          {target: 'failed', actions: 'takePlan'},
        ],
      },
    },
    reviewingPlan: {
      entry: {type: 'reportPhase', params: 'reviewingPlan'},
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => planReviewInput(context),
        onDone: [
          {guard: 'isApprovedPlanOnly', target: 'completed', actions: 'takeRound'},
          {guard: 'isToConfirm', target: 'confirming', actions: 'takeRound'},
          {guard: 'isApproved', target: 'executing', actions: 'takeRound'},
          {guard: 'mayRevise', target: 'revising', actions: 'takeRound'},
          {target: 'awaitingHuman', actions: 'takeRound'},
        ],
      },
    },
    revising: {
      entry: {type: 'reportPhase', params: 'revising'},
      invoke: {
        src: 'planning',
        id: 'planning',
        input: ({context}) => planningInput(context),
        onDone: [
          {guard: 'isPlanned', target: 'reviewingPlan', actions: ['takePlan', 'reportPlan']},
          {guard: 'isProviderDown', target: 'errored', actions: 'takePlan'},
          {target: 'failed', actions: 'takePlan'},
        ],
      },
    },
    awaitingHuman: {
      entry: {type: 'reportPhase', params: 'awaitingHuman'},
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => gateInput(context, 'plan'),
        onDone: [
          {guard: 'isAllowedPlanOnly', target: 'completed', actions: 'takeDecision'},
          {guard: 'isAllowed', target: 'executing', actions: 'takeDecision'},
          {target: 'rejected', actions: 'takeDecision'},
        ],
      },
    },
    confirming: {
      entry: {type: 'reportPhase', params: 'confirming'},
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => gateInput(context, 'confirmation'),
        onDone: [
          {guard: 'isAllowed', target: 'executing', actions: 'takeDecision'},
          {target: 'rejected', actions: 'takeDecision'},
        ],
      },
    },
    executing: {
      entry: {type: 'reportPhase', params: 'executing'},
      invoke: {
        src: 'execution',
        id: 'execution',
        input: ({context}) => executionInput(context),
        onDone: [
          {guard: 'isProviderLost', target: 'errored', actions: 'takeExecution'},
          {
            guard: 'isOutOfIterations',
            target: 'limited',
            actions: ['takeExecution', 'takeIterationLimit'],
          },
          {target: 'evaluating', actions: 'takeExecution'},
        ],
      },
    },
    evaluating: {
      entry: {type: 'reportPhase', params: 'evaluating'},
      invoke: {
        src: 'evaluation',
        id: 'evaluation',
        input: ({context}) => evaluationInput(context),
        onDone: [
          {guard: 'isJudgeDown', target: 'errored', actions: 'takeEvaluation'},
          {guard: 'isUnjudged', target: 'failed', actions: 'takeEvaluation'},
          {guard: 'isSuccessToReview', target: 'reviewingResult', actions: 'takeEvaluation'},
          {guard: 'isSuccess', target: 'completed', actions: 'takeEvaluation'},
          {guard: 'isHopeless', target: 'cancelled', actions: 'takeEvaluation'},
          {guard: 'mayReplan', target: 'planning', actions: ['takeEvaluation', 'startOver']},
          {target: 'failed', actions: 'takeEvaluation'},
        ],
      },
    },
    reviewingResult: {
      entry: {type: 'reportPhase', params: 'reviewingResult'},
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => resultReviewInput(context),
        onDone: [
          {guard: 'isApproved', target: 'completed', actions: 'takeRound'},
          {guard: 'isNoQuorum', target: 'confirmingResult', actions: 'takeRound'},
          {
            target: 'failed',
            actions: ['takeRound', {type: 'because', params: 'The panel rejected the result.'}],
          },
        ],
      },
    },
    confirmingResult: {
      entry: {type: 'reportPhase', params: 'confirmingResult'},
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => gateInput(context, 'result'),
        onDone: [
          {guard: 'isAllowed', target: 'completed'},
          {target: 'failed', actions: 'takeDecision'},
        ],
      },
    },
    completed: {type: 'final', entry: {type: 'end', params: 'completed'}},
    failed: {type: 'final', entry: {type: 'end', params: 'failed'}},
    rejected: {type: 'final', entry: {type: 'end', params: 'rejected'}},
    cancelled: {type: 'final', entry: {type: 'end', params: 'cancelled'}},
    limited: {type: 'final', entry: {type: 'end', params: 'limited'}},
    errored: {type: 'final', entry: {type: 'end', params: 'error'}},
  },
  output: ({context}) => agentOutput(context, context.status),
});

/** Its full type, with those of all charts within, is longer than a declaration may be. */
export const agentMachine = machine as unknown as Chart<
  AgentContext,
  AgentEvent,
  AgentInput,
  FormOutput
>;
