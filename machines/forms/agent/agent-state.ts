/** What an agent knows of its run, and what the run comes to. */

import {hashOf} from '../../domain/digest.ts';
import type {Evaluation} from '../../domain/evaluation.ts';
import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {HumanQuestion} from '../../domain/human.ts';
import {type Plan, planHash, planToData} from '../../domain/plan.ts';
import type {Denied, FinalStatus, FormOutput, TaskResult} from '../../domain/result.ts';
import type {Proposal, ReviewRound} from '../../domain/review.ts';
import type {Settings} from '../../domain/settings.ts';
import {proposedCall} from '../../loop/action.ts';
import {failedResult, skippedResult} from './task-result.ts';

export interface AgentInput {
  readonly request: string;
  readonly workspace: string;
  readonly settings: Settings;
}

export interface AgentState extends AgentInput {
  readonly context: string;
  readonly evidence: readonly Evidence[];
  readonly plan?: Plan;
  /** Who allowed the plan to run. */
  readonly approvedBy: 'nobody' | 'panel' | 'person' | 'auto_approve';
  /** Votes on the plan at hand and its forerunners since the last replanning. */
  readonly rounds: readonly ReviewRound[];
  /** Every vote of the run, in order. */
  readonly reviews: readonly ReviewRound[];
  readonly rejections: number;
  readonly replans: number;
  readonly started: number;
  readonly rejectionsInARow: number;
  /** Tasks that were started and have not settled. */
  readonly atWork: readonly string[];
  /** Of the plan at hand, as they come. */
  readonly results: readonly TaskResult[];
  /** Of the plans before it. */
  readonly earlier: readonly TaskResult[];
  readonly denied: readonly Denied[];
  readonly evaluation?: Evaluation;
  readonly reason: string;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openState(input: AgentInput): AgentState {
  return {
    ...input,
    context: '',
    evidence: [],
    approvedBy: 'nobody',
    rounds: [],
    reviews: [],
    rejections: 0,
    replans: 0,
    started: 0,
    rejectionsInARow: 0,
    atWork: [],
    results: [],
    earlier: [],
    denied: [],
    reason: '',
  };
}

export function planProposal(state: AgentState, plan: Plan): Proposal {
  const {request, workspace, evidence, earlier} = state;
  return {
    kind: 'plan',
    title: plan.objective,
    hash: planHash(plan),
    text: JSON.stringify(planToData(plan), undefined, 2),
    facts: {
      request,
      workspace,
      evidence: [...evidence, ...earlier.flatMap((result) => result.evidence)],
      calls: plan.tasks.flatMap(({tool, args = {}}) =>
        tool === undefined ? [] : [proposedCall({tool, args}, state.settings.tools)],
      ),
      claims: [plan.objective, plan.reasoning],
    },
  };
}

export function resultProposal(state: AgentState): Proposal {
  const {request, workspace, plan, evaluation} = state;
  const results = allResults(state);
  const summary = `${plan?.objective ?? request}\n${evaluation?.feedback ?? ''}`;
  return {
    kind: 'result',
    title: plan?.objective ?? request,
    hash: hashOf(results),
    text: results
      .map(
        ({id, status, description, output}) => `Task ${id} (${status}): ${description}\n${output}`,
      )
      .join('\n\n'),
    facts: {
      request,
      workspace,
      evidence: results.flatMap(({evidence}) => evidence),
      calls: [],
      claims: [summary],
      results: results.map(({id, status, output}) => ({
        task: id,
        succeeded: status === 'succeeded',
        text: output,
        isReport:
          status === 'succeeded' && plan?.tasks.find((task) => task.id === id)?.args === undefined,
      })),
    },
  };
}

export function planQuestion(state: AgentState): HumanQuestion {
  const {settings, rounds} = state;
  const limit = settings.agent.maxPlanRevisions;
  const reason =
    rounds.at(-1)?.verdict === 'noQuorum'
      ? 'Too few reviewers voted on this plan.'
      : `Revision limit (${limit}) exceeded. Quorum could not reach consensus.`;
  return gateQuestion(state, {kind: 'plan', reason, allowed: ['approve', 'reject', 'edit']});
}

export function confirmationQuestion(state: AgentState): HumanQuestion {
  return gateQuestion(state, {
    kind: 'confirmation',
    reason: 'The panel approved this plan; confirm_execution asks before it runs.',
    allowed: ['approve', 'reject', 'edit'],
  });
}

export function resultQuestion(state: AgentState): HumanQuestion {
  const {text, hash} = resultProposal(state);
  const question = gateQuestion(state, {
    kind: 'result',
    reason: 'Too few reviewers voted on the result.',
    allowed: ['approve', 'reject'],
  });
  return {...question, preview: text, proposalHash: hash};
}

function gateQuestion(
  {request, plan, rounds}: AgentState,
  question: Pick<HumanQuestion, 'kind' | 'reason' | 'allowed'>,
): HumanQuestion {
  return {
    ...question,
    request,
    ...(plan ? {plan} : {}),
    proposalHash: plan ? planHash(plan) : '',
    history: rounds,
  };
}

/** Every task of the run: what was done before, what this plan did, what it did not reach. */
export function allResults({plan, results, earlier, started, atWork}: AgentState): TaskResult[] {
  const reached = new Set([...earlier, ...results].map(({id}) => id));
  const open = (plan?.tasks ?? []).filter(({id}) => !reached.has(id));
  const why = started > 0 ? 'not reached' : 'not run';
  const cutShort = {code: 'interrupted', message: 'It was at work when the run ended.'};
  return [
    ...earlier,
    ...results,
    ...open.map((task) =>
      atWork.includes(task.id) ? failedResult(task, cutShort) : skippedResult(task, why),
    ),
  ];
}

export function agentOutput(state: AgentState, status: FinalStatus): FormOutput {
  const {plan, reviews, denied, failure} = state;
  return {
    status,
    summary: summaryOf(state, status),
    ...(plan ? {plan} : {}),
    tasks: allResults(state),
    reviews,
    denied,
    ...(failure ? {error: failure} : {}),
  };
}

function summaryOf(state: AgentState, status: FinalStatus): string {
  const {limit, reason, plan, failure} = state;
  if (status === 'limited') return `Stopped by a limit: ${limit ?? ''}. ${doneCount(state)}`;
  if (status === 'cancelled') return `Cancelled: ${reason}. ${doneCount(state)}`;
  if (status !== 'completed') {
    return lines([reason, failure?.message, problemsOf(state), doneCount(state)]);
  }
  return isPlanOnly(state) ? `The plan is approved: ${plan?.objective ?? ''}` : reportOf(state);
}

function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

function problemsOf({evaluation}: AgentState): string {
  return (evaluation?.problems ?? []).map((problem) => `- ${problem}`).join('\n');
}

function doneCount(state: AgentState): string {
  const results = allResults(state);
  if (results.length === 0) return 'Nothing was run.';
  const done = results.filter(({status}) => status === 'succeeded').length;
  return `${done} of ${results.length} tasks succeeded.`;
}

/** The last task's words say what was done; tasks without words are counted. */
function reportOf(state: AgentState): string {
  const last = state.results.findLast(({status}) => status === 'succeeded');
  return lines([state.plan?.objective, last?.output, doneCount(state)]);
}
