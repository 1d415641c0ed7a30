/**
 * Whether the tasks reached what was asked for.
 *
 * checking → judging → judged; failed
 * judging → unserved, while the model can't be called → judging
 */

import {assign, setup} from 'xstate';

import type {Evaluation} from '../../domain/evaluation.ts';
import {type Failure, toFailure} from '../../domain/failure.ts';
import {lackIn, type Outage} from '../../domain/outage.ts';
import type {Plan} from '../../domain/plan.ts';
import type {TaskResult} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import {openTranscript} from '../../domain/transcript.ts';
import {awaitResume, checkFiles} from '../../ports.ts';
import {
  isUnserved,
  whyUnanswered,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  answerIn,
} from '../../question.ts';
import {evaluationMessage, evaluatorSystem} from './evaluator-prompt.ts';
import {checkedProblems, withChecks} from './verdict.ts';

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
  /** What code found. */
  readonly checked: readonly string[];
  readonly evaluation?: Evaluation;
  readonly failure: Failure;
  readonly outage?: Outage;
}

export const evaluationMachine = setup({
  types: {} as {context: EvaluationContext; input: EvaluationInput; output: EvaluationOutput},
  actors: {awaitResume, checkFiles, question: questionMachine},
  actions: {
    takeChecks: assign(({context: {plan, results}}, missing: readonly string[]) => ({
      checked: checkedProblems(plan, results, missing),
    })),
    takeVerdict: assign(({context}, verdict: Evaluation | undefined) =>
      verdict ? {evaluation: withChecks(verdict, context.checked)} : {},
    ),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    takeOutage: assign(({context}, answer: QuestionOutput) => ({
      outage: {model: context.settings.agent.decisionModel, ...whyUnanswered(answer)},
    })),
  },
  guards: {
    isAnswered: (_, {kind}: QuestionOutput) => kind === 'answered',
    isUnserved: (_, answer: QuestionOutput) => isUnserved(answer),
  },
}).createMachine({
  id: 'evaluation',
  context: ({input}) => ({
    ...input,
    checked: [],
    failure: {code: 'internal', message: 'not judged'},
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
          target: 'judging',
          actions: {type: 'takeChecks', params: ({event}) => event.output.missing},
        },
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    judging: {
      invoke: {
        src: 'question',
        id: 'question',
        input: ({context}) => questionOf(context),
        onDone: [
          {
            guard: {type: 'isAnswered', params: ({event}) => event.output},
            target: 'judged',
            actions: {
              type: 'takeVerdict',
              params: ({event}) => answerIn('evaluate_result', event.output),
            },
          },
          {
            guard: {type: 'isUnserved', params: ({event}) => event.output},
            target: 'unserved',
            actions: {type: 'takeOutage', params: ({event}) => event.output},
          },
          {
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => whyUnanswered(event.output)},
          },
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    unserved: {
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => lackIn(context),
        onDone: 'judging',
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    judged: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

function questionOf({request, plan, results, settings, checked}: EvaluationContext): QuestionInput {
  return {
    question: 'evaluate_result',
    purpose: 'evaluate',
    about: {},
    model: settings.agent.decisionModel,
    system: evaluatorSystem,
    transcript: openTranscript(evaluationMessage(request, plan, results, checked)),
    maxOutputTokens: settings.maxOutputTokens,
  };
}

function outputOf({evaluation, failure}: EvaluationContext): EvaluationOutput {
  return evaluation ? {kind: 'judged', evaluation} : {kind: 'failed', failure};
}
