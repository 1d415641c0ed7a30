/** What was said at a gate, and what it allows. */

import {type Grant, isApproval} from '../../domain/human.ts';
import {isJapanese} from '../../domain/language.ts';
import {type CheckedCalls, planDigest} from '../../domain/plan-changes.ts';
import {callsIn, type PlannedCall, readPlan, workHash} from '../../domain/plan.ts';
import type {Fact} from '../../facts/fact.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type AgentState, planOf} from './agent-state.ts';
import {groundAfter} from './execution/open-work.ts';
import {evaluationOf} from './judgement.ts';

/** Gates at which the same plan may be allowed. */
const maxAllowances = 3;

export function isAllowed({decision}: HumanGateOutput): boolean {
  return isApproval(decision) || decision.decision === 'edit';
}

export function withDecision(state: AgentState, word: HumanGateOutput): Partial<AgentState> {
  const {settings, runs, allowed} = state;
  const {decision, by} = word;
  if (isApproval(decision)) {
    const plan = planOf(state);
    return {word, ...granted(digestOf(state), by), allowed: [...allowed, workHash(plan)]};
  }
  if (decision.decision === 'edit') {
    const reading = readPlan(decision.plan, settings.tools, groundAfter(runs));
    return {word, edited: {reading, problems: []}};
  }
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

/** A mode that rejects grants nothing. */
function granted(hash: string, by: HumanGateOutput['by']): Partial<AgentState> {
  return by === 'auto_reject' ? {} : {grant: {by, hash}};
}

/** An edited plan is the one at hand, and allowed, once nothing is wrong with it. */
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

/** The calls that an edited plan spells out; none if it could not be read. */
export function editedCalls({edited}: AgentState): PlannedCall[] {
  return edited?.reading.ok === true ? callsIn(edited.reading.plan) : [];
}

/** What is wrong with the plan as it was just edited. */
export function editFaults({edited, word}: AgentState): readonly string[] {
  return word?.decision.decision === 'edit' ? (edited?.problems ?? []) : [];
}

/** SHA-256 of what a vote or a gate decides on. */
export function digestOf(state: AgentState): string {
  return planDigest(planOf(state), state.changes);
}

/** An edited plan that can't run: the decision took no effect. */
export function refusalOf(state: AgentState): Fact {
  const because = `the edited plan can't run: ${editFaults(state).join('; ')}`;
  return {type: 'decision.refused', proposalHash: digestOf(state), because};
}

/** Who allowed exactly this plan at a gate, if anybody did. */
export function grantOf(state: AgentState): Grant['by'] | undefined {
  return state.grant?.hash === digestOf(state) ? state.grant.by : undefined;
}

/** A plan that was allowed so often, and that came to nothing as often, is not asked about again. */
export function isAllowedInVain(state: AgentState): boolean {
  const own = workHash(planOf(state));
  return state.allowed.filter((hash) => hash === own).length >= maxAllowances;
}
