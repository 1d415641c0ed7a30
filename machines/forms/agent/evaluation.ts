/**
 * Whether the tasks reached what was asked for.
 *
 * checking → asking → judged; repairing; failed
 */

import {assign, setup} from 'xstate';

import {type Failure, toFailure} from '../../domain/failure.ts';
import type {ModelOutcome, ModelRequest} from '../../domain/model.ts';
import type {Plan} from '../../domain/plan.ts';
import type {TaskResult} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import {appendMessages, openTranscript, type Transcript} from '../../domain/transcript.ts';
import {failureOf} from '../../loop/turn.ts';
import {modelCallMachine} from '../../model-call.ts';
import {callModel, checkFiles} from '../../ports.ts';
import {evaluationMessage, evaluatorSystem} from './evaluator-prompt.ts';
import {
  checkedProblems,
  type Evaluation,
  type EvaluationReading,
  readEvaluation,
} from './verdict.ts';

export interface EvaluationInput {
  readonly request: string;
  readonly plan: Plan;
  readonly results: readonly TaskResult[];
  readonly settings: Settings;
  readonly workspace: string;
}

export type EvaluationOutput =
  | {readonly kind: 'judged'; readonly evaluation: Evaluation}
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface EvaluationContext extends EvaluationInput {
  readonly checked: readonly string[];
  readonly transcript: Transcript;
  readonly output: EvaluationOutput;
}

export const evaluationMachine = setup({
  types: {} as {context: EvaluationContext; input: EvaluationInput; output: EvaluationOutput},
  actors: {callModel, checkFiles, modelCall: modelCallMachine},
  actions: {
    takeChecks: assign(({context}, missing: readonly string[]) => checkedBy(context, missing)),
    takeVerdict: assign(({context}, reading: EvaluationReading) => judgedBy(context, reading)),
    askForRepair: assign(({context}, outcome: ModelOutcome) => repairing(context, outcome)),
    takeFailure: assign((_, failure: Failure) => ({output: {kind: 'failed' as const, failure}})),
  },
  guards: {
    isVerdict: (_, outcome: ModelOutcome) => readEvaluation(outcome).ok,
    mayRepair: (_, {kind}: ModelOutcome) =>
      kind === 'ok' || kind === 'protocol' || kind === 'truncated',
  },
}).createMachine({
  id: 'evaluation',
  context: ({input}) => ({
    ...input,
    checked: [],
    transcript: openTranscript(''),
    output: {kind: 'failed', failure: {code: 'internal', message: 'not judged'}},
  }),
  initial: 'checking',
  states: {
    checking: {
      invoke: {
        src: 'checkFiles',
        id: 'files',
        input: ({context}) => ({
          workspace: context.workspace,
          paths: [...new Set(context.results.flatMap(({written}) => written))],
        }),
        onDone: {
          target: 'asking',
          actions: {type: 'takeChecks', params: ({event}) => event.output.missing},
        },
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    asking: {
      invoke: {
        src: 'modelCall',
        id: 'call',
        input: ({context}) => evaluationRequest(context),
        onDone: [
          {
            guard: {type: 'isVerdict', params: ({event}) => event.output},
            target: 'judged',
            actions: {type: 'takeVerdict', params: ({event}) => readEvaluation(event.output)},
          },
          {
            guard: {type: 'mayRepair', params: ({event}) => event.output},
            target: 'repairing',
            actions: {type: 'askForRepair', params: ({event}) => event.output},
          },
          {
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    repairing: {
      invoke: {
        src: 'callModel',
        id: 'repair',
        input: ({context}) => evaluationRequest(context),
        onDone: [
          {
            guard: {type: 'isVerdict', params: ({event}) => event.output},
            target: 'judged',
            actions: {type: 'takeVerdict', params: ({event}) => readEvaluation(event.output)},
          },
          {
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => failureOf(event.output)},
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    judged: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => context.output,
});

function evaluationRequest({settings, transcript}: EvaluationContext): ModelRequest {
  return {
    purpose: 'evaluate',
    model: settings.agent.decisionModel,
    system: evaluatorSystem,
    transcript,
    tools: ['evaluate_result'],
    toolChoice: 'required',
    maxOutputTokens: settings.maxOutputTokens,
  };
}

function checkedBy(
  context: EvaluationContext,
  missing: readonly string[],
): Partial<EvaluationContext> {
  const {request, plan, results} = context;
  const checked = checkedProblems(plan, results, missing);
  return {checked, transcript: openTranscript(evaluationMessage(request, plan, results, checked))};
}

/** What code found stands beside what the model found, and outweighs its verdict. */
function judgedBy(
  {checked}: EvaluationContext,
  reading: EvaluationReading,
): Partial<EvaluationContext> {
  if (!reading.ok) return {};
  const {evaluation} = reading;
  return {
    output: {
      kind: 'judged',
      evaluation: {
        ...evaluation,
        successful: evaluation.successful && checked.length === 0,
        problems: [...checked, ...evaluation.problems],
      },
    },
  };
}

function repairing(
  {transcript}: EvaluationContext,
  outcome: ModelOutcome,
): Partial<EvaluationContext> {
  const reading = readEvaluation(outcome);
  const problem = reading.ok ? '' : reading.problem;
  return {
    transcript: appendMessages(
      transcript,
      {role: 'assistant', text: '(no valid evaluation)', calls: []},
      {role: 'user', text: `${problem}\nCall evaluate_result exactly once, with valid arguments.`},
    ),
  };
}
