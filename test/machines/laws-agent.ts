/** Laws of whole agents, and of the rules that spawn interactions. */

import {hashOf} from '../../machines/domain/digest.ts';
import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Settings, SpawnRule} from '../../machines/domain/settings.ts';
import type {Recorded} from '../../machines/facts/fact.ts';
import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import {
  falseVotes,
  isPlanApproved,
  repeatedCalls,
  staleGates,
  unapprovedCalls,
  unapprovedPlans,
} from './laws-approval.ts';
import {
  decisionOf,
  highestOf,
  listIn,
  messagesSent,
  outputOf,
  type History,
  reportsOf,
  requestsOf,
  settlementsOf,
  under,
  unless,
  valueIn,
} from './laws-record.ts';
import {isTaskDone, isWorkStopped, longestRow} from './laws-turns.ts';
import {type Execution, queueFaults, rowFaults, scheduleFaults} from './laws-work.ts';

export interface Run {
  readonly settings: Settings;
  readonly plans: readonly Plan[];
  /** The path of the agent's actor. */
  readonly path: string;
}

export function agentFaults(played: Played, run: Run): string[] {
  const {settings, plans} = run;
  return [
    ...unapprovedCalls(played, settings),
    ...unapprovedPlans(played, settings, plans),
    ...falseVotes(played, settings),
    ...repeatedCalls(played),
    ...staleGates(played),
    ...executionsIn(played, run).flatMap((execution) =>
      scheduleFaults(execution, settings).concat(queueFaults(execution, played, settings)),
    ),
    ...rowFaults(played.log, settings),
    ...limitFaults(played, settings),
    ...gateFaults(played, settings),
    ...revoteFaults(played),
    ...modeFaults(played, settings),
    ...stopFaults(played),
    ...(played.status() === 'done'
      ? [...endFaults(played, run), ...resultFaults(played, run)]
      : []),
  ];
}

/** The phases of an agent. A question that it spawns has phases of other names. */
const agentPhases = new Set<unknown>([
  'gathering',
  'planning',
  'revising',
  'reviewingPlan',
  'awaitingHuman',
  'confirming',
  'executing',
  'evaluating',
  'closing',
  'reviewingResult',
  'confirmingResult',
]);

/** Each execution of a plan, from its start to the start of the next phase. */
function executionsIn({log}: Played, {plans, path}: Run): Execution[] {
  const starts = log.flatMap((each, at) =>
    each.type === 'reported' && agentPhases.has(valueIn(each.report, 'phase')) ? [at] : [],
  );
  return starts.flatMap((start, index) => {
    const record = log.slice(start, starts[index + 1]);
    const first = valueIn(reportsOf(record, 'task.started')[0], 'task');
    const plan = plans.find(({tasks}) => tasks.some(({id}) => id === first));
    return plan ? [{record, path: `${path}/execution`, plan}] : [];
  });
}

/** Law 5, limits: tasks started, replans, rejections of one plan. */
function limitFaults({log}: Played, {agent}: Settings): string[] {
  const started = reportsOf(log, 'task.started').length;
  const mayStart = highestOf(log, agent.maxIterations, 'settings', 'agent', 'maxIterations');
  const phases = countedPhases(log);
  const plannings = phases.filter((phase) => phase === 'planning').length;
  const revisions = longestRow(
    phases.filter((phase) => phase !== undefined && drafting.has(phase)),
    (phase) => phase === 'revising',
  );
  return [
    ...unless(started <= mayStart, `${started} tasks are started`),
    ...unless(plannings <= 1 + agent.maxReplans, `${plannings} plannings`),
    ...unless(revisions < agent.maxPlanRevisions, `${revisions} revisions`),
  ];
}

const drafting: ReadonlySet<unknown> = new Set(['planning', 'revising', 'asked']);

/** The phases; a draft that a person asked for counts for no limit, and is `asked`. */
function countedPhases(log: Played['log']): unknown[] {
  let isAsked = false;
  return log.flatMap((each) => {
    if (each.type !== 'reported') return [];
    const {report} = each;
    if (valueIn(report, 'decision') === 'revise') isAsked = true;
    const phase = valueIn(report, 'phase');
    if (phase === undefined) return [];
    const isCounted = !isAsked || !drafting.has(phase);
    if (drafting.has(phase)) isAsked = false;
    return [isCounted ? phase : 'asked'];
  });
}

/** A person is asked about a plan only without a quorum, at the last rejection, or when a rejected plan is drafted again. */
function gateFaults({log}: Played, {agent}: Settings): string[] {
  return log.flatMap((each, at) => {
    if (each.type !== 'reported' || valueIn(each.report, 'phase') !== 'awaitingHuman') return [];
    const record = sincePlanning(log, at);
    const rounds = reportsOf(record, 'quorum.decided');
    const rejections = rounds.filter((round) => valueIn(round, 'verdict') === 'rejected').length;
    const isDue =
      valueIn(rounds.at(-1), 'verdict') === 'noQuorum' ||
      rejections === agent.maxPlanRevisions ||
      opposedHashes(record).has(hashOf(lastDraft(record)));
    return unless(isDue, `a person is asked after ${rejections} rejections`);
  });
}

/** A plan that a reviewer rejected is not voted on again. */
function revoteFaults({log}: Played): string[] {
  return log.flatMap((each, at) => {
    if (each.type !== 'reported' || valueIn(each.report, 'phase') !== 'reviewingPlan') return [];
    const record = sincePlanning(log, at);
    const isSpent = opposedHashes(record).has(hashOf(lastDraft(record)));
    return unless(!isSpent, 'a plan that was rejected is voted on again');
  });
}

/** The record from the last start of planning up to `at`. */
function sincePlanning(log: History, at: number): History {
  const start = log.findLastIndex(
    (each, index) =>
      index < at && each.type === 'reported' && valueIn(each.report, 'phase') === 'planning',
  );
  return log.slice(start, at);
}

function opposedHashes(record: History): ReadonlySet<unknown> {
  const opposed = reportsOf(record, 'quorum.decided').filter((round) =>
    [...listIn(round, 'votes'), ...listIn(round, 'screened')].some(
      (vote) => valueIn(vote, 'verdict') === 'reject',
    ),
  );
  return new Set(opposed.map((round) => valueIn(round, 'proposalHash')));
}

/** The last plan that a person did not edit. */
function lastDraft(record: History): unknown {
  const drafts = record.flatMap((each) =>
    each.type === 'reported' && String(valueIn(each.report, 'type')).startsWith('plan.')
      ? [each.report]
      : [],
  );
  return valueIn(
    drafts.findLast((each) => valueIn(each, 'by') !== 'person'),
    'plan',
  );
}

/** Every gate is answered by the mode that is set at that moment; in interactive mode, a person is asked. */
function modeFaults({log}: Played, {agent}: Settings): string[] {
  let mode: unknown = agent.hilMode;
  return log.flatMap((each) => {
    if (each.type === 'sent') mode = valueIn(each.event, 'hilMode') ?? mode;
    const right = rightUsed(each);
    return unless(
      right === undefined || right === mode,
      `${String(right)} in mode ${String(mode)}`,
    );
  });
}

/** True for a question to a person that a mode may answer as well. */
function isOpenQuestion({port, request}: Extract<Logged, {type: 'requested'}>): boolean {
  const kind = valueIn(request, 'kind');
  return port === 'askHuman' && kind !== 'protected' && kind !== 'in-doubt';
}

/** The mode that this entry requires: `interactive` when a person is asked, or the mode that has answered. */
function rightUsed(each: Logged): unknown {
  if (each.type === 'requested') return isOpenQuestion(each) ? 'interactive' : undefined;
  const by = each.type === 'reported' ? valueIn(each.report, 'by') : undefined;
  return by === 'auto_approve' || by === 'auto_reject' ? by : undefined;
}

/** Law 6: after a person's cancel nothing is requested, nothing stays open, and the status is `cancelled`. */
export function stopFaults(played: Played): string[] {
  const {log} = played;
  const stop = log.findIndex((each) => each.type === 'sent' && each.event.type === 'user.cancel');
  if (stop === -1) return [];
  const late = log
    .slice(stop)
    .filter(
      (each) =>
        (each.type === 'requested' && each.port !== 'unlockWorkspace') || each.type === 'settled',
    );
  return [
    ...unless(late.length === 0, 'something is requested after the cancel'),
    ...unless(
      played.status() === 'done' && played.open().length === 0,
      'it continues after the cancel',
    ),
    ...unless(
      valueIn(outputOf(played), 'status') === 'cancelled',
      'it was cancelled and has another status',
    ),
  ];
}

/** Law 5, truth: the status is `error`, `cancelled`, `rejected` or `completed` exactly when the log says so. */
function endFaults(played: Played, run: Run): string[] {
  const {log} = played;
  const status = String(valueIn(outputOf(played), 'status'));
  if (messagesSent(log, 'user.cancel') > 0) return [];
  const certain: {readonly [status: string]: boolean} = {
    error: isBlind(log),
    cancelled: typeof valueIn(verdictIn(log), 'cancel_reason') === 'string',
    rejected: isRejected(log),
  };
  return [
    ...Object.entries(certain).flatMap(([end, isSo]) =>
      unless(isSo === (status === end), `${end} is ${String(isSo)}, it ended as ${status}`),
    ),
    ...unless(
      status in certain || isCompleted(played, run) === (status === 'completed'),
      `it ended as ${status}`,
    ),
    ...unless(
      status in certain ||
        status === 'completed' ||
        isLeftStopped(played, run) === (status === 'limited'),
      `it ended as ${status} at a limit`,
    ),
  ];
}

/** True when the turns of a task were used up and no later plan took it over. */
function isLeftStopped(played: Played, run: Run): boolean {
  const executions = executionsIn(played, run);
  return executions.some(({record, path, plan}, at) =>
    plan.tasks.some(
      (task) =>
        isWorkStopped(record, `${path}/task:${encodeURIComponent(task.id)}/turns`) &&
        !executions
          .slice(at + 1)
          .some((later) => isGivenUp(later.plan, task) || heirsOf(later.plan, task).length > 0),
    ),
  );
}

function planOf(played: Played, {plans}: Run): Plan | undefined {
  const objective = valueIn(outputOf(played), 'plan', 'objective');
  return plans.find((plan) => plan.objective === objective);
}

function isCompleted(played: Played, run: Run): boolean {
  const record = played.log;
  const {settings, path} = run;
  const plan = planOf(played, run);
  if (!plan) return false;
  if (settings.agent.phaseScope === 'plan-only') {
    const runs = record.some((each) => 'path' in each && each.path.includes('/execution/'));
    return !runs && isPlanApproved(plan, record, settings);
  }
  const isDone = forgottenTasks(executionsIn(played, run)).length === 0;
  const isWanted = !settings.agent.requireFinalReview || isResultApproved(record, path);
  return isDone && isPraised(record) && isWanted;
}

/**
 * Tasks that are neither done nor taken over. A later plan takes a task over when it drops it with a reason, or when it has
 * tasks in its place none of which is forgotten.
 */
function forgottenTasks(executions: readonly Execution[], at = 0): Task[] {
  const first = executions[at];
  if (!first) return [];
  const later = executions.slice(at + 1);
  const lost = forgottenTasks(executions, at + 1);
  const isTakenOver = (task: Task): boolean => {
    const heir = later.find(({plan}) => isGivenUp(plan, task) || heirsOf(plan, task).length > 0);
    if (!heir) return false;
    return (
      isGivenUp(heir.plan, task) || !heirsOf(heir.plan, task).some((each) => lost.includes(each))
    );
  };
  const own = first.plan.tasks.filter(
    (task) => !isDoneIn(executions, at, task) && !isTakenOver(task),
  );
  return [...own, ...lost];
}

/** A task that redoes another and makes no call settles nothing. */
function isDoneIn(executions: readonly Execution[], at: number, task: Task): boolean {
  const own = executions[at];
  if (!own || !isTaskDone(own.record, own.path, task)) return false;
  const path = `${own.path}/task:${encodeURIComponent(task.id)}`;
  if (requestsOf(under(own.record, path), 'runTool').length > 0) return true;
  return !executions
    .slice(0, at)
    .some(({plan}, before) =>
      plan.tasks.some(
        (each) => heirsOf(own.plan, each).includes(task) && !isDoneIn(executions, before, each),
      ),
    );
}

function isGivenUp(plan: Plan, {id}: Task): boolean {
  return plan.drops?.some((drop) => drop.task_id === id && drop.reason !== '') === true;
}

/** The tasks in place of this one: of the same id, with this id in `redoes`, or of the same description. */
function heirsOf(plan: Plan, {id, description}: Task): Task[] {
  return plan.tasks.filter(
    (task) => [task.id, ...(task.redoes ?? [])].includes(id) || task.description === description,
  );
}

function isPraised(record: History): boolean {
  const verdict = verdictIn(record);
  const missing = listIn(settlementsOf(record, 'checkFiles').at(-1)?.outcome, 'missing');
  const problems = listIn(verdict, 'problems');
  return valueIn(verdict, 'successful') === true && problems.length === 0 && missing.length === 0;
}

/** The arguments of the judge's last call. */
function verdictIn(record: History): unknown {
  const last = settlementsOf(record, 'callModel').findLast(
    ({request}) => request.purpose === 'evaluate',
  );
  return valueIn(listIn(last?.outcome, 'calls')[0], 'args');
}

/** True when the last decision about the result, after its evaluation, is an approval. */
function isResultApproved(record: History, path: string): boolean {
  const judged = record.findLastIndex(
    (each) => each.type === 'settled' && each.path.startsWith(`${path}/evaluation`),
  );
  const word = record
    .slice(judged)
    .findLast((each) => each.type === 'settled' && /\/(quorum|gate)\//.test(each.path));
  if (word?.type !== 'settled') return false;
  if (word.port === 'askHuman') return decisionOf(word.outcome) === 'approve';
  return (
    word.port === 'screenProposal' && valueIn(word.outcome, 'ballots', '0', 'verdict') === 'approve'
  );
}

/** True when the survey of the workspace crashed, which is a bug. */
function isBlind(record: History): boolean {
  const survey = settlementsOf(record, 'surveyWorkspace').at(-1)?.outcome;
  return valueIn(survey, 'crash') !== undefined;
}

/** True when the decision at the last gate of a plan is against it. */
function isRejected(record: History): boolean {
  const at = record.findLastIndex((each) => each.type === 'reported' && isPlanGate(each.report));
  const [word] = at === -1 ? [] : reportsOf(record.slice(at), 'human.decided');
  return word !== undefined && !['approve', 'edit'].includes(String(valueIn(word, 'decision')));
}

function isPlanGate(report: unknown): boolean {
  return ['awaitingHuman', 'confirming'].includes(String(valueIn(report, 'phase')));
}

/** Law 5, the result: it lists each task with its true status, every vote and every denied call. */
function resultFaults(played: Played, run: Run): string[] {
  const {plans} = run;
  const record = played.log;
  const output = outputOf(played);
  const tasks = plans.flatMap((plan) => plan.tasks);
  const statuses = new Map(
    listIn(output, 'tasks').map((task) => [valueIn(task, 'id'), valueIn(task, 'status')]),
  );
  const executions = executionsIn(played, run);
  const isDone = (task: Task) =>
    executions.some(({plan}, at) => plan.tasks.includes(task) && isDoneIn(executions, at, task));
  const denied = reportsOf(record, 'tool.settled').filter(
    (report) => valueIn(report, 'status') === 'rejected',
  );
  return [
    ...tasks
      .filter((task) => isDone(task) !== (statuses.get(task.id) === 'succeeded'))
      .map(({id}) => `${id} is listed as ${String(statuses.get(id))}`),
    ...unless(listIn(output, 'denied').length === denied.length, 'a denied call is not listed'),
    ...unless(
      listIn(output, 'reviews').length === reportsOf(record, 'quorum.decided').length,
      'a vote is not listed',
    ),
  ];
}

/** A tree reports its end once, with the status of its form. */
export function treeFaults(played: Played): string[] {
  const ends = reportsOf(played.log, 'interaction.settled')
    .filter((report) => valueIn(report, 'child') === undefined)
    .map((report) => valueIn(report, 'status'));
  const expected = played.status() === 'done' ? [valueIn(outputOf(played), 'status')] : [];
  return unless(
    ends.length === expected.length && ends[0] === expected[0],
    `it reports ${ends.join(', ')} at its end`,
  );
}

/** `root` is the id of the interaction with the rules; each rule has another request. A tree that has ended has no faults. */
export function ruleFaults(played: Played, root: string, rules: readonly SpawnRule[]): string[] {
  if (played.status() === 'done') return [];
  const own = played
    .facts()
    .filter(({path}) => path.startsWith('scenario/subject/interaction/form/'));
  const spawned = reportsOf(played.log, 'interaction.spawned');
  const byRule = spawned.filter((report) => valueIn(report, 'by') === 'rule');
  return [
    ...unless(
      byRule.every((report) => valueIn(report, 'parent') === root),
      'an interaction that a rule spawned has triggered one',
    ),
    ...rules.flatMap(({event, nth, request}) => {
      const times = own.filter((fact) => isTrigger(fact, event)).length;
      const due = times >= nth ? 1 : 0;
      const fired = byRule.filter((report) => valueIn(report, 'request') === request).length;
      return unless(
        fired === due,
        `${event} occurred ${times} times, and ${event}:${nth} fired ${fired} times`,
      );
    }),
  ];
}

function isTrigger(fact: Recorded, event: SpawnRule['event']): boolean {
  if (fact.type === 'task.settled') return event === 'task.failed' && fact.status === 'failed';
  if (fact.type !== 'quorum.decided') return false;
  const {kind, verdict} = fact;
  return event === 'quorum.noQuorum' ? verdict === 'noQuorum' : event === `${kind}.${verdict}`;
}
