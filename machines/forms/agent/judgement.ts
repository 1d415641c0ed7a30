/** The evaluation of an agent's work, and its effect on the state. */

import {isJapanese} from '../../domain/language.ts';
import {reasonsOf, vetoText} from '../../domain/review.ts';
import type {Fact} from '../../facts/fact.ts';
import type {Evaluation} from '../../questions/evaluation.ts';
import {messageSections} from '../../tree/messages.ts';
import type {AgentState} from './agent-state.ts';
import type {ClosingInput} from './closing/closing.ts';
import type {EvaluationInput, EvaluationOutput} from './evaluation/evaluation.ts';
import {answeringTask, stoppedTasks} from './execution/open-work.ts';

/** The report of the only task, if the worker made calls, and if it is in the language of the request. */
function answerIn({work: {request, settings}, runs}: AgentState): string | undefined {
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
    report: answerIn(state),
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
