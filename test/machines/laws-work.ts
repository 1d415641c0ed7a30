/** Laws of executions and tasks: which requests they make, how often, and that their results are true. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import {denialsIn} from '../../machines/facts/folds.ts';
import type {Played} from '../support/played.ts';
import {repeatedCalls, unapprovedCalls} from './laws-approval.ts';
import {isCallDone, isTaskDone, isWorkDone, isWorkSkipped, isWorkStopped} from './laws-done.ts';
import {
  highestOf,
  listIn,
  outputOf,
  type History,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
} from './laws-record.ts';
import {type Execution, queueFaults, rowFaults, scheduleFaults} from './laws-schedule.ts';
import {workFaults} from './laws-turns.ts';

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
