/**
 * The evaluation of finished tasks: code checks files and claims, then a model judges whether the request is fulfilled.
 *
 * checking → (checkingClaims) → judging → judged; failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {checkFiles, type PortOutcome, screenProposal} from '../../../ports.ts';
import {
  engineLine,
  jsonText,
  listText,
  nameText,
  personWords,
  quotedText,
  quotingRule,
} from '../../../prompts/section-text.ts';
import {inheritedSection, type Section, writeSections} from '../../../prompts/sections.ts';
import {openTranscript} from '../../../prompts/transcript.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';
import {
  answerIn,
  type QuestionInput,
  questionMachine,
  type QuestionOutput,
  whyUnanswered,
} from '../../../questions/question.ts';
import type {Work} from '../agent-state.ts';
import type {PlanRun} from '../execution/open-work.ts';
import {feedbackText, resultsText} from './results-text.ts';
import {
  checkedProblems,
  contradictionsIn,
  isClaimed,
  removedSince,
  reportsCheck,
  withChecks,
  writtenFiles,
} from './verdict.ts';

export interface EvaluationInput {
  readonly work: Work;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  /** The plans that ran, in order. The last one is judged; the earlier ones count as well. */
  readonly runs: readonly PlanRun[];
}

export type EvaluationOutput =
  | {readonly kind: 'judged'; readonly evaluation: Evaluation}
  | {readonly kind: 'failed'; readonly failure: Failure};

export interface EvaluationContext extends EvaluationInput {
  /** Problems found by code. */
  readonly checked: readonly string[];
  /** Missing files that a later command or child may have removed. */
  readonly removed: readonly string[];
  readonly verdict: Evaluation;
  readonly failure: Failure;
}

export const evaluationMachine = setup({
  types: {} as {context: EvaluationContext; input: EvaluationInput; output: EvaluationOutput},
  actors: {checkFiles, screenProposal, question: questionMachine},
  actions: {
    takeChecks: assign(({context}, {missing}: PortOutcome<'checkFiles'>) => ({
      checked: checkedProblems({...context.work, ...context}, missing),
      removed: removedSince(context.runs, missing),
    })),
    takeContradictions: assign(({context}, {ballots}: PortOutcome<'screenProposal'>) => ({
      checked: [...context.checked, ...contradictionsIn(ballots)],
    })),
    takeVerdict: assign(({context}, answer: QuestionOutput) => ({
      verdict: answerIn('evaluate_result', answer) ?? context.verdict,
    })),
    takeNoVerdict: assign((_, answer: QuestionOutput) => ({failure: whyUnanswered(answer)})),
    takeCrash: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isClaimed: ({context: {runs}}) => isClaimed(runs),
    isAnswered: (_, {kind}: QuestionOutput) => kind === 'answered',
  },
}).createMachine({
  id: 'evaluation',
  context: ({input}) => ({
    ...input,
    checked: [],
    removed: [],
    verdict: {successful: false, problems: [], feedback: ''},
    failure: {code: 'internal', message: 'not judged'},
  }),
  initial: 'checking',
  states: {
    checking: {
      invoke: {
        src: 'checkFiles',
        id: 'files',
        input: ({context}) => ({
          workspace: context.work.workspace,
          paths: writtenFiles(context.runs),
        }),
        onDone: [
          {guard: 'isClaimed', ...otherwise('checkingClaims', 'takeChecks')},
          otherwise('judging', 'takeChecks'),
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    checkingClaims: {
      invoke: {
        src: 'screenProposal',
        id: 'claims',
        input: ({context}) => reportsCheck({...context.work, ...context}),
        onDone: otherwise('judging', 'takeContradictions'),
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    judging: {
      invoke: {
        src: 'question',
        id: 'question',
        input: ({context}) => questionOf(context),
        onDone: [when('isAnswered', 'judged', 'takeVerdict'), otherwise('failed', 'takeNoVerdict')],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    judged: {
      type: 'final',
      output: ({context: {verdict, checked}}) => ({
        kind: 'judged',
        evaluation: withChecks(verdict, checked),
      }),
    },
    failed: {
      type: 'final',
      tags: 'failure',
      output: ({context: {failure}}) => ({kind: 'failed', failure}),
    },
  },
  output: ({event}) => event.output as EvaluationOutput,
});

function questionOf(context: EvaluationContext): QuestionInput {
  const {work} = context;
  const {agent, maxOutputTokens, context: limits} = work.settings;
  return {
    question: 'evaluate_result',
    purpose: 'evaluate',
    about: {},
    model: agent.decisionModel,
    system: evaluatorSystem,
    transcript: openTranscript(
      evaluationMessage({...work, ...context, maxResults: limits.maxTotalBytes}),
    ),
    maxOutputTokens,
    waits: true,
  };
}

// The prompt of the evaluator.

const evaluatorSystem = `You judge whether the tasks of a plan reached what the request asked for. Call \
evaluate_result exactly once. Compare each result with its expected outcome; what earlier plans did counts as well. \
The calls below "Done" with their status and exit code are known; the report of a worker is only a claim: judge it by \
the calls that were made. successful is true only if nothing is left to do; otherwise list the problems and give feedback \
for planning what is left. Set cancel_reason only if it makes no sense to continue. A command that failed \
on the way, such as a search without a match, is a fact and no problem by itself: judge what was reached in the end. Problems \
found by code stand: a failed check, a missing file or a claim that the record contradicts is not a success.
${quotingRule}`;

export interface EvaluationBrief {
  readonly request: string;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  /** Messages received during the run. */
  readonly pendingMessages?: readonly Section[];
  readonly runs: readonly PlanRun[];
  readonly checked: readonly string[];
  readonly removed: readonly string[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function evaluationMessage({
  request,
  inherited,
  pendingMessages = [],
  runs,
  checked,
  removed,
  maxResults,
}: EvaluationBrief): string {
  return writeSections([
    ['Request', personWords(request)],
    inheritedSection(inherited),
    ...pendingMessages,
    ['Objective', quotedText(runs.at(-1)?.plan.objective)],
    ['Earlier feedback', feedbackText(runs)],
    ['Results', resultsText(runs, maxResults)],
    ['Written, and gone since', listText(removed.map((path) => engineLine`${nameText(path)}`))],
    [
      'Problems found by code',
      listText(checked.map((problem) => engineLine`${jsonText(problem)}`)),
    ],
  ]);
}
