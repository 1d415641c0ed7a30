/** The input of an execution, and the update of the state by its output. */

import {type AgentState, planOf, workOf} from '../agent-state.ts';
import {grantOf} from '../at-gate.ts';
import type {ExecutionInput, ExecutionOutput, LimitChange} from './execution.ts';

export function executionInput(state: AgentState): ExecutionInput {
  return {
    work: workOf(state),
    plan: planOf(state),
    evidence: state.evidence,
    runs: state.runs,
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
