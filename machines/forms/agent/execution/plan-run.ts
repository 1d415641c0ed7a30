/** How a plan is run: what its execution is given, and what of that is kept. */

import {panelRules} from '../../../loop/action.ts';
import {type AgentState, planOf} from '../agent-state.ts';
import {grantOf} from '../at-gate.ts';
import {knownTo} from '../gathering/background.ts';
import type {ExecutionInput, ExecutionOutput, LimitChange} from './execution.ts';
import {resultsOf} from './open-work.ts';

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
    earlier: resultsOf(runs),
    iterationsLeft: iterationsLeft(state),
    grantedBy: grantOf(state),
    changes: state.changes,
  };
}

/** Tasks that the plan at hand may start. */
/** To an execution that runs. */
export function limitChange(state: AgentState): LimitChange {
  return {type: 'limit.changed', iterationsLeft: iterationsLeft(state)};
}

function iterationsLeft({settings, started}: AgentState): number {
  return settings.agent.maxIterations - started;
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  return {
    runs: [...state.runs, {plan: planOf(state), results: output.results}],
    started: state.started + output.started,
  };
}
