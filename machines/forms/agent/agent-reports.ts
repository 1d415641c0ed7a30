/** What an agent tells of itself while it goes. */

import {planHash} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import {type AgentState, evaluationOf, mayReplan, planOf} from './agent-state.ts';

export function planReport(state: AgentState): Report {
  const {rounds, author, edited, settings} = state;
  const revision = rounds.length;
  const plan = planOf(state);
  const isEdited = edited?.reading.ok === true && edited.reading.plan === plan;
  const by = isEdited ? 'person' : (author ?? settings.agent.decisionModel);
  if (revision === 0) return {type: 'plan.created', plan, by};
  const isUnchanged = rounds.at(-1)?.proposalHash === planHash(plan);
  return {type: 'plan.revised', plan, by, revision, ...(isUnchanged ? {isUnchanged} : {})};
}

export function verdictReport(state: AgentState): Report | undefined {
  const evaluation = evaluationOf(state);
  if (!evaluation) return undefined;
  const {successful, cancelReason} = evaluation;
  const isReplanned = !successful && cancelReason === undefined && mayReplan(state);
  return {type: 'result.judged', ...evaluation, isReplanned};
}
