/** What an agent asks itself on its way. */

import type {ReviewRound} from '../../domain/review.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type AgentState, isPlanOnly} from './agent-state.ts';
import {editFaults, isAllowed, isAllowedInVain} from './at-gate.ts';
import {evaluationOf, mayReplan} from './judgement.ts';

interface Asked {
  readonly context: AgentState;
}

type Question = (asked: Asked, output: HumanGateOutput) => boolean;

const isApproved = ({context}: Asked): boolean => lastVerdict(context) === 'approved';
const isSuccess = ({context}: Asked): boolean => evaluationOf(context)?.successful === true;

export const agentGuards = {
  hasFailed: ({context}) => context.failure !== undefined,
  isFaulty: ({context}) => editFaults(context).length > 0,
  isRepeated: ({context}) => context.isRepeated,
  isApproved,
  isApprovedPlanOnly: (asked) => isApproved(asked) && isPlanOnly(asked.context),
  isToConfirm: (asked) => isApproved(asked) && asked.context.settings.agent.confirmExecution,
  isNoQuorum: ({context}) => lastVerdict(context) === 'noQuorum',
  mayRevise: ({context}) => mayRevise(context),
  isAllowedInVain: ({context}) => isAllowedInVain(context),
  isRefused: ({context: {word}}) => word !== undefined && !isAllowed(word),
  isEdit: ({context: {word}}) => word?.decision.decision === 'edit',
  isPlanOnly: ({context}) => isPlanOnly(context),
  isSuccess,
  isToReview: ({context}) => context.settings.agent.requireFinalReview,
  isHopeless: ({context}) => evaluationOf(context)?.cancelReason !== undefined,
  isAdvicePending: ({context}) => context.isAdvicePending,
  mayReplanWithCounsel: ({context}) => context.isAdvicePending && mayReplan(context),
  mayReplan: ({context}) => mayReplan(context),
  isAllowed: (_, output) => isAllowed(output),
} satisfies Readonly<Record<string, Question>>;

function lastVerdict({rounds}: AgentState): ReviewRound['verdict'] | undefined {
  return rounds.at(-1)?.verdict;
}

/** The number of rejections that opens the gate counts the one at hand. A planner without another plan is not asked again. */
function mayRevise(state: AgentState): boolean {
  const {rounds, settings, isRepeated} = state;
  if (isRepeated) return false;
  const rejections = rounds.filter(({verdict}) => verdict === 'rejected').length;
  return lastVerdict(state) === 'rejected' && rejections < settings.agent.maxPlanRevisions;
}
