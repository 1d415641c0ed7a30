/**
 * One plan, drafted by a model and valid.
 *
 * drafting → validating → ready; back to drafting with the problems; failed
 */

import {assign, setup} from 'xstate';

import {type Failure, toFailure} from '../../domain/failure.ts';
import type {ModelOutcome, ModelRequest} from '../../domain/model.ts';
import {type Plan, planFromOutcome, type PlanReading} from '../../domain/plan.ts';
import type {Settings} from '../../domain/settings.ts';
import {appendMessages, openTranscript, type Transcript} from '../../domain/transcript.ts';
import {failureOf} from '../../loop/turn.ts';
import {modelCallMachine} from '../../model-call.ts';
import {checkCalls} from '../../ports.ts';
import {
  type PlanningBrief,
  planMessage,
  plannerSystem,
  planProblemsMessage,
} from './planner-prompt.ts';

/** Drafts of one plan, the first included. */
const maxDrafts = 3;

export interface PlanningInput {
  readonly brief: PlanningBrief;
  readonly settings: Settings;
}

export type PlanningOutput =
  | {readonly kind: 'ready'; readonly plan: Plan}
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface PlanningContext extends PlanningInput {
  readonly transcript: Transcript;
  readonly drafts: number;
  readonly plan?: Plan;
  readonly failure?: Failure;
}

export const planningMachine = setup({
  types: {} as {context: PlanningContext; input: PlanningInput; output: PlanningOutput},
  actors: {checkCalls, modelCall: modelCallMachine},
  actions: {
    takeDraft: assign((_, reading: PlanReading) => (reading.ok ? {plan: reading.plan} : {})),
    sendBack: assign(({context}, problems: readonly string[]) => sentBack(context, problems)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isPlan: ({context}, outcome: ModelOutcome) => draftOf(context, outcome).ok,
    maySendBack: ({context}, {kind}: ModelOutcome) =>
      context.drafts < maxDrafts && (kind === 'ok' || kind === 'protocol' || kind === 'truncated'),
    isSound: (_, problems: readonly string[]) => problems.length === 0,
    hasDraftsLeft: ({context}) => context.drafts < maxDrafts,
  },
}).createMachine({
  id: 'planning',
  context: ({input}) => ({
    ...input,
    transcript: openTranscript(planMessage(input.brief)),
    drafts: 1,
  }),
  initial: 'drafting',
  states: {
    drafting: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => planRequest(context),
        onDone: [
          {
            guard: {type: 'isPlan', params: ({event}) => event.output},
            target: 'validating',
            actions: {
              type: 'takeDraft',
              params: ({context, event}) => draftOf(context, event.output),
            },
          },
          {
            guard: {type: 'maySendBack', params: ({event}) => event.output},
            target: 'drafting',
            reenter: true,
            actions: {
              type: 'sendBack',
              params: ({context, event}) => draftProblems(context, event.output),
            },
          },
          {
            target: 'failed',
            actions: {
              type: 'takeFailure',
              params: ({context, event}) => draftFailure(context, event.output),
            },
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    validating: {
      invoke: {
        src: 'checkCalls',
        id: 'check',
        input: ({context}) => ({calls: callsOf(context.plan)}),
        onDone: [
          {guard: {type: 'isSound', params: ({event}) => event.output.problems}, target: 'ready'},
          {
            guard: 'hasDraftsLeft',
            target: 'drafting',
            actions: {type: 'sendBack', params: ({event}) => event.output.problems},
          },
          {
            target: 'failed',
            actions: {
              type: 'takeFailure',
              params: ({event}) => invalidPlan(event.output.problems),
            },
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    ready: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

function planRequest({settings, transcript}: PlanningContext): ModelRequest {
  return {
    purpose: 'plan',
    model: settings.agent.decisionModel,
    system: plannerSystem,
    transcript,
    tools: ['create_plan'],
    toolChoice: 'required',
    maxOutputTokens: settings.maxOutputTokens,
  };
}

function draftOf({settings, brief}: PlanningContext, outcome: ModelOutcome): PlanReading {
  const settled = brief.results.filter(({status}) => status === 'succeeded').map(({id}) => id);
  return planFromOutcome(outcome, settings.tools, settled);
}

function draftProblems(context: PlanningContext, outcome: ModelOutcome): readonly string[] {
  const reading = draftOf(context, outcome);
  return reading.ok ? [] : reading.problems;
}

/** A model that answers in words instead of a plan is quoted: the words may say why. */
function draftFailure(context: PlanningContext, outcome: ModelOutcome): Failure {
  if (outcome.kind !== 'ok') return failureOf(outcome);
  if (outcome.calls.length === 0 && outcome.text.trim() !== '') {
    return {code: 'no_plan', message: outcome.text};
  }
  return invalidPlan(draftProblems(context, outcome));
}

function invalidPlan(problems: readonly string[]): Failure {
  return {code: 'invalid_plan', message: problems.join('\n')};
}

function sentBack(
  {transcript, drafts}: PlanningContext,
  problems: readonly string[],
): Partial<PlanningContext> {
  return {
    drafts: drafts + 1,
    transcript: appendMessages(
      transcript,
      {role: 'assistant', text: '(no valid plan)', calls: []},
      {role: 'user', text: planProblemsMessage(problems)},
    ),
  };
}

function callsOf(plan: Plan | undefined) {
  return (plan?.tasks ?? []).flatMap(({id, tool, args}) =>
    tool !== undefined && args ? [{task: id, tool, args}] : [],
  );
}

function outputOf({plan, failure}: PlanningContext): PlanningOutput {
  if (plan && !failure) return {kind: 'ready', plan};
  return {kind: 'failed', failure: failure ?? {code: 'internal', message: 'no plan was made'}};
}
