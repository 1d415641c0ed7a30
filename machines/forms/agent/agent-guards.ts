/** What decides between the agent's ways on: each guard reads the end of the phase that it leaves. */

import {
  type AgentEvent,
  isAllowed,
  isHopeless,
  isPlanOnly,
  isProviderDown,
  isSuccess,
  mayRevise,
  outputOf,
} from './agent-inputs.ts';
import type {AgentState} from './agent-state.ts';
import {providerFailureOf} from './schedule.ts';

interface Judged {
  readonly context: AgentState;
  readonly event: AgentEvent;
}

export const agentGuards = {
  isDown: ({event}: Judged) => outputOf(event, 'gathering').failure !== undefined,
  isPlanned: ({event}: Judged) => outputOf(event, 'planning').kind === 'ready',
  isProviderDown: ({event}: Judged) => isProviderDown(outputOf(event, 'planning')),
  isJudgeDown: ({event}: Judged) => isProviderDown(outputOf(event, 'evaluation')),
  isApprovedPlanOnly: ({context, event}: Judged) =>
    outputOf(event, 'quorum').approved && isPlanOnly(context),
  isToConfirm: ({context, event}: Judged) =>
    outputOf(event, 'quorum').approved && context.settings.agent.confirmExecution,
  isApproved: ({event}: Judged) => outputOf(event, 'quorum').approved,
  isNoQuorum: ({event}: Judged) => outputOf(event, 'quorum').verdict === 'noQuorum',
  mayRevise: ({context, event}: Judged) => mayRevise(context, outputOf(event, 'quorum')),
  isAllowedPlanOnly: ({context, event}: Judged) =>
    isAllowed(outputOf(event, 'gate')) && isPlanOnly(context),
  isAllowed: ({event}: Judged) => isAllowed(outputOf(event, 'gate')),
  isOutOfIterations: ({event}: Judged) => outputOf(event, 'execution').isOutOfIterations,
  isProviderLost: ({event}: Judged) =>
    providerFailureOf(outputOf(event, 'execution').results) !== undefined,
  isUnjudged: ({event}: Judged) => outputOf(event, 'evaluation').kind === 'failed',
  isSuccessToReview: ({context, event}: Judged) =>
    isSuccess(outputOf(event, 'evaluation')) && context.settings.agent.requireFinalReview,
  isSuccess: ({event}: Judged) => isSuccess(outputOf(event, 'evaluation')),
  isHopeless: ({event}: Judged) => isHopeless(outputOf(event, 'evaluation')),
  mayReplan: ({context}: Judged) => context.replans < context.settings.agent.maxReplans,
};
