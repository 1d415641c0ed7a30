/** What an agent gives to each of its phases, of all that it knows. */

import {panelRules} from '../../loop/action.ts';
import {newsSections} from '../../loop/news-text.ts';
import {type AgentState, isFirst, knownTo, plannersOf, planOf} from './agent-state.ts';
import {grantOf} from './at-gate.ts';
import type {EnsembleInput} from './ensemble-state.ts';
import type {EvaluationInput} from './evaluation.ts';
import type {ExecutionInput} from './execution.ts';
import type {GatheringInput} from './gathering.ts';
import {groundOf, resultsOf} from './open-work.ts';
import type {PlanningInput} from './planning.ts';

export function gatheringInput({
  request,
  asked,
  inherited,
  workspace,
  settings,
  attachments,
}: AgentState): GatheringInput {
  const {agent, context, tools} = settings;
  return {
    request,
    asked,
    inherited,
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

function planningInput(state: AgentState): PlanningInput {
  const {request, news, settings, rounds, runs, plan, given} = state;
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
      news: newsSections(news, settings.context.maxEntryBytes),
      background: knownTo(state),
      ...(isRevision ? {previous: plan} : {}),
      rounds,
      runs,
      maxResults: settings.context.maxTotalBytes,
    },
  };
}

/** Several planners draft where an ensemble is wanted and there are several. */
export function draftingInput(state: AgentState): PlanningInput | EnsembleInput {
  const {agent, quorum, discuss, debate, context} = state.settings;
  const planning = planningInput(state);
  const planners = plannersOf(state);
  if (planners.length < 2) return planning;
  const {moderator, deadlineMs} = discuss;
  const {maxEntryBytes: maxNews} = context;
  const {maxRounds, intensity} = debate;
  return {
    planners,
    planning,
    deadlineMs: quorum.deadlineMs,
    minScore: agent.minPlanScore,
    ...(agent.strategy === 'debate'
      ? {debate: {rules: {maxRounds, intensity}, moderator, deadlineMs, maxNews}}
      : {}),
  };
}

export function executionInput(state: AgentState): ExecutionInput {
  const {request, asked, inherited, quoted, settings, workspace, evidence, runs} = state;
  const {agent, context: buffer, tools} = settings;
  const {explorationModel, decisionModel, maxToolTurns, maxToolRetries} = agent;
  return {
    plan: planOf(state),
    request,
    asked,
    background: knownTo(state),
    quoted,
    isTold: inherited === undefined ? undefined : true,
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
    iterationsLeft: iterationsLeft(state),
    grantedBy: grantOf(state),
  };
}

/** Tasks that the plan at hand may start. */
export function iterationsLeft({settings, started}: AgentState): number {
  return settings.agent.maxIterations - started;
}

export function evaluationInput(state: AgentState): EvaluationInput {
  const {request, inherited, news, runs, settings, workspace} = state;
  const {agent, context, maxOutputTokens} = settings;
  return {
    request,
    inherited,
    news: newsSections(news, context.maxEntryBytes),
    runs,
    workspace,
    model: agent.decisionModel,
    maxOutputTokens,
    maxResults: context.maxTotalBytes,
  };
}
