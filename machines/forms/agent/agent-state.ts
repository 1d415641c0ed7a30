/** What an agent knows of its run, and how it takes in what its phases come to. */

import type {Evaluation} from '../../domain/evaluation.ts';
import type {Evidence} from '../../domain/evidence.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Grant} from '../../domain/human.ts';
import type {JsonObject} from '../../domain/json.ts';
import {isProviderFailure} from '../../domain/model.ts';
import {
  callsIn,
  type Plan,
  type PlannedCall,
  planHash,
  type PlanReading,
  readPlan,
  workHash,
} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import type {ReviewRound} from '../../domain/review.ts';
import type {Settings} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import type {EvaluationOutput} from './evaluation.ts';
import type {ExecutionOutput} from './execution.ts';
import {groundOf, type PlanRun} from './open-work.ts';
import type {PlanningOutput} from './planning.ts';

/** Gates at which the same plan may be allowed. */
const maxAllowances = 3;

export interface AgentInput {
  readonly request: string;
  /** Absolute path, links resolved. */
  readonly workspace: string;
  readonly settings: Settings;
  /** One to run instead of drafting any, in the shape of {@link Plan}: checked and voted on as any other. */
  readonly plan?: JsonObject;
}

/** A plan that a person gave, as far as it is read and checked. */
export interface GivenPlan {
  readonly reading: PlanReading;
  /** What is wrong with it, once its calls are checked. */
  readonly problems: readonly string[];
}

export interface AgentState extends Omit<AgentInput, 'plan'> {
  /** What was gathered about the workspace. */
  readonly background: string;
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
  readonly given?: GivenPlan;
  /** Who has allowed which plan, and with it the calls that it spells out. */
  readonly grant?: Grant;
  /** The {@link workHash} of each plan that was allowed at a gate, as often as it was. */
  readonly allowed: readonly string[];
  readonly reason: string;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openState({plan, ...input}: AgentInput): AgentState {
  return {
    ...input,
    ...(plan ? {given: {reading: readPlan(plan, input.settings.tools), problems: []}} : {}),
    background: '',
    evidence: [],
    rounds: [],
    started: 0,
    runs: [],
    allowed: [],
    reason: '',
  };
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
  const {settings, runs, allowed} = state;
  const {decision, by} = word;
  if (decision.decision === 'approve') {
    const plan = planOf(state);
    return {word, ...granted(plan, by), allowed: [...allowed, workHash(plan)]};
  }
  if (decision.decision === 'edit') {
    const reading = readPlan(decision.plan, settings.tools, groundOf(runs));
    return {word, given: {reading, problems: []}};
  }
  const what = evaluationOf(state)?.successful === true ? 'result' : 'plan';
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  return {word, reason: `${by === 'person' ? 'a person' : by} rejected the ${what}${said}.`};
}

/** A mode that rejects grants nothing. */
function granted(plan: Plan, by: HumanGateOutput['by']): Partial<AgentState> {
  return by === 'auto_reject' ? {} : {grant: {by, hash: planHash(plan)}};
}

/**
 * A given plan is the one at hand once nothing is wrong with it: one edited at a gate may run, one that was there at the
 * start is voted on. A gate asks again after a faulty one; a start has nobody to ask.
 */
export function withCheck(state: AgentState, found: readonly string[]): Partial<AgentState> {
  const {given, word, allowed} = state;
  const {reading} = given ?? {reading: {ok: false, problems: ['there is no plan']}};
  const problems = reading.ok ? found : reading.problems;
  if (!reading.ok || problems.length > 0) {
    const failure = {code: 'invalid_plan', message: problems.join('\n')};
    return {given: {reading, problems}, ...(word ? {} : {failure})};
  }
  const {plan} = reading;
  return word ? {plan, ...granted(plan, word.by), allowed: [...allowed, workHash(plan)]} : {plan};
}

/** The calls that a given plan spells out; none if it could not be read. */
export function givenCalls({given}: AgentState): PlannedCall[] {
  return given?.reading.ok === true ? callsIn(given.reading.plan) : [];
}

/** What is wrong with the plan that a person gave last. */
export function givenProblems({given, word}: AgentState): readonly string[] {
  const isLast = word === undefined || word.decision.decision === 'edit';
  return isLast ? (given?.problems ?? []) : [];
}

/** Who allowed exactly this plan at a gate, if anybody did. */
export function grantOf(state: AgentState): Grant['by'] | undefined {
  return state.grant?.hash === planHash(planOf(state)) ? state.grant.by : undefined;
}

/** A plan that was allowed so often, and that came to nothing as often, is not asked about again. */
export function isAllowedInVain(state: AgentState): boolean {
  const own = workHash(planOf(state));
  return state.allowed.filter((hash) => hash === own).length >= maxAllowances;
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  const {failure, results, isOutOfIterations} = output;
  return {
    ...(failure ? {failure} : {}),
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

export function mayReplan({runs, settings}: AgentState): boolean {
  return runs.length <= settings.agent.maxReplans;
}

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

/** Whether what failed is the provider: it does not serve this run. */
export function isProviderDown({failure}: AgentState): boolean {
  return failure !== undefined && isProviderFailure(failure.code);
}

export function isAllowed({decision}: HumanGateOutput): boolean {
  return decision.decision === 'approve' || decision.decision === 'edit';
}

export function planReport(state: AgentState): Report {
  const {rounds, given, settings} = state;
  const revision = rounds.length;
  const plan = planOf(state);
  const isGiven = given?.reading.ok === true && given.reading.plan === plan;
  const by = isGiven ? 'person' : settings.agent.decisionModel;
  if (revision === 0) return {type: 'plan.created', plan, by};
  const isUnchanged = rounds.at(-1)?.proposalHash === planHash(plan);
  return {type: 'plan.revised', plan, by, revision, ...(isUnchanged ? {isUnchanged} : {})};
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
