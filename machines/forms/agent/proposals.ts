/** The proposals to a panel and the questions to a person. */

import {type AllowSubject, allowSubject, isLeftToRule} from '../../domain/allow-rule.ts';
import {hashOf} from '../../domain/digest.ts';
import {type Grant, type HumanQuestion, isApproval} from '../../domain/human.ts';
import {isJapanese} from '../../domain/language.ts';
import {
  callsIn,
  changeQuotations,
  changesText,
  type CheckedCalls,
  type Plan,
  planDigest,
  type PlannedCall,
  readPlan,
  workHash,
} from '../../domain/plan.ts';
import type {CallFact} from '../../domain/result.ts';
import {
  type ClaimedResult,
  isUnjudged,
  type Proposal,
  type ProposedCall,
  rejectionText,
  type ReviewRound,
  undecidedText,
  type WorkBefore,
} from '../../domain/review.ts';
import type {Fact} from '../../facts/fact.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {proposedCall} from '../../loop/action.ts';
import type {QuorumInput} from '../../panel/round.ts';
import {engineLine, fittedText, quotedFrom, spaced} from '../../prompts/section-text.ts';
import {currentRequest, messageSections} from '../../tree/messages.ts';
import {type AgentState, digestOf, type Gate, planOf} from './agent-state.ts';
import {rejectionOf} from './drafting.ts';
import {evaluationOf, reopened} from './evaluation/evaluation.ts';
import {openText, resultsText} from './evaluation/results-text.ts';
import {fateOf, groundAfter, type PlanRun, resultsOf} from './execution/open-work.ts';
import {knownTo} from './gathering.ts';

function planProposal(state: AgentState, plan: Plan): Proposal {
  const {work, evidence, runs, draft} = state;
  const {objections, changes} = draft;
  const {maxTotalBytes} = work.settings.context;
  return {
    kind: 'plan',
    title: plan.objective,
    hash: planDigest(plan, changes),
    text: JSON.stringify(plan, undefined, 2),
    ...(changes.length === 0
      ? {}
      : {changes: fittedText(changeQuotations(changes), maxTotalBytes, spaced)}),
    ...(runs.length === 0 ? {} : {before: workBefore(state)}),
    ...(objections.length === 0 ? {} : {objections}),
    facts: {
      ...currentRequest(work, state.pendingMessages),
      workspace: work.workspace,
      evidence: [...evidence, ...resultsOf(runs).flatMap((result) => result.evidence)],
      calls: callsToJudge(state, plan),
      claims: [plan.objective, plan.reasoning],
    },
  };
}

function callsOf({work: {settings}}: AgentState, {tasks}: Plan): ProposedCall[] {
  return tasks.flatMap(({tool, args = {}}) =>
    tool === undefined ? [] : [proposedCall({tool, args}, settings.tools)],
  );
}

/** The calls of a plan that reviewers judge: all except calls that a person allowed permanently. */
function callsToJudge(state: AgentState, plan: Plan): ProposedCall[] {
  const {settings, workspace} = state.work;
  return callsOf(state, plan).filter(
    ({args, facts}) => !isLeftToRule({args, facts, workspace}, settings.allow ?? []),
  );
}

/** The subject that a person may allow permanently: the only exact command of the plan. */
function lastingIn(state: AgentState): AllowSubject | undefined {
  const {workspace} = state.work;
  const subjects = callsOf(state, planOf(state)).flatMap(
    ({args, facts}) => allowSubject({args, facts, workspace}) ?? [],
  );
  return subjects.length === 1 ? subjects[0] : undefined;
}

/** The work before a later plan: its voters see the results, and the open work that the plan must cover. */
function workBefore({runs, work: {settings}}: AgentState): WorkBefore {
  return {done: resultsText(runs, settings.context.maxTotalBytes), open: openText(runs)};
}

export function resultProposal(state: AgentState): Proposal {
  const {work, runs, answer} = state;
  const {request, workspace, settings} = work;
  const title = state.draft.plan?.objective ?? request;
  const results = resultsOf(runs);
  const calls = results.flatMap((result) => result.calls ?? []).filter(isForPanel);
  const text = spaced(
    resultsText(runs, settings.context.maxTotalBytes),
    quotedFrom(engineLine`Answer to the request, as it will be shown`, answer),
  );
  const summary = `${title}\n${evaluationOf(state)?.feedback ?? ''}`;
  return {
    kind: 'result',
    title,
    hash: hashOf(answer === '' ? results : {results, answer}),
    text,
    shown: text,
    facts: {
      ...currentRequest(work, state.pendingMessages),
      workspace,
      evidence: results.flatMap((result) => result.evidence),
      calls: calls.map(({tool, args}) => proposedCall({tool, args}, settings.tools)),
      claims: answer === '' ? [summary] : [summary, answer],
      results: runs.flatMap((run, index) => claimedResults(run, runs.slice(index + 1))),
    },
  };
}

/** True for a call that ran, unless a person allowed it: the panel does not reject it afterwards. */
function isForPanel({status, allowedBy}: CallFact): boolean {
  return (status === 'succeeded' || status === 'failed') && allowedBy !== 'person';
}

/** The results of a plan. A failed task that a later plan redoes or drops counts as a success. */
function claimedResults({plan, results}: PlanRun, later: readonly PlanRun[]): ClaimedResult[] {
  const plans = later.map((run) => run.plan);
  return results.map(({id, status, output}) => {
    const task = plan.tasks.find((each) => each.id === id);
    const isTakenUp = task !== undefined && fateOf(task, plans) !== undefined;
    return {
      task: id,
      succeeded: status === 'succeeded' || isTakenUp,
      text: output,
      isReport: status === 'succeeded' && task?.args === undefined,
    };
  });
}

/** Asks about a plan without a quorum, over the revision limit or to be confirmed, and again after a faulty edit. */
export function planQuestion(state: AgentState): HumanQuestion {
  const last = state.rounds.at(-1);
  const faults = editFaults(state);
  const reason = gateReason(state, last);
  const lasting = isUnjudged(last) ? lastingIn(state) : undefined;
  return gateQuestion(state, {
    kind: last?.verdict === 'approved' ? 'confirmation' : 'plan',
    reason:
      faults.length === 0 ? reason : `The edited plan can't run: ${faults.join('; ')}. ${reason}`,
    ...(lasting ? {lasting} : {}),
    allowed: ['approve', ...(lasting ? (['always'] as const) : []), 'reject', 'edit', 'revise'],
  });
}

function gateReason(state: AgentState, last: ReviewRound | undefined): string {
  const {work, draft, rounds} = state;
  if (last?.verdict === 'approved')
    return 'The panel approved this plan; confirm_execution asks before it runs.';
  if (last?.verdict === 'noQuorum') {
    return `Quorum could not reach consensus. ${undecidedText(last, 'this plan')}`;
  }
  if (draft.isRepeated) {
    const against = againstText(rejectionOf(digestOf(state), rounds));
    return `The planner proposed a plan that was rejected before.${against}`;
  }
  return `Revision limit (${work.settings.agent.maxPlanRevisions}) exceeded.${againstText(last)}`;
}

function againstText(round: ReviewRound | undefined): string {
  return round ? ` ${rejectionText(round)}` : '';
}

export function resultQuestion(state: AgentState): HumanQuestion {
  const {text, hash} = resultProposal(state);
  const question = gateQuestion(state, {
    kind: 'result',
    reason: undecidedText(state.rounds.at(-1), 'the result'),
    allowed: ['approve', 'reject', 'revise'],
  });
  return {...question, preview: text, proposalHash: hash};
}

function gateQuestion(
  state: AgentState,
  question: Pick<HumanQuestion, 'kind' | 'reason' | 'allowed' | 'lasting'>,
): HumanQuestion {
  const {work, rounds} = state;
  const {plan, changes} = state.draft;
  const preview = changesText(changes);
  return {
    ...question,
    request: work.request,
    ...(plan ? {plan} : {}),
    ...(preview === undefined ? {} : {preview}),
    proposalHash: plan ? digestOf(state) : '',
    history: rounds,
  };
}

export function planReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, planProposal(state, planOf(state)), state.rounds);
}

export function resultReviewInput(state: AgentState): QuorumInput {
  return quorumInput(state, resultProposal(state), []);
}

function quorumInput(
  state: AgentState,
  proposal: Proposal,
  history: readonly ReviewRound[],
): QuorumInput {
  const {work, pendingMessages} = state;
  const {settings} = work;
  const found = pendingMessages.filter(({from}) => from === 'interaction');
  const sections = messageSections(found, settings.context.maxEntryBytes);
  return {
    round: history.length + 1,
    proposal,
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    background: [...knownTo(work), ...sections],
    history,
  };
}

// Decisions at a gate, and the grants that follow from them.

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
