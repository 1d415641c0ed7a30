/**
 * The agent form: it gathers context, plans, has the plan voted on, runs it, and judges the result.
 *
 * gathering → planning → reviewingPlan → (confirming) → executing → evaluating → closing → (reviewingResult) → completed
 *
 * Rejected plans: revising → reviewingPlan …, then awaitingHuman, which may lead to revising. A rejected result: drafting. A task left stopped: limited.
 */

import {assign, type ErrorActorEvent, sendTo, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FormOutput} from '../../domain/result.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {report} from '../../facts/record.ts';
import {humanGateMachine, type HumanGateOutput} from '../../human-gate.ts';
import {asChart} from '../../machine-type.ts';
import {quorumMachine} from '../../panel/quorum.ts';
import {checkCalls} from '../../ports.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {messagesFor, messagesReadFact} from '../../tree/messages.ts';
import {type AdviceGiven, adviceWatch, isAdvicePending} from '../../tree/rules.ts';
import {gatePhase, phase, reportPhase} from '../phases.ts';
import {
  type AgentInput,
  type AgentState,
  isPlanOnly,
  openState,
  withSettings,
} from './agent-state.ts';
import {closingMachine, type ClosingOutput} from './closing.ts';
import {draftBegun, draftingInput, planningLogic, planReport, withPlanning} from './drafting.ts';
import {
  evaluationInput,
  evaluationMachine,
  evaluationOf,
  isStopped,
  mayReplan,
  verdictReport,
  withEvaluation,
  withRejection,
} from './evaluation/evaluation.ts';
import {
  executionInput,
  executionMachine,
  limitChange,
  withExecution,
} from './execution/execution.ts';
import {gatheringMachine, withGathering} from './gathering.ts';
import {byPerson, ending, inVain} from './outcome.ts';
import {
  editedCalls,
  editFaults,
  isAllowed,
  isAllowedInVain,
  planQuestion,
  planReviewInput,
  refusalOf,
  resultQuestion,
  resultReviewInput,
  withCheck,
  withDecision,
} from './proposals.ts';

type AgentEvent = FormEvent | ErrorActorEvent | AdviceGiven;

interface GuardArgs {
  readonly context: AgentState;
}

type AgentGuard = (args: GuardArgs, output: HumanGateOutput) => boolean;

const isApproved = ({context}: GuardArgs): boolean => lastVerdict(context) === 'approved';
const isSuccess = ({context}: GuardArgs): boolean => evaluationOf(context)?.successful === true;

const agentGuards = {
  hasFailed: ({context}) => context.failure !== undefined,
  isFaulty: ({context}) => editFaults(context).length > 0,
  isRepeated: ({context}) => context.draft.isRepeated,
  isApproved,
  isApprovedPlanOnly: (args) => isApproved(args) && isPlanOnly(args.context),
  isToConfirm: (args) => isApproved(args) && args.context.work.settings.agent.confirmExecution,
  isNoQuorum: ({context}) => lastVerdict(context) === 'noQuorum',
  mayRevise: ({context}) => mayRevise(context),
  isAllowedInVain: ({context}) => isAllowedInVain(context),
  isRefused: ({context: {gate}}) => gate.word !== undefined && !isAllowed(gate.word),
  isRevision: ({context: {gate}}) => gate.word?.decision.decision === 'revise',
  isEdit: ({context: {gate}}) => gate.word?.decision.decision === 'edit',
  isPlanOnly: ({context}) => isPlanOnly(context),
  isSuccess,
  isToReview: ({context}) => context.work.settings.agent.requireFinalReview,
  isStopped: ({context}) => isStopped(context),
  isHopeless: ({context}) => evaluationOf(context)?.cancelReason !== undefined,
  isAdvicePending: ({context}) => context.isAdvicePending,
  mayReplanWithAdvice: ({context}) => context.isAdvicePending && mayReplan(context),
  mayReplan: ({context}) => mayReplan(context),
  isAllowed: (_, output) => isAllowed(output),
  isAnotherWanted: (_, {decision}) => decision.decision === 'revise',
} satisfies Readonly<Record<string, AgentGuard>>;

const machine = setup({
  types: {} as {
    context: AgentState;
    input: AgentInput;
    output: FormOutput;
    events: AgentEvent;
    tags: 'choice' | 'phase' | 'waitsForPerson' | 'failure';
  },
  actors: {
    checkCalls,
    adviceWatch,
    gathering: gatheringMachine,
    planning: planningLogic,
    quorum: quorumMachine,
    humanGate: humanGateMachine,
    execution: executionMachine,
    evaluation: evaluationMachine,
    closing: closingMachine,
  },
  actions: {
    reportPhase,
    takeBackground: taking(withGathering),
    takePlan: taking(withPlanning),
    takeRound: taking(({rounds}, round: ReviewRound) => ({rounds: [...rounds, round]})),
    takeDecision: taking(withDecision),
    takeCheck: taking(withCheck),
    takeExecution: taking(withExecution),
    takeEvaluation: taking(withEvaluation),
    takeClosing: taking((_, {answer}: ClosingOutput) => ({answer})),
    takeRejection: assign(({context}) => withRejection(context)),
    takeFailure: taking((_, failure: Failure) => ({failure})),
    takeSettings: taking(withSettings),
    because: taking((_, reason: string) => ({reason})),
    takeMessages: assign(({self}) => ({pendingMessages: messagesFor(self, 0).items})),
    seekAdvice: assign(({self}) => ({isAdvicePending: isAdvicePending(self)})),
    reportRead: report(({context}) => messagesReadFact(context.pendingMessages)),
    beginDraft: assign(({context}) => draftBegun(context)),
    passLimit: sendTo('execution', ({context}) => limitChange(context)),
    startOver: assign({rounds: [], revisedAt: 0, answer: '', reason: ''}),
    giveUp: assign({reason: inVain}),
    reportRefusal: report(({context}) => refusalOf(context)),
    reportPlan: report(({context}) => planReport(context)),
    reportVerdict: report(({context}) => verdictReport(context)),
  },
  guards: agentGuards,
}).createMachine({
  id: 'agent',
  context: ({input}) => openState(input),
  initial: 'gathering',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': {target: '.cancelled', actions: {type: 'because', params: byPerson}},
    'xstate.error.actor.*': onCrash('.errored', 'takeFailure'),
  },
  states: {
    gathering: {
      ...phase('gathering'),
      invoke: {
        src: 'gathering',
        id: 'gathering',
        input: ({context}) => context.work,
        onDone: otherwise('gathered', 'takeBackground'),
      },
    },
    gathered: {
      tags: 'choice',
      always: [{guard: 'hasFailed', target: 'errored'}, {target: 'drafting'}],
    },
    drafting: {
      entry: ['takeMessages', 'reportRead', 'beginDraft'],
      invoke: {
        src: 'planning',
        id: 'planning',
        input: ({context}) => draftingInput(context),
        onDone: otherwise('drafted', 'takePlan'),
      },
      initial: 'planning',
      states: {planning: phase('planning'), revising: phase('revising')},
    },
    drafted: {
      tags: 'choice',
      always: [
        {guard: 'hasFailed', target: 'unfinished'},
        {guard: 'isRepeated', target: 'weighed', actions: 'reportPlan'},
        {target: 'reviewingPlan', actions: 'reportPlan'},
      ],
    },
    reviewingPlan: {
      ...phase('reviewingPlan', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => planReviewInput(context),
        onDone: otherwise('weighed', 'takeRound'),
      },
    },
    weighed: {
      tags: 'choice',
      entry: 'seekAdvice',
      always: [
        {guard: 'isApprovedPlanOnly', target: 'completed'},
        {guard: 'isToConfirm', target: 'deciding.confirming'},
        {guard: 'isApproved', target: 'executing'},
        {guard: 'isAdvicePending', target: 'awaitingAdvice.onRevision'},
        {guard: 'mayRevise', target: 'drafting.revising'},
        {guard: 'isAllowedInVain', target: 'unfinished', actions: 'giveUp'},
        {target: 'deciding'},
      ],
    },
    awaitingAdvice: {
      ...phase('awaitingAdvice'),
      invoke: {src: 'adviceWatch', id: 'adviceWatch'},
      initial: 'onRevision',
      states: {
        onRevision: {on: {'advice.given': '#agent.weighed'}},
        onReplan: {on: {'advice.given': {target: '#agent.drafting', actions: 'startOver'}}},
      },
    },
    deciding: {
      tags: 'waitsForPerson',
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: planQuestion(context)}),
        onDone: otherwise('decided', 'takeDecision'),
      },
      initial: 'awaitingHuman',
      states: {awaitingHuman: phase('awaitingHuman'), confirming: phase('confirming')},
    },
    decided: {
      tags: 'choice',
      always: [
        {guard: 'isRevision', target: 'drafting.revising'},
        {guard: 'isRefused', target: 'rejected'},
        {guard: 'isEdit', target: 'checking'},
        {guard: 'isPlanOnly', target: 'completed'},
        {target: 'executing'},
      ],
    },
    checking: {
      invoke: {
        src: 'checkCalls',
        id: 'check',
        input: ({context}) => ({calls: editedCalls(context), workspace: context.work.workspace}),
        onDone: otherwise('checked', 'takeCheck'),
      },
    },
    checked: {
      tags: 'choice',
      always: [
        {guard: 'isFaulty', target: 'weighed', actions: 'reportRefusal'},
        {guard: 'isPlanOnly', target: 'completed', actions: 'reportPlan'},
        {target: 'executing', actions: 'reportPlan'},
      ],
    },
    executing: {
      ...phase('executing'),
      invoke: {
        src: 'execution',
        id: 'execution',
        input: ({context}) => executionInput(context),
        onDone: otherwise('evaluating', 'takeExecution'),
      },
      on: {
        'settings.changed': {
          actions: [{type: 'takeSettings', params: ({event}) => event.settings ?? {}}, 'passLimit'],
        },
      },
    },
    evaluating: {
      ...phase('evaluating', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'evaluation',
        id: 'evaluation',
        input: ({context}) => evaluationInput(context),
        onDone: otherwise('judged', 'takeEvaluation'),
      },
    },
    judged: {
      tags: 'choice',
      entry: ['reportVerdict', 'seekAdvice'],
      always: [
        {guard: 'hasFailed', target: 'unfinished'},
        {guard: 'isSuccess', target: 'closing'},
        {guard: 'isHopeless', target: 'cancelled'},
        {guard: 'mayReplanWithAdvice', target: 'awaitingAdvice.onReplan'},
        {guard: 'mayReplan', target: 'drafting', actions: 'startOver'},
        {target: 'unfinished'},
      ],
    },
    unfinished: {
      tags: 'choice',
      always: [{guard: 'isStopped', target: 'limited'}, {target: 'failed'}],
    },
    closing: {
      ...phase('closing'),
      invoke: {
        src: 'closing',
        id: 'closing',
        input: ({context}) => evaluationInput(context),
        onDone: otherwise('closed', 'takeClosing'),
      },
    },
    closed: {
      tags: 'choice',
      always: [{guard: 'isToReview', target: 'reviewingResult'}, {target: 'completed'}],
    },
    reviewingResult: {
      ...phase('reviewingResult', 'takeMessages', 'reportRead'),
      invoke: {
        src: 'quorum',
        id: 'quorum',
        input: ({context}) => resultReviewInput(context),
        onDone: otherwise('accepted', 'takeRound'),
      },
    },
    accepted: {
      tags: 'choice',
      always: [
        {guard: 'isApproved', target: 'completed'},
        {guard: 'isNoQuorum', target: 'confirmingResult'},
        {guard: 'mayReplan', target: 'drafting', actions: ['takeRejection', 'startOver']},
        {target: 'failed', actions: 'takeRejection'},
      ],
    },
    confirmingResult: {
      ...gatePhase('confirmingResult'),
      invoke: {
        src: 'humanGate',
        id: 'gate',
        input: ({context}) => ({question: resultQuestion(context)}),
        onDone: [
          when('isAllowed', 'completed'),
          when('isAnotherWanted', 'drafting', 'takeDecision', 'startOver'),
          otherwise('failed', 'takeDecision'),
        ],
      },
    },
    completed: {type: 'final', output: ending('completed')},
    failed: {type: 'final', tags: 'failure', output: ending('failed')},
    limited: {type: 'final', output: ending('limited')},
    rejected: {type: 'final', tags: 'failure', output: ending('rejected')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
    errored: {type: 'final', tags: 'failure', output: ending('error')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const agentMachine = asChart<AgentState, FormEvent, AgentInput, FormOutput>(machine);

/** An action that assigns the outcome of a phase. */
function taking<Params extends {}>(
  update: (state: AgentState, params: Params) => Partial<AgentState>,
) {
  return assign<AgentState, AgentEvent, Params, AgentEvent, never>(({context}, params) =>
    update(context, params),
  );
}

function lastVerdict({rounds}: AgentState): ReviewRound['verdict'] | undefined {
  return rounds.at(-1)?.verdict;
}

/**
 * The current rejection counts towards the limit; rejections before a person asked for another plan do not. A planner that
 * proposed a rejected plan again is not asked once more.
 */
function mayRevise(state: AgentState): boolean {
  const {rounds, revisedAt, work, draft} = state;
  if (draft.isRepeated) return false;
  const rejections = rounds.slice(revisedAt).filter(({verdict}) => verdict === 'rejected').length;
  return lastVerdict(state) === 'rejected' && rejections < work.settings.agent.maxPlanRevisions;
}
