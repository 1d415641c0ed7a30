/** The input of an execution, and the update of the state by its output. */

import {panelRules} from '../../../loop/action.ts';
import {type AgentState, planOf} from '../agent-state.ts';
import {grantOf} from '../at-gate.ts';
import {knownTo} from '../gathering/background.ts';
import type {ExecutionInput, ExecutionOutput, LimitChange} from './execution.ts';

export function executionInput(state: AgentState): ExecutionInput {
  const {request, asked, inherited, quoted, settings, workspace, evidence, runs} = state;
  const {agent, context: buffer, tools} = settings;
  const {explorationModel, decisionModel, maxToolTurns, maxToolRetries} = agent;
  return {
    plan: planOf(state),
    request,
    asked,
    background: knownTo(state),
    surroundings: state.surroundings,
    quoted,
    hasRetoldText: inherited === undefined ? undefined : true,
    rules: {
      agent: {explorationModel, decisionModel, maxToolTurns, maxToolRetries},
      buffer,
      tools,
      panel: panelRules(settings),
    },
    maxParallelTasks: agent.maxParallelTasks,
    workspace,
    evidence,
    runs,
    iterationsLeft: iterationsLeft(state),
    grantedBy: grantOf(state),
    changes: state.changes,
  };
}

/** The new limit for an active execution. */
export function limitChange(state: AgentState): LimitChange {
  return {type: 'limit.changed', iterationsLeft: iterationsLeft(state)};
}

/** The number of tasks that the current plan may start. */
function iterationsLeft({settings, started}: AgentState): number {
  return settings.agent.maxIterations - started;
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  return {
    runs: [...state.runs, {plan: planOf(state), results: output.results}],
    started: state.started + output.started,
  };
}
