/** What the agent gives to each of its phases, and how it takes in what they come to. */

import type {AnyEventObject, DoneActorEvent, ErrorActorEvent} from 'xstate';

import {type Failure, toFailure} from '../../domain/failure.ts';
import {isProviderFailure} from '../../domain/model.ts';
import type {Plan} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import type {Proposal, ReviewRound} from '../../domain/review.ts';
import type {HumanGateInput, HumanGateOutput} from '../../human-gate.ts';
import type {ActionReviewed} from '../../loop/action-review.ts';
import type {ActionDenied} from '../../loop/tool-call.ts';
import type {QuorumInput} from '../../panel/round.ts';
import type {FormEvent} from '../../tree/form-event.ts';
import {
  type AgentState,
  confirmationQuestion,
  planProposal,
  planQuestion,
  resultProposal,
  resultQuestion,
} from './agent-state.ts';
import type {EvaluationInput, EvaluationOutput} from './evaluation.ts';
import type {ExecutionInput, ExecutionOutput, TaskSettled, TaskStarted} from './execution.ts';
import type {GatheringOutput} from './gathering.ts';
import type {PlanningInput, PlanningOutput} from './planning.ts';
import {providerFailureOf} from './schedule.ts';

/** What the agent hears beside the ends of its phases. */
export type AgentEvent =
  | FormEvent
  | TaskStarted
  | TaskSettled
  | ActionReviewed
  | ActionDenied
  | ErrorActorEvent;

interface Outputs {
  readonly gathering: GatheringOutput;
  readonly planning: PlanningOutput;
  readonly quorum: ReviewRound;
  readonly gate: HumanGateOutput;
  readonly execution: ExecutionOutput;
  readonly evaluation: EvaluationOutput;
}

/** What the child came to whose end this event tells; for transitions of its `onDone` only. */
export function outputOf<Child extends keyof Outputs>(
  event: AnyEventObject,
  child: Child,
): Outputs[Child] {
  if (event.type !== `xstate.done.actor.${child}`)
    throw new Error(`${event.type} is not the end of ${child}`);
  return (event as DoneActorEvent<Outputs[Child]>).output;
}

/** What a child failed with; for transitions of its `onError` only. */
export function errorOf(event: AnyEventObject): Failure {
  return toFailure((event as ErrorActorEvent).error);
}

/** A state that comes after planning has a plan; the empty one stands in where types can't say so. */
function planOf({plan}: AgentState): Plan {
  return plan ?? {objective: '', reasoning: '', tasks: []};
}

export function planningInput(state: AgentState): PlanningInput {
  const {request, context, settings, rounds, earlier, plan, evaluation} = state;
  const feedback = [...(evaluation?.problems ?? []), evaluation?.feedback ?? ''].join('\n').trim();
  const isRevision = rounds.length > 0 && plan !== undefined;
  return {
    settings,
    brief: {
      request,
      context,
      toolNames: settings.tools.map(({name}) => name),
      ...(isRevision ? {previous: plan} : {}),
      rounds,
      results: earlier,
      ...(feedback === '' ? {} : {feedback}),
    },
  };
}

export function planReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, planProposal(state, planOf(state)), state.rounds);
}

export function resultReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, resultProposal(state), []);
}

function quorumInput(
  {settings, context}: AgentState,
  proposal: Proposal,
  history: readonly ReviewRound[],
): QuorumInput {
  return {
    round: history.length + 1,
    proposal,
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    context,
    history,
  };
}

export function gateInput(
  state: AgentState,
  kind: 'plan' | 'confirmation' | 'result',
): HumanGateInput {
  const questions = {
    plan: planQuestion,
    confirmation: confirmationQuestion,
    result: resultQuestion,
  };
  return {hilMode: state.settings.agent.hilMode, question: questions[kind](state)};
}

export function executionInput(state: AgentState): ExecutionInput {
  const {request, context, settings, workspace, evidence, earlier, started, rejectionsInARow} =
    state;
  return {
    plan: planOf(state),
    request,
    context,
    settings,
    workspace,
    evidence,
    earlier,
    iterationsLeft: settings.agent.maxIterations - started,
    rejectionsInARow,
  };
}

export function evaluationInput(state: AgentState): EvaluationInput {
  const {request, results, settings, workspace} = state;
  return {request, plan: planOf(state), results, settings, workspace};
}

/** A new plan awaits approval: whoever approved its forerunner has not approved it. */
export function withPlanning(state: AgentState, output: PlanningOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  return {plan: output.plan, approvedBy: 'nobody'};
}

export function withEvaluation(output: EvaluationOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {cancelReason} = output.evaluation;
  return {
    evaluation: output.evaluation,
    ...(cancelReason === undefined ? {} : {reason: cancelReason}),
  };
}

export function withRound(state: AgentState, round: ReviewRound): Partial<AgentState> {
  const isRejection = round.verdict === 'rejected';
  return {
    rounds: [...state.rounds, round],
    reviews: [...state.reviews, round],
    rejections: state.rejections + (isRejection ? 1 : 0),
    ...(round.approved ? {approvedBy: 'panel' as const} : {}),
  };
}

export function withDecision(
  state: AgentState,
  {decision, by}: HumanGateOutput,
): Partial<AgentState> {
  const what = state.results.length > 0 ? 'result' : 'plan';
  if (decision.decision === 'approve') {
    return {approvedBy: by === 'auto_approve' ? by : 'person'};
  }
  if (decision.decision === 'edit') return {plan: decision.plan, approvedBy: 'person'};
  const said =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  return {reason: `${by === 'person' ? 'a person' : by} rejected the ${what}${said}.`};
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  const failure = providerFailureOf(output.results);
  return {
    ...(failure ? {failure} : {}),
    results: output.results,
    started: state.started + output.started,
    rejectionsInARow: output.rejectionsInARow,
  };
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

/** What the agent hears while its phases are at work, so that a run cut short tells it too. */
export function heard(state: AgentState, event: AgentEvent): Partial<AgentState> {
  if (event.type === 'task.started') return {atWork: [...state.atWork, event.task]};
  if (event.type === 'task.settled') {
    const {result} = event;
    const atWork = state.atWork.filter((id) => id !== result.id);
    return {results: [...state.results, result], atWork};
  }
  if (event.type === 'action.reviewed') return {reviews: [...state.reviews, event.round]};
  if (event.type === 'action.denied') return {denied: [...state.denied, event.denied]};
  return {};
}

/** The number of rejections that opens the gate counts the one at hand. */
export function mayRevise({rejections, settings}: AgentState, {verdict}: ReviewRound): boolean {
  return verdict === 'rejected' && rejections + 1 < settings.agent.maxPlanRevisions;
}

export function isPlanOnly({settings}: AgentState): boolean {
  return settings.agent.phaseScope === 'plan-only';
}

export function isAllowed({decision}: HumanGateOutput): boolean {
  return decision.decision === 'approve' || decision.decision === 'edit';
}

export function isProviderDown(output: PlanningOutput | EvaluationOutput): boolean {
  return output.kind === 'failed' && isProviderFailure(output.failure.code);
}

export function isSuccess(output: EvaluationOutput): boolean {
  return output.kind === 'judged' && output.evaluation.successful;
}

export function isHopeless(output: EvaluationOutput): boolean {
  return output.kind === 'judged' && output.evaluation.cancelReason !== undefined;
}

export function planReport(state: AgentState): Report {
  const by = state.settings.agent.decisionModel;
  const revision = state.rounds.length;
  const plan = planOf(state);
  if (revision === 0) return {type: 'plan.created', plan, by};
  return {type: 'plan.revised', plan, by, revision};
}
