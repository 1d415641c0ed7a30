/** Laws 1, 2, 3 and 10: calls and plans run only after approval, votes are counted truthfully, repeats are limited. */

import {canonicalJson, hashOf} from '../../machines/domain/digest.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import {planHash} from '../../machines/domain/plan.ts';
import type {ProposalKind, Seat} from '../../machines/domain/review.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {callHash} from '../../machines/domain/tool.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {PortName} from '../../machines/ports.ts';
import {engineLine, jsonLines, quotedFrom} from '../../machines/prompts/section-text.ts';
import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import {
  above,
  decisionOf,
  listIn,
  type History,
  reportsOf,
  type Requested,
  requestsOf,
  type Settled,
  settlementsOf,
  under,
  unless,
  valueIn,
  withPast,
} from './laws-record.ts';

/** The subject of a vote: its hash, which policies see, and words that every reviewer reads. */
interface Matter {
  readonly kind: ProposalKind;
  readonly hash: string;
  readonly words: readonly string[];
}

/** Law 1: a high-risk tool runs with exactly the arguments that were previewed and that its panel or a person approved. */
export function unapprovedCalls(
  {log}: Played,
  settings: Pick<Settings, 'tools' | 'panel'>,
): string[] {
  return withPast(log).flatMap(({asked, past}) =>
    asked.port === 'runTool' && isHighRisk(asked.request.tool, settings)
      ? faultsOfCall(asked, past, settings)
      : [],
  );
}

function isHighRisk(name: string, {tools}: Pick<Settings, 'tools'>): boolean {
  return tools.every((tool) => tool.name !== name || tool.risk === 'high');
}

function faultsOfCall(
  {path, request}: Requested<'runTool'>,
  past: History,
  {panel}: Pick<Settings, 'panel'>,
): string[] {
  const {tool, args, approval} = request;
  const review = `${above(path)}/review`;
  const since = sinceLastPreview(past, review);
  const preview = settlementsOf(under(since, review), 'previewTool').at(-1)?.outcome;
  const same = canonicalJson(valueIn(preview, 'args')) === canonicalJson(args);
  const isApproved =
    isCallGranted(past, above(path)) ||
    isCallApproved(since, review, {tool, args}, panel) ||
    isApprovedWithTurn(past, above(path), shownHash(tool, args, under(since, review)), panel);
  return [
    ...unless(isApproved, `${path} runs without approval`),
    ...unless(same, `${path} runs with other arguments than were previewed`),
    ...unless(approval === callHash(tool, args), `${path} carries an approval of another call`),
  ];
}

/** True when a plan that was allowed at a gate spells out the call. A protected call needs the permission of a person. */
function isCallGranted(past: History, call: string): boolean {
  const {plan, byPerson} = allowedPlan(past);
  const task = listIn(plan, 'tasks').find((each) =>
    call.endsWith(`/task:${encodeURIComponent(String(valueIn(each, 'id')))}/call`),
  );
  const asked = requestsOf(under(past, call), 'previewTool').at(-1)?.request;
  const preview = settlementsOf(under(past, call), 'previewTool').at(-1)?.outcome;
  const spelled = [valueIn(task, 'tool'), valueIn(task, 'args')];
  const isSame =
    spelled[1] !== undefined &&
    canonicalJson(spelled) === canonicalJson([asked?.tool, asked?.args]);
  return isSame && (byPerson || valueIn(preview, 'protectedReason') === undefined);
}

/** The plan that was allowed at a gate, if there is one. */
function allowedPlan(past: History): {readonly plan: unknown; readonly byPerson: boolean} {
  const drafted = past.slice(past.findLastIndex(isDraft));
  const atGate = drafted.filter((each) => !('path' in each && each.path.includes('/execution/')));
  const word = settlementsOf(atGate, 'askHuman').at(-1);
  const decision = decisionOf(word?.outcome);
  if (word && decision === 'approve') return {plan: word.request.plan, byPerson: true};
  if (word && decision === 'edit') return {plan: valueIn(word.outcome, 'plan'), byPerson: true};
  const [draft] = drafted;
  const plan = draft?.type === 'reported' ? valueIn(draft.report, 'plan') : undefined;
  const isAllowed = reportsOf(drafted, 'human.decided').some(
    (each) =>
      valueIn(each, 'by') === 'auto_approve' &&
      valueIn(each, 'decision') === 'approve' &&
      valueIn(each, 'proposalHash') === hashOf(plan),
  );
  return {plan: isAllowed ? plan : undefined, byPerson: false};
}

/** True for the report of a plan by a model. A plan that a person edits is reported with the decision. */
function isDraft(each: Logged): boolean {
  if (each.type !== 'reported') return false;
  const isPlan = String(valueIn(each.report, 'type')).startsWith('plan.');
  return isPlan && valueIn(each.report, 'by') !== 'person';
}

/** True when the panel, a person, or a mode with a warning approved exactly this call. A protected call needs a person. */
export function isCallApproved(
  record: History,
  review: string,
  {tool, args}: {readonly tool: string; readonly args: JsonObject},
  panel: readonly Seat[],
): boolean {
  const own = under(record, review);
  const hash = shownHash(tool, args, own);
  const matter: Matter = {
    kind: 'action',
    hash,
    words: [`Tool: ${tool}\n`, quotedFrom(engineLine`Arguments`, jsonLines(args))],
  };
  const byPerson = settlementsOf(own, 'askHuman').some(
    ({request, outcome}) => request.proposalHash === hash && decisionOf(outcome) === 'approve',
  );
  const isProtected = settlementsOf(own, 'previewTool').some(
    ({outcome}) => valueIn(outcome, 'protectedReason') !== undefined,
  );
  if (byPerson || isProtected) return byPerson;
  return isCarried(own, matter, panel) || isAnsweredByMode(record);
}

/** True when the panel, a person or a mode approved the action in the proposal of its turn. */
function isApprovedWithTurn(
  past: History,
  call: string,
  hash: string,
  panel: readonly Seat[],
): boolean {
  const loop = above(call);
  const reply = past.findLastIndex(
    (each) => each.type === 'settled' && each.path.startsWith(`${loop}/model`),
  );
  const own = under(past.slice(reply), `${loop}/review`);
  return isApprovedInTurn(own, hash, panel) || isAnsweredByMode(past.slice(reply));
}

/** True when the panel, by its ballots on the call, or a person approved the action in the proposal of these records. */
export function isApprovedInTurn(own: History, hash: string, panel: readonly Seat[]): boolean {
  const shown = settlementsOf(own, 'previewTool').filter(
    ({outcome}) => valueIn(outcome, 'kind') === 'ready',
  );
  const hashes = shown.map(({request, outcome}) =>
    actionHash(request.tool, {
      args: asArgs(valueIn(outcome, 'args')),
      preview: String(valueIn(outcome, 'preview')),
      ...basisIn(outcome),
    }),
  );
  const at = hashes.indexOf(hash);
  const whole = hashes.length === 1 ? hash : hashOf({calls: hashes});
  const byPerson = settlementsOf(own, 'askHuman').some(
    ({request, outcome}) => request.proposalHash === whole && decisionOf(outcome) === 'approve',
  );
  const isProtected = valueIn(shown[at]?.outcome, 'protectedReason') !== undefined;
  if (at === -1 || byPerson || isProtected) return at !== -1 && byPerson;
  const approving = panel.filter((seat) => isForCall(lastWord(own, seat), seat, at + 1));
  const vetoed = panel.some((seat) => seat.veto && !approving.includes(seat));
  return !vetoed && approving.length * 2 > panel.length;
}

function asArgs(args: unknown): JsonObject {
  return isJsonObject(args) ? args : {};
}

function basisIn(outcome: object | undefined): {readonly basedOn?: string} {
  const basedOn = valueIn(outcome, 'basedOn');
  return typeof basedOn === 'string' ? {basedOn} : {};
}

/** True for a ballot that approves this call, by a verdict of its own or by that on the whole. */
function isForCall(word: Settled<PortName> | undefined, {model}: Seat, number: number): boolean {
  const ballot =
    word?.port === 'screenProposal'
      ? valueIn(word.outcome, 'ballots', String(word.request.policies.indexOf(model)))
      : valueIn(word?.outcome, 'calls', '0', 'args');
  const own = listIn(ballot, 'calls').find((each) => valueIn(each, 'number') === number);
  return valueIn(own ?? ballot, 'verdict') === 'approve';
}

/** The hash of the call with the preview that the panel and the person were shown. */
function shownHash(tool: string, args: JsonObject, own: History): string {
  const shown = settlementsOf(own, 'previewTool').at(-1)?.outcome;
  return actionHash(tool, {args, preview: String(valueIn(shown, 'preview')), ...basisIn(shown)});
}

function sinceLastPreview(past: History, review: string): History {
  const start = past.findLastIndex(
    (each) => each.type === 'requested' && each.path === `${review}/preview`,
  );
  return start === -1 ? [] : past.slice(start);
}

/** True when a gate's mode answered for a person, which it must report as a warning. */
function isAnsweredByMode(past: History): boolean {
  return reportsOf(past, 'warning').some((report) =>
    String(valueIn(report, 'message')).startsWith('auto_approve answered'),
  );
}

/** True when a majority of all seats, and every seat with a veto, approved exactly this. */
function isCarried(votes: History, matter: Matter, panel: readonly Seat[]): boolean {
  const approving = panel.filter((seat) => isFor(lastWord(votes, seat), matter, seat));
  const vetoed = panel.some((seat) => seat.veto && !approving.includes(seat));
  return !vetoed && approving.length * 2 > panel.length;
}

function lastWord(votes: History, {id, kind, model}: Seat): Settled<PortName> | undefined {
  if (kind === 'policy') {
    return settlementsOf(votes, 'screenProposal').findLast(({request}) =>
      request.policies.includes(model),
    );
  }
  const own = votes.flatMap((each) =>
    each.type === 'settled' && `${each.path}/`.includes(`seat:${encodeURIComponent(id)}/`)
      ? [each]
      : [],
  );
  return own.at(-1);
}

/** True for a valid, approving ballot of this round whose reviewer read the words of the matter. */
function isFor(
  word: Settled<PortName> | undefined,
  {kind, hash, words}: Matter,
  {model}: Seat,
): boolean {
  if (word?.port === 'screenProposal') {
    const {proposal, policies} = word.request;
    const verdict = valueIn(word.outcome, 'ballots', String(policies.indexOf(model)), 'verdict');
    return proposal.hash === hash && verdict === 'approve';
  }
  if (word?.port !== 'callModel' || word.request.purpose !== `review-${kind}`) return false;
  const isRead = word.request.transcript.messages.some(({text}) =>
    words.every((each) => text.includes(each)),
  );
  return isRead && isApproval(word.outcome);
}

function isApproval(outcome: object): boolean {
  const [call, ...more] = listIn(outcome, 'calls');
  const isOne = more.length === 0 && valueIn(call, 'name') === 'cast_ballot';
  const isOfRound = valueIn(call, 'args', 'round') === undefined;
  return isOne && isOfRound && valueIn(call, 'args', 'verdict') === 'approve';
}

/** Law 2: every call that an execution makes belongs to a plan that a panel, a person, or a mode with a warning approved. */
export function unapprovedPlans(
  {log}: Played,
  {panel, agent}: Settings,
  plans: readonly Plan[],
): string[] {
  return withPast(log).flatMap(({asked, past}) => {
    const words = wordsOf(asked);
    if (words === undefined) return [];
    const plan = plans.find(({objective}) => words.includes(`${objective}/`));
    if (!plan) return [`${asked.path} belongs to no plan`];
    const {byPanel, byOthers} = approvalsOf(plan, past, panel);
    const isAllowed = agent.confirmExecution ? byOthers : byPanel || byOthers;
    return unless(isAllowed, `${asked.path} executes ${plan.objective}, which nobody approved`);
  });
}

/** True when, since the latest version, exactly this plan was approved. */
export function isPlanApproved(plan: Plan, record: History, {panel}: Settings): boolean {
  const {byPanel, byOthers} = approvalsOf(plan, record, panel);
  return byPanel || byOthers;
}

/** The words that identify the plan of an execution's request: the arguments of a call, or the objective in a prompt. */
function wordsOf({path, port, request}: Requested<PortName>): string | undefined {
  if (!path.includes('/execution/')) return undefined;
  if (port === 'previewTool' || port === 'runTool') return JSON.stringify(request.args);
  if (port !== 'callModel' || request.purpose !== 'act') return undefined;
  return `${/# Objective\n> (.*)/.exec(request.transcript.messages[0]?.text ?? '')?.[1] ?? ''}/`;
}

function approvalsOf(plan: Plan, past: History, panel: readonly Seat[]) {
  const approvals = readingsOf(plan).map((read) => approvalsOfReading(read, past, panel));
  return {
    byPanel: approvals.some(({byPanel}) => byPanel),
    byOthers: approvals.some(({byOthers}) => byOthers),
  };
}

/** The plan as it may be read: redoing a task that has succeeded is left out, and any task may have succeeded. */
function readingsOf(plan: Plan): Plan[] {
  const redone = [...new Set(plan.tasks.flatMap(({redoes = []}) => redoes))];
  return redone.reduce(
    (readings, id) => readings.concat(readings.map((reading) => withoutRedo(reading, id))),
    [plan],
  );
}

function withoutRedo(plan: Plan, id: string): Plan {
  const tasks = plan.tasks.map(({redoes = [], ...task}) => {
    const left = redoes.filter((each) => each !== id);
    return left.length === 0 ? task : Object.assign(task, {redoes: left});
  });
  return {...plan, tasks};
}

function approvalsOfReading(plan: Plan, past: History, panel: readonly Seat[]) {
  const hash = planHash(plan);
  const since = past.slice(past.findLastIndex(isDraft));
  const votes = since.filter((each) => 'path' in each && !each.path.includes('/execution/'));
  const decided = settlementsOf(since, 'askHuman').some(({request, outcome}) =>
    decisionOf(outcome) === 'edit'
      ? canonicalJson(valueIn(outcome, 'plan')) === canonicalJson(plan)
      : decisionOf(outcome) === 'approve' &&
        ['plan', 'confirmation'].includes(request.kind) &&
        request.proposalHash === hash,
  );
  const matter: Matter = {kind: 'plan', hash, words: [`"objective": "${plan.objective}"`]};
  return {byPanel: isCarried(votes, matter, panel), byOthers: decided || isAnsweredByMode(since)};
}

/** Law 3: in every reported vote, the ballots counted as approving are valid, for exactly that proposal, and enough. */
export function falseVotes({log}: Played, {panel}: Pick<Settings, 'panel'>): string[] {
  return log.flatMap((each, at) => {
    if (each.type !== 'reported' || valueIn(each.report, 'type') !== 'quorum.decided') return [];
    return faultsOfRound(each.report, log.slice(0, at), panel);
  });
}

function faultsOfRound(round: unknown, past: History, panel: readonly Seat[]): string[] {
  const [title, hash] = [String(valueIn(round, 'title')), String(valueIn(round, 'proposalHash'))];
  const matter: Matter = {kind: kindOfRound(round), hash, words: []};
  const counted = listIn(round, 'votes').flatMap((vote) =>
    valueIn(vote, 'approved') === true ? [valueIn(vote, 'model')] : [],
  );
  const votes = past.filter((each) => each.type === 'settled' && isAbout(each, matter));
  const silent = panel
    .filter(({id}) => counted.includes(id))
    .filter((seat) => !isFor(lastWord(votes, seat), matter, seat));
  const isEnough = counted.length * 2 > panel.length;
  return [
    ...silent.map(({id}) => `${id} is counted for "${title}" and did not approve it`),
    ...unless(valueIn(round, 'approved') !== true || isEnough, `too few approved "${title}"`),
  ];
}

function kindOfRound(round: unknown): ProposalKind {
  const kind = valueIn(round, 'kind');
  return kind === 'plan' || kind === 'action' ? kind : 'result';
}

function isAbout(word: Settled<PortName>, {kind, hash}: Matter): boolean {
  if (word.port === 'screenProposal') return word.request.proposal.hash === hash;
  return word.port === 'callModel' && word.request.purpose === `review-${kind}`;
}

/** Law 10: a call that must not be repeated is requested once, and again only if a person retries it. */
export function repeatedCalls({log}: Played): string[] {
  const runs = requestsOf(log, 'runTool').filter(
    ({request: {repeatability}}) => repeatability === 'once',
  );
  const byArgs = Map.groupBy(runs, ({path, request}) => `${path} ${canonicalJson(request.args)}`);
  return [...byArgs.values()].flatMap((same) => {
    const call = above(same[0]?.path ?? '');
    const retries = settlementsOf(under(log, `${call}/gate`), 'askHuman').filter(
      ({outcome}) => decisionOf(outcome) === 'retry',
    );
    return unless(same.length <= 1 + retries.length, `${call} is run ${same.length} times`);
  });
}

/** An open gate follows a change of mode at once: no gate waits for a person in a mode that answers for them. */
export function staleGates(played: Played): string[] {
  const {log} = played;
  return requestsOf(log, 'askHuman').flatMap((asked) => {
    if (!played.open().includes(asked.path)) return [];
    const since = log.slice(log.lastIndexOf(asked));
    const change = since.findLast((each) => each.type === 'sent' && 'hilMode' in each.event);
    const mode = change?.type === 'sent' ? valueIn(change.event, 'hilMode') : undefined;
    const needsPerson = ['protected', 'in-doubt'].includes(asked.request.kind);
    const isAnswered = mode === 'auto_reject' || (mode === 'auto_approve' && !needsPerson);
    return unless(!isAnswered, `${asked.path} waits for a person in mode ${String(mode)}`);
  });
}
