/** Laws of what may run at the same time: the lock, dependencies, how many tasks at once. */

import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import type {Played} from '../support/played.ts';
import {isTaskDone} from './laws-done.ts';
import {
  above,
  decisionOf,
  type History,
  requestsOf,
  settlementsOf,
  under,
  unless,
  valueIn,
} from './laws-record.ts';

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

/** Each lock of the workspace is followed by its unlocking, and each one that failed by a warning. */
function workspaceFaults({log, reports}: Played): string[] {
  const asked = log.flatMap((each) =>
    each.type === 'requested' && ['lockWorkspace', 'unlockWorkspace'].includes(each.port)
      ? [each.port]
      : [],
  );
  const failed = settlementsOf(log, 'lockWorkspace').filter(
    ({outcome}) => valueIn(outcome, 'locked') !== true,
  );
  const warnings = reports.filter((report) => valueIn(report, 'type') === 'warning');
  return [
    ...unless(
      asked.every((port, at) => port === (at % 2 === 0 ? 'lockWorkspace' : 'unlockWorkspace')),
      `the workspace is asked for as ${asked.join(', ')}`,
    ),
    ...unless(warnings.length === failed.length, `there are ${warnings.length} warnings`),
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
