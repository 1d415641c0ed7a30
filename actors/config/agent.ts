/** What the configuration says of the agent form. */

import type {Seat} from '../../machines/domain/review.ts';
import type {AgentSettings} from '../../machines/domain/settings.ts';
import type {Roles} from './roles.ts';
import type {Config} from './schema.ts';

/** An ensemble takes at least two planners, and time. */
export function ensembleWarnings({agent}: Config, panel: readonly Seat[]): string[] {
  if (agent.consensus_level !== 'ensemble') return [];
  if (agent.phase_scope === 'fast') return ['fast has one planner: the ensemble is left out'];
  const planners = new Set(panel.filter(({kind}) => kind === 'model').map(({model}) => model));
  if (planners.size > 1) return [];
  return [
    `an ensemble takes two models on the panel (agent.review_models), and there ${planners.size === 1 ? 'is one' : 'is none'}: one planner plans alone`,
  ];
}

export function toAgent(agent: Config['agent'], roles: Roles): AgentSettings {
  return {
    consensusLevel: agent.phase_scope === 'fast' ? 'solo' : agent.consensus_level,
    phaseScope: agent.phase_scope,
    hilMode: agent.hil_mode,
    maxPlanRevisions: agent.max_plan_revisions,
    minPlanScore: agent.min_plan_score,
    maxReplans: agent.max_replans,
    maxIterations: agent.max_iterations,
    maxToolTurns: agent.max_tool_turns,
    maxToolRetries: agent.max_tool_retries,
    maxParallelTasks: agent.max_parallel_tasks,
    requireFinalReview: agent.require_final_review,
    confirmExecution: agent.confirm_execution,
    explorationModel: roles.exploration,
    decisionModel: roles.decision,
  };
}
