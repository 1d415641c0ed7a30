/** The output of an agent, from its state and the recorded facts. */

import type {AnyActorRef} from 'xstate';

import {isJapanese, languagePart} from '../../domain/language.ts';
import {lines} from '../../domain/plain-text.ts';
import type {Plan, Task} from '../../domain/plan.ts';
import type {
  Decision,
  FinalStatus,
  FormOutput,
  FormParts,
  TaskResult,
} from '../../domain/result.ts';
import {type ReviewRound, unjudgedIn, vetoText} from '../../domain/review.ts';
import {lineOf} from '../../domain/text-limits.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {
  decisionsIn,
  denialsIn,
  netChanges,
  type Recorded,
  resultsIn,
  roundsIn,
  stepsIn,
  tasksAtWork,
  withRefusals,
} from '../../facts/fact.ts';
import {factsUnder} from '../../facts/record.ts';
import {hideNames} from '../../panel/names.ts';
import {historyText} from '../../panel/round.ts';
import {briefLine, type SharedPart, stepsShared} from '../../prompts/inherited.ts';
import {attachedText, bullets, type Section, writeSections} from '../../prompts/sections.ts';
import type {FormNow} from '../../tree/form-event.ts';
import {type AgentState, isPlanOnly, planOf} from './agent-state.ts';
import {closingByRule} from './closing.ts';
import {evaluationOf} from './evaluation/evaluation.ts';
import {feedbackText, resultsText} from './evaluation/results-text.ts';
import {isContradicted, isUndone, reportsIn} from './evaluation/verdict.ts';
import {taskIn} from './execution/execution.ts';
import {fateOf, type PlanRun, resultsOf, stoppedTasks} from './execution/open-work.ts';
import {failedResult, openResult, skippedResult} from './execution/task-result.ts';

interface End {
  readonly context: AgentState;
  readonly self: AnyActorRef;
}

/** The reason of a run whose plan was allowed as often as possible, without success. */
export const inVain =
  'This plan was allowed at three gates and failed each time. It is not put to a person again.';

/** The reason of a run that a person cancelled. */
export const byPerson = 'a person cancelled';

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, self}) => agentOutput(context, status, factsUnder(self));
}

/** The partial result of an active agent. Tasks without a result are running or pending. */
export function agentPartialResult({state, facts}: FormNow<AgentState>): FormParts {
  return partsOf(state, facts, allTasks(state, facts, openTask));
}

/** `facts`: recorded by the agent and all actors below it. */
function agentOutput(
  state: AgentState,
  status: FinalStatus,
  facts: readonly Recorded[],
): FormOutput {
  const {failure} = state;
  const why = facts.some(({type}) => type === 'task.started') ? 'not reached' : 'not run';
  const isStillToRun = status === 'completed' && isPlanOnly(state);
  const tasks = allTasks(state, facts, (task, isAtWork) => {
    if (isStillToRun) return openTask(task, false);
    return isAtWork ? failedResult(task, cutShort) : skippedResult(task, why);
  });
  return {
    status,
    summary: summaryOf(state, status, tasks, overruledText(facts)),
    ...closingPart(state, status, tasks, facts),
    ...partsOf(state, facts, tasks),
    ...(failure ? {error: failure} : {}),
  };
}

/** The answer of an agent that completed, or that failed or was stopped after a plan ran. */
function closingPart(
  state: AgentState,
  status: FinalStatus,
  tasks: readonly TaskResult[],
  facts: readonly Recorded[],
): Pick<FormOutput, 'answer'> {
  const {work, runs, answer} = state;
  const isClosed = status === 'completed' || status === 'failed' || status === 'limited';
  if (!isClosed || runs.length === 0 || isPlanOnly(state)) return {};
  const closed = {
    request: work.request,
    workspace: work.workspace,
    tasks,
    changes: netChanges(facts),
    reports: trueReports(state),
  };
  return {answer: answer === '' ? closingByRule(closed) : answer};
}

/** The reports of the workers. A contradicted report is left out, and any report on work that was not done. */
function trueReports(state: AgentState): readonly string[] {
  const {problems = []} = evaluationOf(state) ?? {};
  if (isContradicted(problems) || isUndone(problems)) return [];
  return reportsIn(state.runs).map(({text}) => text);
}

const cutShort = {code: 'interrupted', message: 'It was running when the run ended.'};

/** The result of a task that has not ended. */
type OpenTask = (task: Task, isAtWork: boolean) => TaskResult;

const openTask: OpenTask = (task, isAtWork) => openResult(task, isAtWork ? 'running' : 'pending');

function partsOf(
  {work, draft: {plan}, runs}: AgentState,
  facts: readonly Recorded[],
  tasks: readonly TaskResult[],
): FormParts {
  const evaluations = runs.flatMap(({evaluation}) => evaluation ?? []);
  return {
    ...languagePart(work.request),
    ...(plan ? {plan} : {}),
    tasks: tasks.map(withoutDiffs),
    changes: netChanges(facts),
    ...(evaluations.length > 0 ? {evaluations} : {}),
    reviews: roundsIn(facts),
    denied: denialsIn(facts),
  };
}

/** Diffs are for evaluators and for requests that ask for them. */
function withoutDiffs(result: TaskResult): TaskResult {
  const {calls} = result;
  if (!calls?.some(({changes}) => changes)) return result;
  return {
    ...result,
    calls: calls.map(({changes, ...call}) =>
      changes
        ? Object.assign(call, {
            changes: changes.map(({path, added, removed}) => ({path, added, removed})),
          })
        : call,
    ),
  };
}

/** The result of every task of the run, plan by plan. A task that a later plan repeats under the same id is listed there. */
function allTasks(state: AgentState, facts: readonly Recorded[], openAs: OpenTask): TaskResult[] {
  const plans = plansOf(state);
  const results = new Map(resultsIn(facts).map((result) => [result.id, result]));
  const atWork = tasksAtWork(facts);
  return plans.flatMap(({tasks}, index) => {
    const later = plans.slice(index + 1);
    const again = new Set(later.flatMap((plan) => plan.tasks.map(({id}) => id)));
    return tasks
      .filter(({id}) => !again.has(id))
      .map((task) => {
        if (atWork.includes(task.id)) return openAs(task, true);
        const result = results.get(task.id) ?? openAs(task, false);
        const fate = result.status === 'succeeded' ? undefined : fateOf(task, later);
        return fate ? Object.assign({}, result, fate) : result;
      });
  });
}

/** The plans that ran, and the current one. */
function plansOf({draft: {plan}, runs}: AgentState): Plan[] {
  const ran = runs.map((run) => run.plan);
  return plan && plan !== ran.at(-1) ? [...ran, plan] : ran;
}

function summaryOf(
  state: AgentState,
  status: FinalStatus,
  tasks: readonly TaskResult[],
  overruled: string,
): string {
  const {reason, draft, failure} = state;
  const limit = status === 'limited' ? limitText(state) : '';
  const done = isJapanese(state.work.request) ? doneCountInJapanese(tasks) : doneCount(tasks);
  if (status === 'cancelled') return `${cancelledText(state)}${done}`;
  if (status !== 'completed')
    return lines(limit, reason, problemsOf(state), failure?.message, done);
  if (isPlanOnly(state))
    return lines(overruled, `The plan is approved: ${objectiveOf(draft.plan)}`);
  return lines(overruled, objectiveOf(draft.plan), reportsOf(state), done);
}

function limitText({work: {request, settings}, runs}: AgentState): string {
  const ids = stoppedTasks(runs).map(({id}) => id);
  const {maxToolTurns: turns} = settings.agent;
  const why = isJapanese(request)
    ? `タスク ${ids.join('、')} は ${turns} ターンを使い切りました`
    : `${ids.join(', ')} used up ${turns} turns`;
  return `Stopped by a limit: max_tool_turns: ${why}`;
}

function cancelledText({work: {request}, reason}: AgentState): string {
  if (!isJapanese(request)) return `Cancelled: ${reason}. `;
  return `取り消し: ${reason === byPerson ? '人が取り消しました' : reason}。`;
}

const maxObjective = 2_000;

/** One line, so that a model's text can't look like a line of the summary. */
function objectiveOf(plan: Plan | undefined): string {
  return lineOf(plan?.objective ?? '', maxObjective);
}

function problemsOf(state: AgentState): string {
  return (evaluationOf(state)?.problems ?? []).map((problem) => `- ${problem}`).join('\n');
}

function doneCount(tasks: readonly TaskResult[]): string {
  if (tasks.length === 0) return 'Nothing was run.';
  const done = tasks.filter(({status}) => status === 'succeeded').length;
  const fates = tasks.flatMap(({id, redoneBy, dropped}) => {
    if (redoneBy !== undefined) return [`${id} was redone by ${redoneBy}`];
    return dropped === undefined ? [] : [`${id} was dropped: ${dropped}`];
  });
  return `${[`${done} of ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} succeeded`, ...fates].join('; ')}.`;
}

function doneCountInJapanese(tasks: readonly TaskResult[]): string {
  if (tasks.length === 0) return '何も実行していません。';
  const done = tasks.filter(({status}) => status === 'succeeded').length;
  const fates = tasks.flatMap(({id, redoneBy, dropped}) => {
    if (redoneBy !== undefined) return [`${id} は ${redoneBy} でやり直しました。`];
    return dropped === undefined ? [] : [`${id} は取りやめました（${dropped}）。`];
  });
  return `${tasks.length} 件中 ${done} 件のタスクが成功しました。${fates.join('')}`;
}

/**
 * The reports of the last plan's workers, the output of its commands, and the output of its last task. The output of any
 * other exact call is left out.
 */
function reportsOf({runs}: AgentState): string {
  const {plan, results = []} = runs.at(-1) ?? {};
  const done = new Map(
    results.filter(({status}) => status === 'succeeded').map(({id, output}) => [id, output]),
  );
  const tasks = plan?.tasks.filter(({id}) => done.has(id)) ?? [];
  const last = tasks.at(-1);
  const reported = tasks.filter(
    (task) => task === last || task.args === undefined || task.tool === 'run_command',
  );
  return lines(...reported.map(({id}) => done.get(id)));
}

// Decisions at a gate that went against the panel, or without it.

/** One sentence that lists them. Empty if every decision agreed with the panel. */
function overruledText(facts: readonly Recorded[]): string {
  const rounds = roundsIn(facts);
  const sentences = decisionsIn(withRefusals(facts)).flatMap((decision) => {
    if (decision.by === 'panel' || !isAllowance(decision)) return [];
    const round = rounds.findLast((each) => each.proposalHash === decision.hash);
    return round && !round.approved ? [sentence(decision, round)] : [];
  });
  const text = [...new Set(sentences)].join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function isAllowance({decision, refused}: Decision): boolean {
  if (refused !== undefined) return false;
  return decision === 'approve' || decision === 'always' || decision === 'edit';
}

function sentence({by, decision}: Decision, round: ReviewRound): string {
  const who = by === 'person' ? 'a person' : by;
  const what = `the ${round.kind} "${round.title}"`;
  return decision === 'edit'
    ? `${who} edited ${what}, ${againstText(round)}; the edited plan was not voted on`
    : `${who} allowed ${what}, ${againstText(round)}`;
}

function noQuorumText(round: ReviewRound): string {
  const unjudged = unjudgedIn(round);
  return unjudged.length === 0
    ? 'too few reviewers voted'
    : `nobody decided (${unjudged.join('; ')})`;
}

function againstText(round: ReviewRound): string {
  if (round.verdict === 'noQuorum') return `on which ${noQuorumText(round)}`;
  const veto = vetoText(round);
  return `which the panel rejected${veto === undefined ? '' : ` (${veto})`}`;
}

// The context that an agent shares with its children, from its state and the recorded facts.

export function agentShared({state, facts}: FormNow<AgentState>): SharedPart[] {
  const {request, settings, attachments, background} = state.work;
  const {maxTotalBytes, maxEntryBytes} = settings.context;
  const runs = runsUntilNow(state, facts);
  const feedback = feedbackText(runs);
  return [
    {title: 'Request', text: request, brief: briefLine(request)},
    ...planShared(state, facts),
    votesShared(facts, state),
    {title: 'Problems found in the results', text: feedback, brief: briefLine(feedback)},
    {title: 'Attached', text: background.length === 0 ? attachedText(attachments) : ''},
    {title: 'Background', text: writeSections(background.filter((each) => !isSurvey(each)))},
    {title: 'Survey', text: writeSections(background.filter(isSurvey)), isSurvey: true},
    {
      title: 'Results so far',
      text: resultsText(runs, maxTotalBytes),
      brief: bullets(resultsOf(runs).map(resultLine)),
    },
    stepsShared(stepsAtWork(state, facts), maxEntryBytes),
  ];
}

function isSurvey([title]: Section): boolean {
  return title === 'Survey';
}

/** The plans that ran, and the current plan with its results up to now. */
function runsUntilNow(state: AgentState, facts: readonly Recorded[]): readonly PlanRun[] {
  const {runs} = state;
  const results = resultsIn(facts).slice(resultsOf(runs).length);
  return results.length === 0 ? runs : [...runs, {plan: planOf(state), results}];
}

function planShared({draft: {plan}}: AgentState, facts: readonly Recorded[]): SharedPart[] {
  if (!plan) return [];
  const atWork = tasksAtWork(facts);
  const tasks = plan.tasks.map(({id, description}) => `${id}: ${description}`);
  const working = plan.tasks.filter(({id}) => atWork.includes(id));
  return [
    {
      title: 'Objective',
      text: [plan.objective, plan.reasoning].join('\n').trim(),
      brief: briefLine(plan.objective),
    },
    {title: 'Tasks of the plan', text: bullets(tasks)},
    {
      title: 'Tasks at work',
      text: bullets(working.map(({id}) => id)),
      brief: bullets(working.map(({id, description}) => briefLine(`${id}: ${description}`))),
    },
  ];
}

/**
 * From the facts, so that the round that has just ended is included before the agent receives it. Summaries leave votes
 * out. Seats are not named, as the reader may be on a panel or in a discussion.
 */
function votesShared(facts: readonly Recorded[], {work}: AgentState): SharedPart {
  const rounds = roundsIn(facts).filter(({kind}) => kind !== 'action');
  const text = historyText(rounds.map(withoutSeats));
  return {title: 'Votes', text: hideNames(text, work.settings.panel, '')};
}

function withoutSeats(round: ReviewRound): ReviewRound {
  return {...round, votes: round.votes.map((vote) => ({...vote, model: 'a reviewer'}))};
}

function resultLine({id, status, description, output}: TaskResult): string {
  return briefLine(`${id} (${status}): ${description}: ${output}`);
}

/** Steps of active loops. The steps of ended loops are in a result, or in the background. */
function stepsAtWork({work}: AgentState, facts: readonly Recorded[]): readonly LoopStep[] {
  const atWork = tasksAtWork(facts);
  return stepsIn(
    facts.filter(({path}) => {
      const task = taskIn(path);
      return task === undefined ? work.background.length === 0 : atWork.includes(task);
    }),
  );
}
