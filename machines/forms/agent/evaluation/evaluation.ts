/**
 * The evaluation of finished tasks: code checks files and claims, then a model judges whether the request is fulfilled.
 *
 * checking → (checkingClaims) → judging → judged; failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import type {Failure} from '../../../domain/failure.ts';
import {isJapanese} from '../../../domain/language.ts';
import {reasonsOf, vetoText} from '../../../domain/review.ts';
import type {Fact} from '../../../facts/fact.ts';
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
import {messageSections} from '../../../tree/messages.ts';
import type {AgentState, Work} from '../agent-state.ts';
import type {ClosingInput} from '../closing.ts';
import {answeringTask, type PlanRun, stoppedTasks} from '../execution/open-work.ts';
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

interface EvaluationInput {
  readonly work: Work;
  /** Messages received during the run. */
  readonly pendingMessages: readonly Section[];
  /** The plans that ran, in order. The last one is judged; the earlier ones count as well. */
  readonly runs: readonly PlanRun[];
}

type EvaluationOutput =
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

interface EvaluationBrief {
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

// The evaluation of an agent's work, and its effect on the state.

/** The report of the only task, if the worker made calls, and if it is in the language of the request. */
function reportThatAnswers({work: {request, settings}, runs}: AgentState): string | undefined {
  const [run, ...more] = runs;
  const task = run && answeringTask(run.plan);
  if (!task || more.length > 0 || settings.agent.gathering === undefined) return undefined;
  const result = run.results.find(({id, status}) => id === task.id && status === 'succeeded');
  if (!result?.calls?.length) return undefined;
  const report = result.output.trim();
  return isJapanese(report) === isJapanese(request) ? report : undefined;
}

/** One input for the evaluator and for the author of the closing answer. */
export function evaluationInput(state: AgentState): EvaluationInput & ClosingInput {
  const {work, pendingMessages, runs} = state;
  return {
    work,
    pendingMessages: messageSections(pendingMessages, work.settings.context.maxEntryBytes),
    runs,
    report: reportThatAnswers(state),
  };
}

export function withEvaluation({runs}: AgentState, output: EvaluationOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {evaluation} = output;
  const {cancelReason} = evaluation;
  return {
    ...withJudgement(runs, evaluation),
    ...(cancelReason === undefined ? {} : {reason: cancelReason}),
  };
}

/** When the panel rejects the result, its reasons count like problems of the evaluator. */
export function withRejection({work, runs, rounds}: AgentState): Partial<AgentState> {
  const {feedback = '', problems = []} = runs.at(-1)?.evaluation ?? {};
  const round = rounds.at(-1);
  const against = round ? reasonsOf(round) : [];
  const veto = vetoText(round);
  return {
    ...withJudgement(runs, {successful: false, problems: [...problems, ...against], feedback}),
    reason: veto === undefined ? rejectedText(work.request) : `The result was ${veto}.`,
  };
}

/** A person does not take the result of the last plan, and asks for more: the replan counts for no limit. */
export function reopened(state: AgentState): Partial<AgentState> {
  const {runs} = state;
  const last = runs.at(-1);
  const evaluation = evaluationOf(state);
  if (!last || evaluation?.successful !== true) return {};
  const problems = ['A person did not accept this result, and asked for more.'];
  const failed = {...evaluation, successful: false, problems};
  return {runs: [...runs.slice(0, -1), {...last, evaluation: failed, isReopened: true}]};
}

function rejectedText(request: string): string {
  return isJapanese(request) ? 'パネルが結果を却下しました。' : 'The panel rejected the result.';
}

function withJudgement(runs: AgentState['runs'], evaluation: Evaluation): Pick<AgentState, 'runs'> {
  return {runs: runs.map((run, index) => (index === runs.length - 1 ? {...run, evaluation} : run))};
}

export function evaluationOf({runs}: AgentState): Evaluation | undefined {
  return runs.at(-1)?.evaluation;
}

export function mayReplan({runs, work: {settings}}: AgentState): boolean {
  return runs.filter(({isReopened}) => !isReopened).length <= settings.agent.maxReplans;
}

/** True if the turns of a task were used up, and no later plan redoes or drops it. */
export function isStopped({runs}: AgentState): boolean {
  return stoppedTasks(runs).length > 0;
}

export function verdictReport(state: AgentState): Fact | undefined {
  const evaluation = evaluationOf(state);
  if (!evaluation) return undefined;
  const {successful, cancelReason} = evaluation;
  const isReplanned = !successful && cancelReason === undefined && mayReplan(state);
  return {type: 'result.judged', ...evaluation, isReplanned};
}
