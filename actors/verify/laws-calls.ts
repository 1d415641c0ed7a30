/** Law 1: no high-risk tool runs without an approval that covers exactly its arguments. */

import {canonicalJson, hashOf} from '../../machines/domain/digest.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {planDigest, type ProposedPlan} from '../../machines/domain/plan.ts';
import {callHash, type PreviewOutcome, riskOf} from '../../machines/domain/tool.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {PlacedReport, RecordedRun} from '../history/record.ts';
import type {Entry} from '../journal/journal.ts';
import {
  type Law,
  outcomeIn,
  type PlacedNote,
  type PlacedRound,
  type RecordIndex,
  textOf,
} from './record-index.ts';

/** A tool call that was about to run. */
interface RecordedCall {
  readonly entry: number;
  readonly key: string;
  readonly tool: string;
  readonly callHash: string;
  readonly approval: string | undefined;
  readonly isHigh: boolean;
}

export const approvedCalls: Law = (record, {violated, unproven, unchecked}) => {
  const {calls, unnamed} = callsIn(record);
  if (unnamed) unchecked(1, 'entries do not name the tool of an effect');
  for (const call of calls.filter(({isHigh}) => isHigh)) {
    const {tool, entry, approval} = call;
    if (approval === undefined) violated(1, entry, `${tool} is high-risk and ran without approval`);
    else if (approval !== call.callHash)
      violated(1, entry, `${tool} ran with other arguments than the approved ones`);
    else if (!isCovered(record, call))
      unproven(1, entry, `no recorded decision covers ${tool} with these arguments`);
  }
};

interface RecordedCalls {
  readonly calls: readonly RecordedCall[];
  /** Entries that do not name their tool, and that no replay explains. */
  readonly unnamed: boolean;
}

function callsIn(record: RecordIndex): RecordedCalls {
  const begun = record.entries.filter(isBeginning);
  const keys = new Set(begun.map(({key}) => key));
  const calls = begun.map((entry) => requestedCall(record, entry));
  const repeatable = [...record.outcomes.keys()].flatMap((key) => {
    const request = keys.has(key) ? undefined : record.replayed?.requests.get(key);
    return request ? [askedCall(record, key, request.entry)] : [];
  });
  return {
    calls: [...calls, ...repeatable].filter((call) => call !== undefined),
    unnamed: calls.includes(undefined),
  };
}

type Requested = Extract<Entry, {readonly type: 'requested'}>;

function isBeginning(entry: Entry): entry is Requested {
  return entry.type === 'requested' && entry.isTakenBack !== true && entry.isLost !== true;
}

function requestedCall(
  record: RecordIndex,
  {seq, key, tool, callHash: hash, approval}: Requested,
): RecordedCall | undefined {
  const asked = askedCall(record, key, seq);
  if (tool === undefined || hash === undefined) return asked;
  const isHigh =
    approval !== undefined || asked?.isHigh === true || record.tools.get(tool)?.risk === 'high';
  return {entry: seq, key, tool, callHash: hash, approval, isHigh};
}

/** The call as the replayed charts requested it. */
function askedCall(
  {replayed, tools}: RecordIndex,
  key: string,
  entry: number,
): RecordedCall | undefined {
  const asked = replayed?.requests.get(key)?.asked;
  if (asked?.port !== 'runTool') return undefined;
  const {tool, args, approval} = asked.request;
  const info = tools.get(tool);
  const isHigh = approval !== undefined || (info ? riskOf(info, args) === 'high' : true);
  return {entry, key, tool, callHash: callHash(tool, args), approval, isHigh};
}

function isCovered(record: RecordIndex, call: RecordedCall): boolean {
  const path = call.key.slice(0, call.key.lastIndexOf('/'));
  const isTyped = decidedBefore(record, call, call.callHash).some((decision) =>
    isGranting(record, decision),
  );
  return isTyped || isReviewed(record, call, path) || isPlanned(record, call);
}

function decidedBefore(
  {decisions}: RecordIndex,
  call: RecordedCall,
  subject: string,
): readonly PlacedNote[] {
  return (decisions.get(subject) ?? []).filter(({entry}) => entry < call.entry);
}

/** True if a panel, a person or a rule approved what the last preview of the call showed. */
function isReviewed(record: RecordIndex, call: RecordedCall, path: string): boolean {
  const own = `${path}/review`;
  const preview = record
    .outcomesBelow(own)
    .findLast(({key, seq}) => key.startsWith(`${own}/preview#`) && seq < call.entry);
  const ready = preview && readyIn(outcomeIn(preview));
  if (!ready || callHash(call.tool, ready.args) !== call.callHash) return false;
  return (
    isApprovedBelow(record, call, {path: own, ready}) ||
    isApprovedWithTurn(record, call, {path, ready})
  );
}

interface Shown {
  readonly path: string;
  readonly ready: Extract<PreviewOutcome, {kind: 'ready'}>;
}

/** True if a review at the path approved the action as a proposal of its own. */
function isApprovedBelow(
  record: RecordIndex,
  call: RecordedCall,
  {path, ready}: Shown,
  since = 0,
): boolean {
  const own = decidedBefore(record, call, actionHash(call.tool, ready)).filter(
    ({actor, entry}) => isAtOrBelow(actor, path) && entry >= since,
  );
  const isByPanel = own.some(({note}) => isApproving(note));
  if (isByPanel && ready.protectedReason === undefined) return true;
  return own.some((decision) => isGranting(record, decision));
}

/** True if the review of the call's turn approved the action, by itself or among others. `path`: that of the call. */
function isApprovedWithTurn(
  record: RecordIndex,
  call: RecordedCall,
  {path, ready}: Shown,
): boolean {
  const [, loop = '', turn = ''] = /^(.*)\/call:(\d+)\.\d+$/.exec(path) ?? [];
  const review = `${loop}/review`;
  const since = beginOfTurn(record, call, {loop, turn});
  const isOfTurn = ({actor, entry}: PlacedNote): boolean =>
    entry >= since && entry < call.entry && isAtOrBelow(actor, review);
  const voted = record.rounds.findLast(isOfTurn);
  return (
    isApprovedBelow(record, call, {path: review, ready}, since) ||
    isApprovedAmong(record, voted, {hash: actionHash(call.tool, ready), ready, isOfTurn})
  );
}

interface Among extends Pick<Shown, 'ready'> {
  readonly hash: string;
  readonly isOfTurn: (placed: PlacedNote) => boolean;
}

/** True if the action and those before it in the proposal were approved, or a person approved the proposal. */
function isApprovedAmong(
  record: RecordIndex,
  voted: PlacedRound | undefined,
  {hash, ready, isOfTurn}: Among,
): boolean {
  const {calls = [], proposalHash = ''} = voted?.round ?? {};
  const hashes = calls.map((call) => call.hash);
  const place = hashes.indexOf(hash);
  if (place === -1 || hashOf({calls: hashes}) !== proposalHash) return false;
  const isByPanel = calls.slice(0, place + 1).every(({verdict}) => verdict === 'approved');
  if (isByPanel && ready.protectedReason === undefined) return true;
  const decisions = record.decisions.get(proposalHash) ?? [];
  return decisions.some((decision) => isOfTurn(decision) && isGranting(record, decision));
}

/** The first entry after the calls of earlier turns of the loop. */
function beginOfTurn(
  record: RecordIndex,
  call: RecordedCall,
  {loop, turn}: {readonly loop: string; readonly turn: string},
): number {
  const earlier = record
    .outcomesBelow(loop)
    .findLast(
      ({key, seq}) =>
        seq < call.entry &&
        key.startsWith(`${loop}/call:`) &&
        !key.startsWith(`${loop}/call:${turn}.`),
    );
  return earlier ? earlier.seq + 1 : 0;
}

/** True if the plan with this call was allowed at a gate. */
function isPlanned(record: RecordIndex, call: RecordedCall): boolean {
  const task = /^i\/(.*)\/execution\/task:[^/]*\//.exec(call.key);
  const plan = planBefore(record, task?.[1] ?? '', call.entry);
  if (!task || !plan) return false;
  const isInPlan = plan.plan.tasks.some(
    ({tool, args}) => tool !== undefined && callHash(tool, args ?? {}) === call.callHash,
  );
  const digest = planDigest(plan.plan, plan.changes ?? []);
  const isAllowed = record.personDecisions.some(
    (decision) =>
      decision.entry < call.entry &&
      isGranting(record, decision) &&
      (textOf(decision.note['proposalHash']) === digest || decision.note['decision'] === 'edit'),
  );
  return isInPlan && isAllowed;
}

function isAtOrBelow(actor: string, path: string): boolean {
  return `i/${actor}` === path || `i/${actor}`.startsWith(`${path}/`);
}

function isApproving({type, verdict, approved}: JsonObject): boolean {
  return type === 'quorum.decided' && verdict === 'approved' && approved === true;
}

const granting: ReadonlySet<unknown> = new Set(['approve', 'always', 'edit', 'retry']);

/** True for a decision in favour. That of a person counts only if the run received it, unless the person typed the call. */
export function isGranting({entries, opened}: RecordIndex, {entry, note}: PlacedNote): boolean {
  if (note['type'] !== 'human.decided' || note['by'] === 'auto_reject') return false;
  if (!granting.has(note['decision'])) return false;
  if (note['by'] !== 'person' || opened?.form === 'command') return true;
  return entries.some(
    (each) =>
      each.type === 'received' &&
      each.seq < entry &&
      each.event['type'] === 'human.decided' &&
      each.event['gate'] === note['gate'],
  );
}

function readyIn(outcome: JsonObject): Extract<PreviewOutcome, {kind: 'ready'}> | undefined {
  const {kind, args, preview, basedOn, protectedReason} = outcome;
  if (kind !== 'ready' || !isJsonObject(args)) return undefined;
  return {
    kind,
    args,
    preview: textOf(preview),
    ...(typeof basedOn === 'string' ? {basedOn} : {}),
    ...(typeof protectedReason === 'string' ? {protectedReason} : {}),
  };
}

// Law 2: a plan is never executed without a recorded approval of that plan.

type Decided = Extract<Report, {readonly type: 'quorum.decided' | 'human.decided'}>;

export const approvedPlans: Law = ({replayed}, {unproven, unchecked}) => {
  if (!replayed) {
    unchecked(2, 'the plans of a run are known only from its replay');
    return;
  }
  /** By the path of the agent. */
  const plans = new Map<string, ProposedPlan>();
  const decisions = new Map<string, Decided>();
  for (const placed of replayed.reports) {
    const {report, actor, entry} = placed;
    const plan = planIn(placed);
    if (plan) plans.set(actor, plan);
    else if (isDecision(report)) decisions.set(parentOf(actor), report);
    else if (report.type === 'task.started') {
      const agent = parentOf(actor);
      if (!isApprovedBy(plans.get(agent), decisions.get(agent)))
        unproven(2, entry, `task ${report.task} started, and its plan was not approved`);
    }
  }
};

function isDecision(report: Report): report is Decided {
  return report.type === 'quorum.decided' || report.type === 'human.decided';
}

function parentOf(actor: string): string {
  return actor.slice(0, Math.max(0, actor.lastIndexOf('/')));
}

/** The last decision about a plan of this agent counts. */
function isApprovedBy(proposed: ProposedPlan | undefined, decision: Decided | undefined): boolean {
  if (!proposed || !decision) return false;
  const digest = planDigest(proposed.plan, proposed.changes ?? []);
  if (decision.type === 'quorum.decided')
    return decision.kind === 'plan' && decision.approved && decision.proposalHash === digest;
  if (decision.by === 'auto_reject' || isRefusal(decision.decision)) return false;
  if (decision.decision === 'edit')
    return (
      canonicalJson(plannedCalls(decision.plan)) === canonicalJson(plannedCalls(proposed.plan))
    );
  return decision.proposalHash === digest;
}

function isRefusal(decision: string): boolean {
  return decision === 'reject' || decision === 'revise';
}

/** The exact calls of a plan: an edited plan is recorded as it was given. */
function plannedCalls(plan: object = {}): readonly unknown[] {
  const tasks: unknown = 'tasks' in plan ? plan.tasks : [];
  return Array.isArray(tasks) ? tasks.map((task: unknown) => callIn(task)) : [];
}

function callIn(task: unknown): readonly unknown[] {
  if (typeof task !== 'object' || task === null) return [];
  return ['description', 'tool', 'args'].map((name) => Reflect.get(task, name) ?? '');
}

/** The last plan that the agent at this path had proposed at the entry. */
function planBefore(
  {replayed}: RecordedRun,
  agent: string,
  entry: number,
): ProposedPlan | undefined {
  const last = replayed?.reports.findLast(
    (placed) => placed.actor === agent && placed.entry <= entry && isPlan(placed),
  );
  return last && planIn(last);
}

export function planIn({report}: PlacedReport): ProposedPlan | undefined {
  return report.type === 'plan.created' || report.type === 'plan.revised' ? report : undefined;
}

function isPlan(placed: PlacedReport): boolean {
  return planIn(placed) !== undefined;
}
