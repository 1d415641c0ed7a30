/** Decisions at a gate, and the grants that follow from them. */

import {type Grant, isApproval} from '../../domain/human.ts';
import {isJapanese} from '../../domain/language.ts';
import {
  callsIn,
  type CheckedCalls,
  planDigest,
  type PlannedCall,
  readPlan,
  workHash,
} from '../../domain/plan.ts';
import type {Fact} from '../../facts/fact.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type AgentState, planOf} from './agent-state.ts';
import {groundAfter} from './execution/open-work.ts';
import {evaluationOf, reopened} from './judgement.ts';

/** Maximum number of gates at which the same plan is allowed. */
const maxAllowances = 3;

export function isAllowed({decision}: HumanGateOutput): boolean {
  return isApproval(decision) || decision.decision === 'edit';
}

export function withDecision(state: AgentState, word: HumanGateOutput): Partial<AgentState> {
  const {settings, runs, rounds, allowed} = state;
  const {decision, by} = word;
  if (isApproval(decision)) {
    const plan = planOf(state);
    return {word, ...granted(digestOf(state), by), allowed: [...allowed, workHash(plan)]};
  }
  if (decision.decision === 'edit') {
    const reading = readPlan(decision.plan, settings.tools, groundAfter(runs));
    return {word, edited: {reading, problems: []}};
  }
  if (decision.decision === 'revise') return {word, revisedAt: rounds.length, ...reopened(state)};
  return {word, reason: rejectionReason(state, word)};
}

/** In the language of the request. */
function rejectionReason(state: AgentState, {decision, by}: HumanGateOutput): string {
  const isResult = evaluationOf(state)?.successful === true;
  const said = decision.decision === 'reject' ? decision.reason : undefined;
  if (isJapanese(state.request)) {
    const why = said === undefined ? '。' : `: ${said}`;
    return `${by === 'person' ? '人' : ` ${by} `}が${isResult ? '結果' : '計画'}を却下しました${why}`.trim();
  }
  const why = said === undefined ? '' : `: ${said}`;
  return `${by === 'person' ? 'a person' : by} rejected the ${isResult ? 'result' : 'plan'}${why}.`;
}

/** The mode `auto_reject` grants nothing. */
function granted(hash: string, by: HumanGateOutput['by']): Partial<AgentState> {
  return by === 'auto_reject' ? {} : {grant: {by, hash}};
}

/** An edited plan without problems becomes the current plan and counts as allowed. */
export function withCheck(
  state: AgentState,
  {problems: found, changes = []}: CheckedCalls,
): Partial<AgentState> {
  const {edited, word, allowed} = state;
  if (!edited || !word) return {};
  const {reading} = edited;
  if (!reading.ok) return {edited: {reading, problems: reading.problems}};
  const {plan} = reading;
  if (found.length > 0) return {edited: {reading, problems: found}};
  const grant = granted(planDigest(plan, changes), word.by);
  return {plan, changes, ...grant, allowed: [...allowed, workHash(plan)]};
}

/** The exact calls of an edited plan. Empty if the plan could not be read. */
export function editedCalls({edited}: AgentState): PlannedCall[] {
  return edited?.reading.ok === true ? callsIn(edited.reading.plan) : [];
}

/** The problems of the last edited plan. Empty if the last decision was not an edit. */
export function editFaults({edited, word}: AgentState): readonly string[] {
  return word?.decision.decision === 'edit' ? (edited?.problems ?? []) : [];
}

/** SHA-256 of the plan and its changes: the subject of a vote or a gate. */
export function digestOf(state: AgentState): string {
  return planDigest(planOf(state), state.changes);
}

/** Reports that an edited plan can't run, so that the decision had no effect. */
export function refusalOf(state: AgentState): Fact {
  const because = `the edited plan can't run: ${editFaults(state).join('; ')}`;
  return {type: 'decision.refused', proposalHash: digestOf(state), because};
}

/** Returns who allowed exactly this plan at a gate. */
export function grantOf(state: AgentState): Grant['by'] | undefined {
  return state.grant?.hash === digestOf(state) ? state.grant.by : undefined;
}

/** True if the plan was allowed so often without success that it is not put to a gate again. */
export function isAllowedInVain(state: AgentState): boolean {
  const own = workHash(planOf(state));
  return state.allowed.filter((hash) => hash === own).length >= maxAllowances;
}
