/** What an agent knows of its run, what it gives to each of its phases, and how it takes in what they come to. */

import {type Attachment, attachedEvidence} from '../../domain/attachment.ts';
import type {Evaluation} from '../../domain/evaluation.ts';
import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Plan} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import type {ReviewRound} from '../../domain/review.ts';
import {attachedSection, writeSections} from '../../domain/sections.ts';
import type {Settings} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {panelRules} from '../../loop/action.ts';
import type {EvaluationInput, EvaluationOutput} from './evaluation.ts';
import type {ExecutionInput, ExecutionOutput} from './execution.ts';
import type {GatheringInput, GatheringOutput} from './gathering.ts';
import {groundOf, type PlanRun, resultsOf} from './open-work.ts';
import type {PlanningInput, PlanningOutput} from './planning.ts';

export interface AgentInput {
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
  readonly attachments?: readonly Attachment[];
  /** The first plan, in place of a model's. */
  readonly given?: Plan;
}

export interface AgentState extends AgentInput {
  readonly attachments: readonly Attachment[];
  /** What was gathered about the workspace. */
  readonly background: string;
  /** What of it others wrote, in full. */
  readonly quoted: string;
  readonly evidence: readonly Evidence[];
  readonly plan?: Plan;
  /** Votes on the plan at hand and its forerunners since the last replanning; after a plan ran, on its result. */
  readonly rounds: readonly ReviewRound[];
  /** Tasks, of all plans. */
  readonly started: number;
  /** The plans that ran, in order. */
  readonly runs: readonly PlanRun[];
  /** What was last said at a gate. */
  readonly word?: HumanGateOutput;
  readonly reason: string;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openState(input: AgentInput): AgentState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    background: '',
    quoted: '',
    evidence: attachedEvidence(attachments),
    rounds: [],
    started: 0,
    runs: [],
    reason: '',
  };
}

export function gatheringInput({
  request,
  workspace,
  settings,
  attachments,
}: AgentState): GatheringInput {
  const {agent, context, tools} = settings;
  return {
    request,
    attachments,
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

/** What was attached comes first: it is what the request is about. */
export function withGathering(
  {attachments, evidence}: AgentState,
  gathered: GatheringOutput,
): Partial<AgentState> {
  const attached = writeSections([attachedSection(attachments)]);
  return {
    background: [attached, gathered.background].filter((part) => part !== '').join('\n\n'),
    quoted: [attached, gathered.quoted].join('\n').trim(),
    evidence: [...evidence, ...gathered.evidence],
    ...(gathered.failure ? {failure: gathered.failure} : {}),
  };
}

export function planningInput(state: AgentState): PlanningInput {
  const {request, background, settings, rounds, runs, plan, given} = state;
  const {agent, tools, maxOutputTokens} = settings;
  const isRevision = rounds.length > 0 && plan !== undefined;
  return {
    model: agent.decisionModel,
    tools,
    ground: groundOf(runs),
    maxOutputTokens,
    ...(given && isFirst(state) ? {given} : {}),
    brief: {
      request,
      background,
      toolNames: tools.map(({name}) => name),
      ...(isRevision ? {previous: plan} : {}),
      rounds,
      runs,
    },
  };
}

/** Nothing was voted on or run. */
function isFirst({rounds, runs}: AgentState): boolean {
  return rounds.length === 0 && runs.length === 0;
}

export function executionInput(state: AgentState): ExecutionInput {
  const {request, background, quoted, settings, workspace, evidence, runs, started} = state;
  const {agent, context: buffer, tools} = settings;
  const {explorationModel, decisionModel, maxToolTurns, maxToolRetries} = agent;
  return {
    plan: planOf(state),
    request,
    background,
    quoted,
    rules: {
      agent: {explorationModel, decisionModel, maxToolTurns, maxToolRetries},
      buffer,
      tools,
      panel: panelRules(settings),
    },
    maxParallelTasks: agent.maxParallelTasks,
    workspace,
    evidence,
    earlier: resultsOf(runs),
    iterationsLeft: agent.maxIterations - started,
  };
}

export function evaluationInput({request, runs, settings, workspace}: AgentState): EvaluationInput {
  const {agent, maxOutputTokens} = settings;
  return {request, runs, workspace, model: agent.decisionModel, maxOutputTokens};
}

/** A state that comes after planning has a plan; the empty one stands in where types can't say so. */
export function planOf({plan}: AgentState): Plan {
  return plan ?? {objective: '', reasoning: '', tasks: []};
}

export function withPlanning(output: PlanningOutput): Partial<AgentState> {
  return output.kind === 'failed' ? {failure: output.failure} : {plan: output.plan};
}

export function withRound({rounds}: AgentState, round: ReviewRound): Partial<AgentState> {
  return {rounds: [...rounds, round]};
}

export function withDecision(state: AgentState, word: HumanGateOutput): Partial<AgentState> {
  const {decision, by} = word;
  if (decision.decision === 'approve') return {word};
  if (decision.decision === 'edit') return {word, plan: decision.plan};
  const what = evaluationOf(state)?.successful === true ? 'result' : 'plan';
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  return {word, reason: `${by === 'person' ? 'a person' : by} rejected the ${what}${said}.`};
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  const {results, isOutOfIterations} = output;
  return {
    ...(isOutOfIterations ? {limit: 'max_iterations'} : {}),
    runs: [...state.runs, {plan: planOf(state), results}],
    started: state.started + output.started,
  };
}

export function withEvaluation({runs}: AgentState, output: EvaluationOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {evaluation} = output;
  const {cancelReason} = evaluation;
  return {
    runs: runs.map((run, index) => (index === runs.length - 1 ? {...run, evaluation} : run)),
    ...(cancelReason === undefined ? {} : {reason: cancelReason}),
  };
}

export function evaluationOf({runs}: AgentState): Evaluation | undefined {
  return runs.at(-1)?.evaluation;
}

export function lastVerdict({rounds}: AgentState): ReviewRound['verdict'] | undefined {
  return rounds.at(-1)?.verdict;
}

/** The number of rejections that opens the gate counts the one at hand. */
export function mayRevise(state: AgentState): boolean {
  const {rounds, settings} = state;
  const rejections = rounds.filter(({verdict}) => verdict === 'rejected').length;
  return lastVerdict(state) === 'rejected' && rejections < settings.agent.maxPlanRevisions;
}

export function mayReplan({runs, settings}: AgentState): boolean {
  return runs.length <= settings.agent.maxReplans;
}

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

export function isAllowed({decision}: HumanGateOutput): boolean {
  return decision.decision === 'approve' || decision.decision === 'edit';
}

export function planReport(state: AgentState): Report {
  const by = state.given && isFirst(state) ? 'a person' : state.settings.agent.decisionModel;
  const revision = state.rounds.length;
  const plan = planOf(state);
  if (revision === 0) return {type: 'plan.created', plan, by};
  return {type: 'plan.revised', plan, by, revision};
}

export function verdictReport(state: AgentState): Report | undefined {
  const evaluation = evaluationOf(state);
  if (!evaluation) return undefined;
  const {successful, cancelReason} = evaluation;
  const isReplanned = !successful && cancelReason === undefined && mayReplan(state);
  return {type: 'result.judged', ...evaluation, isReplanned};
}

export function limitReport({started}: AgentState): Report {
  return {
    type: 'limit.reached',
    limit: 'max_iterations',
    message: `${started} tasks were started`,
  };
}
