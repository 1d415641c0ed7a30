/** The guards of the agent chart. */

import type {ReviewRound} from '../../domain/review.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type AgentState, isPlanOnly} from './agent-state.ts';
import {editFaults, isAllowed, isAllowedInVain} from './at-gate.ts';
import {evaluationOf, isStopped, mayReplan} from './judgement.ts';

interface GuardArgs {
  readonly context: AgentState;
}

type AgentGuard = (args: GuardArgs, output: HumanGateOutput) => boolean;

const isApproved = ({context}: GuardArgs): boolean => lastVerdict(context) === 'approved';
const isSuccess = ({context}: GuardArgs): boolean => evaluationOf(context)?.successful === true;

export const agentGuards = {
  hasFailed: ({context}) => context.failure !== undefined,
  isFaulty: ({context}) => editFaults(context).length > 0,
  isRepeated: ({context}) => context.draft.isRepeated,
  isApproved,
  isApprovedPlanOnly: (args) => isApproved(args) && isPlanOnly(args.context),
  isToConfirm: (args) => isApproved(args) && args.context.work.settings.agent.confirmExecution,
  isNoQuorum: ({context}) => lastVerdict(context) === 'noQuorum',
  mayRevise: ({context}) => mayRevise(context),
  isAllowedInVain: ({context}) => isAllowedInVain(context),
  isRefused: ({context: {gate}}) => gate.word !== undefined && !isAllowed(gate.word),
  isRevision: ({context: {gate}}) => gate.word?.decision.decision === 'revise',
  isEdit: ({context: {gate}}) => gate.word?.decision.decision === 'edit',
  isPlanOnly: ({context}) => isPlanOnly(context),
  isSuccess,
  isToReview: ({context}) => context.work.settings.agent.requireFinalReview,
  isStopped: ({context}) => isStopped(context),
  isHopeless: ({context}) => evaluationOf(context)?.cancelReason !== undefined,
  isAdvicePending: ({context}) => context.isAdvicePending,
  mayReplanWithAdvice: ({context}) => context.isAdvicePending && mayReplan(context),
  mayReplan: ({context}) => mayReplan(context),
  isAllowed: (_, output) => isAllowed(output),
  isAnotherWanted: (_, {decision}) => decision.decision === 'revise',
} satisfies Readonly<Record<string, AgentGuard>>;

function lastVerdict({rounds}: AgentState): ReviewRound['verdict'] | undefined {
  return rounds.at(-1)?.verdict;
}

/**
 * The current rejection counts towards the limit; rejections before a person asked for another plan do not. A planner that
 * proposed a rejected plan again is not asked once more.
 */
function mayRevise(state: AgentState): boolean {
  const {rounds, revisedAt, work, draft} = state;
  if (draft.isRepeated) return false;
  const rejections = rounds.slice(revisedAt).filter(({verdict}) => verdict === 'rejected').length;
  return lastVerdict(state) === 'rejected' && rejections < work.settings.agent.maxPlanRevisions;
}
