/** What an agent knows of its run, what it gives to each of its phases, and how it takes in what they come to. */

import type {Evaluation} from '../../domain/evaluation.ts';
import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Plan} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import type {TaskResult} from '../../domain/result.ts';
import type {ReviewRound} from '../../domain/review.ts';
import type {Settings} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {panelRules} from '../../loop/action.ts';
import type {EvaluationInput, EvaluationOutput} from './evaluation.ts';
import type {ExecutionInput, ExecutionOutput} from './execution.ts';
import type {GatheringInput} from './gathering.ts';
import type {PlanningInput, PlanningOutput} from './planning.ts';

export interface AgentInput {
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
}

export interface AgentState extends AgentInput {
  /** What was gathered about the workspace. */
  readonly background: string;
  readonly evidence: readonly Evidence[];
  readonly plan?: Plan;
  /** Votes on the plan at hand and its forerunners since the last replanning; after a plan ran, on its result. */
  readonly rounds: readonly ReviewRound[];
  readonly rejections: number;
  readonly replans: number;
  /** Tasks, of all plans. */
  readonly started: number;
  /** Of the plan that ran last. */
  readonly results: readonly TaskResult[];
  /** Of the plans before it. */
  readonly earlier: readonly TaskResult[];
  readonly evaluation?: Evaluation;
  readonly reason: string;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openState(input: AgentInput): AgentState {
  return {
    ...input,
    background: '',
    evidence: [],
    rounds: [],
    rejections: 0,
    replans: 0,
    started: 0,
    results: [],
    earlier: [],
    reason: '',
  };
}

export function gatheringInput({request, workspace, settings}: AgentState): GatheringInput {
  const {agent, context, tools} = settings;
  return {
    request,
    workspace,
    model: agent.explorationModel,
    tools,
    panel: panelRules(settings),
    maxTurns: agent.maxToolTurns,
    maxRetries: agent.maxToolRetries,
    maxSurveyBytes: context.maxEntryBytes,
    maxBytes: context.maxTotalBytes,
  };
}

export function planningInput(state: AgentState): PlanningInput {
  const {request, background, settings, rounds, earlier, plan, evaluation} = state;
  const feedback = [...(evaluation?.problems ?? []), evaluation?.feedback ?? ''].join('\n').trim();
  const isRevision = rounds.length > 0 && plan !== undefined;
  return {
    settings,
    brief: {
      request,
      background,
      toolNames: settings.tools.map(({name}) => name),
      ...(isRevision ? {previous: plan} : {}),
      rounds,
      results: earlier,
      ...(feedback === '' ? {} : {feedback}),
    },
  };
}

export function executionInput(state: AgentState): ExecutionInput {
  const {request, background, settings, workspace, evidence, earlier, started} = state;
  const {agent, context: buffer, tools} = settings;
  const {explorationModel, decisionModel, maxToolTurns, maxToolRetries} = agent;
  return {
    plan: planOf(state),
    request,
    background,
    rules: {
      agent: {explorationModel, decisionModel, maxToolTurns, maxToolRetries},
      buffer,
      tools,
      panel: panelRules(settings),
    },
    maxParallelTasks: agent.maxParallelTasks,
    workspace,
    evidence,
    earlier,
    iterationsLeft: agent.maxIterations - started,
  };
}

export function evaluationInput(state: AgentState): EvaluationInput {
  const {request, results, settings, workspace} = state;
  return {request, plan: planOf(state), results, settings, workspace};
}

/** A state that comes after planning has a plan; the empty one stands in where types can't say so. */
export function planOf({plan}: AgentState): Plan {
  return plan ?? {objective: '', reasoning: '', tasks: []};
}

export function withPlanning(output: PlanningOutput): Partial<AgentState> {
  return output.kind === 'failed' ? {failure: output.failure} : {plan: output.plan};
}

export function withRound(state: AgentState, round: ReviewRound): Partial<AgentState> {
  const isRejection = round.verdict === 'rejected';
  return {
    rounds: [...state.rounds, round],
    rejections: state.rejections + (isRejection ? 1 : 0),
  };
}

export function withDecision(
  {results}: AgentState,
  {decision, by}: HumanGateOutput,
): Partial<AgentState> {
  if (decision.decision === 'approve') return {};
  if (decision.decision === 'edit') return {plan: decision.plan};
  const what = results.length > 0 ? 'result' : 'plan';
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  return {reason: `${by === 'person' ? 'a person' : by} rejected the ${what}${said}.`};
}

export function withExecution({started}: AgentState, output: ExecutionOutput): Partial<AgentState> {
  const {results, isOutOfIterations} = output;
  return {
    ...(isOutOfIterations ? {limit: 'max_iterations'} : {}),
    results,
    started: started + output.started,
  };
}

export function withEvaluation(output: EvaluationOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {evaluation} = output;
  const {cancelReason} = evaluation;
  return {evaluation, ...(cancelReason === undefined ? {} : {reason: cancelReason})};
}

/** What is left is planned anew: votes start over, results are kept. */
export function replanned(state: AgentState): Partial<AgentState> {
  return {
    earlier: [...state.earlier, ...state.results],
    results: [],
    rounds: [],
    rejections: 0,
    replans: state.replans + 1,
  };
}

export function lastVerdict({rounds}: AgentState): ReviewRound['verdict'] | undefined {
  return rounds.at(-1)?.verdict;
}

/** The number of rejections that opens the gate counts the one at hand. */
export function mayRevise(state: AgentState): boolean {
  const {rejections, settings} = state;
  return lastVerdict(state) === 'rejected' && rejections < settings.agent.maxPlanRevisions;
}

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

export function isAllowed({decision}: HumanGateOutput): boolean {
  return decision.decision === 'approve' || decision.decision === 'edit';
}

export function planReport(state: AgentState): Report {
  const by = state.settings.agent.decisionModel;
  const revision = state.rounds.length;
  const plan = planOf(state);
  if (revision === 0) return {type: 'plan.created', plan, by};
  return {type: 'plan.revised', plan, by, revision};
}

export function limitReport({started}: AgentState): Report {
  return {
    type: 'limit.reached',
    limit: 'max_iterations',
    message: `${started} tasks were started`,
  };
}
