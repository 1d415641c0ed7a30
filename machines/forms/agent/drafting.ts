/** Drafting of a plan: by one planner, or by an ensemble. */

import type {EventObject, MachineContext} from 'xstate';

import {planDigest} from '../../domain/plan.ts';
import {isOpposed, type ReviewRound} from '../../domain/review.ts';
import type {Fact} from '../../facts/fact.ts';
import {asChart, type ChartLogic, lookedUp} from '../../machine-type.ts';
import {messageSections} from '../../tree/messages.ts';
import {type AgentState, digestOf, planOf} from './agent-state.ts';
import {groundAfter, resultsOf} from './execution/open-work.ts';
import {knownTo, surroundingSections} from './gathering.ts';
import {type EnsembleInput, ensembleMachine} from './planning/ensemble.ts';
import {type PlanningInput, planningMachine, type PlanningOutput} from './planning/planning.ts';

type PlannersInput = PlanningInput | EnsembleInput;
type PlannersLogic = ChartLogic<MachineContext, EventObject, PlannersInput, PlanningOutput>;

export const planningLogic: PlannersLogic = lookedUp((input: PlannersInput) =>
  asChart('planners' in input ? ensembleMachine : planningMachine),
);

/** An ensemble may make the first draft, or the draft after a settings change. A given plan is not drafted. */
export function draftBegun(state: AgentState): Partial<AgentState> {
  if (!isFirst(state)) return {isByEnsemble: state.isEnsembleDue, isEnsembleDue: false};
  return state.given ? {} : {isByEnsemble: true, isEnsembleDue: false};
}

/** The planners of an ensemble: the models of the panel, each once. Empty without an ensemble. */
function plannersOf({work, isByEnsemble}: AgentState): readonly string[] {
  const {agent, panel} = work.settings;
  if (agent.consensusLevel !== 'ensemble' || !isByEnsemble) return [];
  return [...new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model))];
}

/** True if no plan was voted on or run yet. */
function isFirst({rounds, runs}: AgentState): boolean {
  return rounds.length === 0 && runs.length === 0;
}

/** The input of an ensemble, or of one planner if there are fewer than two. */
export function draftingInput(state: AgentState): PlanningInput | EnsembleInput {
  const planning = planningInput(state);
  const planners = plannersOf(state);
  return planners.length < 2 ? planning : {planners, planning};
}

function planningInput(state: AgentState): PlanningInput {
  const {work, pendingMessages, rounds, revisedAt, runs, draft, given} = state;
  const {agent, context} = work.settings;
  const {plan} = draft;
  const isRevision = rounds.length > 0 && plan !== undefined;
  return {
    work,
    model: agent.decisionModel,
    ground: groundAfter(runs),
    ...(given && isFirst(state) ? {given} : {}),
    brief: {
      request: work.request,
      pendingMessages: messageSections(pendingMessages, context.maxEntryBytes),
      background: [
        ...knownTo(work),
        ...surroundingSections(work.surroundings, resultsOf(runs), context.maxEntryBytes),
      ],
      ...(isRevision ? {previous: plan, isByPerson: revisedAt === rounds.length} : {}),
      rounds,
      runs,
      maxResults: context.maxTotalBytes,
    },
  };
}

export function withPlanning({rounds}: AgentState, output: PlanningOutput): Partial<AgentState> {
  if (output.kind === 'failed') return {failure: output.failure};
  const {plan, changes = [], by, objections = []} = output;
  const isRepeated = rejectionOf(planDigest(plan, changes), rounds) !== undefined;
  return {draft: {plan, changes, author: by, objections, isRepeated}};
}

/** The last round with a reason against exactly this plan. A plan that only lacked votes may be proposed again. */
export function rejectionOf(hash: string, rounds: readonly ReviewRound[]): ReviewRound | undefined {
  return rounds.findLast((round) => round.proposalHash === hash && isOpposed(round));
}

export function planReport(state: AgentState): Fact {
  const {rounds, draft, gate, work} = state;
  const {author = work.settings.agent.decisionModel, changes} = draft;
  const reading = gate.edited?.reading;
  const revision = rounds.length;
  const plan = planOf(state);
  const by = reading?.ok === true && reading.plan === plan ? 'person' : author;
  const made = {plan, ...(changes.length === 0 ? {} : {changes}), by};
  if (revision === 0) return {type: 'plan.created', ...made};
  const isUnchanged = rounds.at(-1)?.proposalHash === digestOf(state);
  return {type: 'plan.revised', ...made, revision, ...(isUnchanged ? {isUnchanged} : {})};
}
