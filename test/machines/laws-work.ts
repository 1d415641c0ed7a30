/** Laws of executions: what runs, in which order, and what is reported of it. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {denialsIn} from '../../machines/facts/fact.ts';
import type {Played} from '../support/played.ts';
import {repeatedCalls, unapprovedCalls} from './laws-approval.ts';
import {
  highestOf,
  listIn,
  outputOf,
  type History,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
  above,
  decisionOf,
  under,
} from './laws-record.ts';
import {
  isCallDone,
  isTaskDone,
  isWorkDone,
  isWorkSkipped,
  isWorkStopped,
  workFaults,
} from './laws-turns.ts';

/** An execution starts only tasks that may start, in the right order, and reports of each whether it was done. */
export function executionFaults(
  played: Played,
  plan: Plan,
  settings: Settings,
  iterationsLeft: number,
): string[] {
  const record = played.log;
  const execution: Execution = {record, path: 'subject', plan};
  const started = record.filter(
    (each) => each.type === 'reported' && valueIn(each.report, 'type') === 'task.started',
  ).length;
  return [
    ...callFaults(played, settings),
    ...scheduleFaults(execution, settings),
    ...queueFaults(execution, played, settings),
    ...rowFaults(record, settings),
    ...unless(
      started <= highestOf(record, iterationsLeft, 'iterationsLeft'),
      `${started} tasks are started`,
    ),
    ...(played.status() === 'done' ? executionEndFaults(played, execution, started) : []),
  ];
}

function callFaults(played: Played, settings: Settings): string[] {
  return [...unapprovedCalls(played, settings), ...repeatedCalls(played)];
}

function executionEndFaults(played: Played, {record, path, plan}: Execution, started: number) {
  const results = listIn(outputOf(played), 'results');
  const statuses = new Map(
    results.map((result) => [valueIn(result, 'id'), valueIn(result, 'status')]),
  );
  return [
    ...plan.tasks.flatMap((task) => {
      const isDone = isTaskDone(record, path, task);
      const status = statuses.get(task.id);
      return [
        ...unless(
          isDone === (status === 'succeeded'),
          `${task.id} is reported as ${String(status)}`,
        ),
        ...unless(status !== undefined, `${task.id} is forgotten`),
      ];
    }),
    ...unless(statuses.size === results.length, 'a task is reported twice'),
    ...unless(
      started === valueIn(outputOf(played), 'started'),
      'the count of started tasks is wrong',
    ),
  ];
}

/** A task makes its exact call or lets a model work. Its calls decide its status, not the model's words. */
export function taskFaults(played: Played, task: Task, settings: Settings): string[] {
  const record = played.log;
  const isExact = task.tool !== undefined && task.args !== undefined;
  return [
    ...callFaults(played, settings),
    ...(isExact
      ? exactFaults(record, task, settings)
      : workFaults(record, 'subject/turns', settings.agent.maxToolTurns)),
    ...(played.status() === 'done' ? taskEndFaults(played, task) : []),
  ];
}

function exactFaults(record: History, {tool, args}: Task, {agent}: Settings): string[] {
  const asked = [...requestsOf(record, 'previewTool'), ...requestsOf(record, 'runTool')];
  const runs = requestsOf(record, 'runTool');
  const words = settlementsOf(record, 'askHuman').filter(
    ({outcome}) => valueIn(outcome, 'decision') === 'retry',
  );
  const isItsOwn = asked.every(
    ({request}) =>
      request.tool === tool &&
      canonicalJson({...request.args, checked: undefined}) === canonicalJson(args),
  );
  return [
    ...unless(isItsOwn, 'another call than the planned one is made'),
    ...unless(
      runs.length <= 1 + agent.maxToolRetries + words.length,
      `it runs ${runs.length} times`,
    ),
    ...unless(
      requestsOf(record, 'callModel').every(({request}) => request.purpose !== 'act'),
      'a model is asked to act',
    ),
  ];
}

function taskEndFaults(played: Played, task: Task): string[] {
  const record = played.log;
  const result = outputOf(played);
  const isExact = task.tool !== undefined && task.args !== undefined;
  const isDone = isExact
    ? isCallDone(record, 'subject/call')
    : isWorkDone(record, 'subject/turns', task);
  const isRejected = isExact ? listedDenials(played) > 0 : isWorkSkipped(record, 'subject/turns');
  const isStopped = !isExact && isWorkStopped(record, 'subject/turns');
  const bad = isStopped ? 'stopped' : 'failed';
  const status = isDone ? 'succeeded' : isRejected ? 'skipped' : bad;
  const written = settlementsOf(record, 'runTool').flatMap(({outcome}) =>
    listIn(outcome, 'written'),
  );
  return [
    ...unless(
      valueIn(result, 'status') === status,
      `${String(valueIn(result, 'status'))} is reported, it is ${status}`,
    ),
    ...unless(
      sameList(listIn(result, 'written'), [...new Set(written)]),
      'the reported files differ from the written ones',
    ),
  ];
}

function listedDenials(played: Played): number {
  return denialsIn(played.facts()).length;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** The lock admits one at a time, in the order of asking, and never stays free while somebody waits. */
export function lockFaults(played: Played): string[] {
  const waiting: string[] = [];
  const inside: string[] = [];
  const faults: string[] = [];
  for (const logged of played.log) {
    const report = logged.type === 'reported' ? logged.report : undefined;
    const [said, name] = [valueIn(report, 'text'), String(valueIn(report, 'task'))];
    if (said === 'asked') waiting.push(name);
    if (said === 'admitted') {
      faults.push(...unless(waiting[0] === name, `${name} is not the first that waits`));
      remove(waiting, name);
      inside.push(name);
    }
    if (said === 'left') for (const list of [waiting, inside]) remove(list, name);
    faults.push(...unless(inside.length <= 1, `${inside.join(' and ')} hold the lock`));
  }
  const isAsking = played.open().some((path) => path.startsWith('lock/'));
  return [
    ...faults,
    ...workspaceFaults(played),
    ...unless(waiting.length === 0 || inside.length === 1 || isAsking, 'the lock stays free'),
  ];
}

/** Each lock of the tree's workspace is followed by its unlocking, and each one that failed by a warning with the reason. */
function workspaceFaults({log, reports}: Played): string[] {
  const asked = log.flatMap((each) =>
    each.type === 'requested' && ['lockWorkspace', 'unlockWorkspace'].includes(each.port)
      ? [`${each.port} ${String(valueIn(each.request, 'workspace'))}`]
      : [],
  );
  const reasons = settlementsOf(log, 'lockWorkspace')
    .filter(({outcome}) => valueIn(outcome, 'locked') !== true)
    .map(({outcome}) => String(valueIn(outcome, 'why') ?? valueIn(outcome, 'crash')));
  const warnings = reports
    .filter((report) => valueIn(report, 'type') === 'warning')
    .map((report) => String(valueIn(report, 'message')));
  return [
    ...unless(
      asked.every((what, at) => what === `${at % 2 === 0 ? 'lock' : 'unlock'}Workspace /w`),
      `the workspace is asked for as ${asked.join(', ')}`,
    ),
    ...unless(
      warnings.length === reasons.length &&
        warnings.every((text, at) => /is not locked.*: (.+)$/.exec(text)?.[1] === reasons[at]),
      `the warnings of ${reasons.join(', ')} are ${warnings.join(', ')}`,
    ),
  ];
}

function remove(list: string[], name: string): void {
  const at = list.indexOf(name);
  if (at !== -1) list.splice(at, 1);
}

/** An execution of a plan, and the path of the actor that runs it. */
export interface Execution {
  readonly record: History;
  readonly path: string;
  readonly plan: Plan;
}

/** Tasks start once, when all that they depend on is done, and not more of them at once than may be. */
export function scheduleFaults({record, path, plan}: Execution, {agent}: Settings): string[] {
  const running = new Set<unknown>();
  const started: unknown[] = [];
  return record.flatMap((each, at) => {
    if (each.type !== 'reported') return [];
    const [type, id] = [valueIn(each.report, 'type'), valueIn(each.report, 'task')];
    if (type === 'task.settled') running.delete(id);
    if (type !== 'task.started') return [];
    const task = plan.tasks.find((candidate) => candidate.id === id);
    const isSecond = started.includes(id);
    started.push(id);
    running.add(id);
    return [
      ...unless(!isSecond, `task ${String(id)} starts twice`),
      ...unless(running.size <= agent.maxParallelTasks, `${running.size} tasks run at once`),
      ...unless(
        task !== undefined && isDue(task, plan, record.slice(0, at), path),
        `task ${String(id)} starts before what it depends on is done`,
      ),
    ];
  });
}

function isDue({depends_on: needs = []}: Task, plan: Plan, past: History, path: string): boolean {
  return needs.every((id) => {
    const task = plan.tasks.find((candidate) => candidate.id === id);
    return task !== undefined && isTaskDone(past, path, task);
  });
}

/** High-risk calls: one at a time from its first run to its last, and the next as soon as none is left. */
export function queueFaults(
  {record, path}: Execution,
  played: Played,
  settings: Settings,
): string[] {
  const isHigh = (name: string) =>
    settings.tools.some((tool) => tool.name === name && tool.risk === 'high');
  const runs = requestsOf(under(record, path), 'runTool').filter(({request}) =>
    isHigh(request.tool),
  );
  const calls = runs.map((run) => above(run.path));
  const order = calls.filter((call, at) => call !== calls[at - 1]);
  const inside = [...new Set(calls)].filter((call) => isAtWork(call, played));
  const approved = [...new Set(reviewedCalls(record, path))].filter(
    (call) => !calls.includes(call) && isCleared(record, call),
  );
  return [
    ...unless(inside.length <= 1, `${inside.join(' and ')} run at once`),
    ...unless(new Set(order).size === order.length, `calls take turns: ${order.join(', ')}`),
    ...unless(
      played.status() !== 'working' || approved.length === 0 || inside.length === 1,
      `${approved.join(', ')} waits for nobody`,
    ),
  ];
}

function isAtWork(call: string, played: Played): boolean {
  return played.open().some((open) => open.startsWith(`${call}/`) || open.startsWith(`${call} `));
}

function reviewedCalls(record: History, path: string): string[] {
  return requestsOf(under(record, path), 'previewTool').map((asked) => above(above(asked.path)));
}

/** Whether the last word of its review, from a panel of one or a person, let the call pass. */
function isCleared(record: History, call: string): boolean {
  const review = under(record, `${call}/review`);
  const last = review.findLast(({type}) => type === 'settled' || type === 'requested');
  if (last?.type !== 'settled') return false;
  const isProtected = settlementsOf(review, 'previewTool').some(
    ({outcome}) => valueIn(outcome, 'protectedReason') !== undefined,
  );
  if (last.port === 'askHuman') return decisionOf(last.outcome) === 'approve';
  return (
    last.port === 'screenProposal' &&
    valueIn(last.outcome, 'ballots', '0', 'verdict') === 'approve' &&
    !isProtected
  );
}

const rejectionsUntilHuman = 3;

/** The third rejected action in a row opens the gate, and none before it, also when tasks run side by side. */
export function rowFaults(record: History, {tools}: Settings): string[] {
  const risky = new Set<unknown>(tools.filter(({risk}) => risk === 'high').map(({name}) => name));
  let row = 0;
  return record.flatMap((each, at) => {
    if (each.type !== 'reported') return [];
    const {report} = each;
    if (valueIn(report, 'type') === 'tool.settled' && risky.has(valueIn(report, 'tool'))) {
      row = valueIn(report, 'status') === 'rejected' ? row + 1 : 0;
    }
    if (valueIn(report, 'kind') !== 'action' || valueIn(report, 'verdict') !== 'rejected')
      return [];
    const isThird = row + 1 >= rejectionsUntilHuman;
    return unless(
      isGated(record.slice(at)) !== !isThird,
      `${isThird ? 'no gate' : 'a gate'} after ${row + 1} rejections`,
    );
  });
}

/** Whether a person, or a mode, has or will have a say before the call settles; undefined when it is still open. */
function isGated(later: History): boolean | undefined {
  const next = later.find(
    (each) =>
      (each.type === 'requested' && each.port === 'askHuman') ||
      (each.type === 'reported' &&
        ['human.decided', 'tool.settled'].includes(String(valueIn(each.report, 'type')))),
  );
  if (!next) return undefined;
  return (
    next.type === 'requested' ||
    valueIn(next.type === 'reported' ? next.report : {}, 'type') === 'human.decided'
  );
}
