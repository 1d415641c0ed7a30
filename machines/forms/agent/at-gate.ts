/** Decisions at a gate, and the grants that follow from them. */

import {type Grant, isApproval} from '../../domain/human.ts';
import {isJapanese} from '../../domain/language.ts';
import {
  callsIn,
  type CheckedCalls,
  type Plan,
  planDigest,
  type PlannedCall,
  readPlan,
  workHash,
} from '../../domain/plan.ts';
import type {Fact} from '../../facts/fact.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type AgentState, type Gate, planOf} from './agent-state.ts';
import {groundAfter} from './execution/open-work.ts';
import {evaluationOf, reopened} from './judgement.ts';

/** Maximum number of gates at which the same plan is allowed. */
const maxAllowances = 3;

export function isAllowed({decision}: HumanGateOutput): boolean {
  return isApproval(decision) || decision.decision === 'edit';
}

export function withDecision(state: AgentState, word: HumanGateOutput): Partial<AgentState> {
  const {work, runs, rounds, gate: before} = state;
  const gate = {...before, word};
  const {decision, by} = word;
  if (isApproval(decision)) {
    const plan = planOf(state);
    return {gate: {...gate, ...granted(digestOf(state), by), ...withAllowed(gate, plan)}};
  }
  if (decision.decision === 'edit') {
    const reading = readPlan(decision.plan, work.settings.tools, groundAfter(runs));
    return {gate: {...gate, edited: {reading, problems: []}}};
  }
  if (decision.decision === 'revise') return {gate, revisedAt: rounds.length, ...reopened(state)};
  return {gate, reason: rejectionReason(state, word)};
}

/** In the language of the request. */
function rejectionReason(state: AgentState, {decision, by}: HumanGateOutput): string {
  const isResult = evaluationOf(state)?.successful === true;
  const said = decision.decision === 'reject' ? decision.reason : undefined;
  if (isJapanese(state.work.request)) {
    const why = said === undefined ? '。' : `: ${said}`;
    return `${by === 'person' ? '人' : ` ${by} `}が${isResult ? '結果' : '計画'}を却下しました${why}`.trim();
  }
  const why = said === undefined ? '' : `: ${said}`;
  return `${by === 'person' ? 'a person' : by} rejected the ${isResult ? 'result' : 'plan'}${why}.`;
}

/** The mode `auto_reject` grants nothing. */
function granted(hash: string, by: HumanGateOutput['by']): Pick<Gate, 'grant'> {
  return by === 'auto_reject' ? {} : {grant: {by, hash}};
}

function withAllowed({allowed}: Gate, plan: Plan): Pick<Gate, 'allowed'> {
  return {allowed: [...allowed, workHash(plan)]};
}

/** An edited plan without problems becomes the current plan and counts as allowed. */
export function withCheck(
  state: AgentState,
  {problems: found, changes = []}: CheckedCalls,
): Partial<AgentState> {
  const {draft, gate} = state;
  const {edited, word} = gate;
  if (!edited || !word) return {};
  const {reading} = edited;
  const problems = reading.ok ? found : reading.problems;
  if (!reading.ok || problems.length > 0) return {gate: {...gate, edited: {reading, problems}}};
  const {plan} = reading;
  const grant = granted(planDigest(plan, changes), word.by);
  return {draft: {...draft, plan, changes}, gate: {...gate, ...grant, ...withAllowed(gate, plan)}};
}

/** The exact calls of an edited plan. Empty if the plan could not be read. */
export function editedCalls({gate: {edited}}: AgentState): PlannedCall[] {
  return edited?.reading.ok === true ? callsIn(edited.reading.plan) : [];
}

/** The problems of the last edited plan. Empty if the last decision was not an edit. */
export function editFaults({gate: {edited, word}}: AgentState): readonly string[] {
  return word?.decision.decision === 'edit' ? (edited?.problems ?? []) : [];
}

/** SHA-256 of the plan and its changes: the subject of a vote or a gate. */
export function digestOf(state: AgentState): string {
  return planDigest(planOf(state), state.draft.changes);
}

/** Reports that an edited plan can't run, so that the decision had no effect. */
export function refusalOf(state: AgentState): Fact {
  const because = `the edited plan can't run: ${editFaults(state).join('; ')}`;
  return {type: 'decision.refused', proposalHash: digestOf(state), because};
}

/** Returns who allowed exactly this plan at a gate. */
export function grantOf(state: AgentState): Grant['by'] | undefined {
  const {grant} = state.gate;
  return grant?.hash === digestOf(state) ? grant.by : undefined;
}

/** True if the plan was allowed so often without success that it is not put to a gate again. */
export function isAllowedInVain(state: AgentState): boolean {
  const own = workHash(planOf(state));
  return state.gate.allowed.filter((hash) => hash === own).length >= maxAllowances;
}
