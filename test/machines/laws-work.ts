/** Laws of executions and tasks: what they ask for, how often, and that they tell what came of it. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {Plan, Task} from '../../machines/domain/plan.ts';
import type {Settings} from '../../machines/domain/settings.ts';
import type {World} from '../support/world.ts';
import {repeatedCalls, unapprovedCalls} from './laws-approval.ts';
import {isCallDone, isTaskDone, isWorkDone} from './laws-done.ts';
import {
  listIn,
  outputOf,
  type History,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
} from './laws-record.ts';
import {
  type Execution,
  lateStarts,
  queueFaults,
  rowFaults,
  scheduleFaults,
} from './laws-schedule.ts';
import {workFaults} from './laws-turns.ts';

/** An execution starts what it may, in the right order, and tells of each task whether it was done. */
export function executionFaults(
  world: World,
  plan: Plan,
  settings: Settings,
  iterationsLeft: number,
): string[] {
  const record = world.happenings;
  const execution: Execution = {record, path: 'subject', plan};
  const started = record.filter(
    (each) => each.type === 'reported' && valueIn(each.report, 'type') === 'task.started',
  ).length;
  return [
    ...callFaults(world, settings),
    ...scheduleFaults(execution, settings),
    ...lateStarts(execution),
    ...queueFaults(execution, world, settings),
    ...rowFaults(record, settings),
    ...unless(started <= iterationsLeft, `${started} tasks are started`),
    ...(world.status() === 'done' ? executionEndFaults(world, execution, started) : []),
  ];
}

function callFaults(world: World, settings: Settings): string[] {
  return [...unapprovedCalls(world, settings), ...repeatedCalls(world)];
}

function executionEndFaults(world: World, {record, path, plan}: Execution, started: number) {
  const results = listIn(outputOf(world), 'results');
  const told = new Map(results.map((result) => [valueIn(result, 'id'), valueIn(result, 'status')]));
  const isCut = valueIn(outputOf(world), 'isOutOfIterations') === true;
  const isLost = results.some((result) => valueIn(result, 'failure', 'code') === 'auth');
  return [
    ...plan.tasks.flatMap((task) => {
      const isDone = isTaskDone(record, path, task);
      const status = told.get(task.id);
      return [
        ...unless(isDone === (status === 'succeeded'), `${task.id} is told as ${String(status)}`),
        ...unless(isLost || isCut || status !== undefined, `${task.id} is forgotten`),
      ];
    }),
    ...unless(told.size === results.length, 'a task is told of twice'),
    ...unless(
      started === valueIn(outputOf(world), 'started'),
      'the count of started tasks is wrong',
    ),
  ];
}

/** A task makes its exact call or lets a model work; whatever is said, its calls decide what it comes to. */
export function taskFaults(world: World, task: Task, settings: Settings): string[] {
  const record = world.happenings;
  const isExact = task.tool !== undefined && task.args !== undefined;
  return [
    ...callFaults(world, settings),
    ...(isExact
      ? exactFaults(record, task, settings)
      : workFaults(record, 'subject/turns', settings.agent.maxToolTurns)),
    ...(world.status() === 'done' ? taskEndFaults(world, task) : []),
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

function taskEndFaults(world: World, task: Task): string[] {
  const record = world.happenings;
  const result = valueIn(outputOf(world), 'result');
  const isExact = task.tool !== undefined && task.args !== undefined;
  const isDone = isExact
    ? isCallDone(record, 'subject/call')
    : isWorkDone(record, 'subject/turns', task);
  const isRejected = isExact && listedDenials(world) > 0;
  const status = isDone ? 'succeeded' : isRejected ? 'skipped' : 'failed';
  const written = settlementsOf(record, 'runTool').flatMap(({outcome}) =>
    listIn(outcome, 'written'),
  );
  return [
    ...unless(
      valueIn(result, 'status') === status,
      `${String(valueIn(result, 'status'))} is told, it is ${status}`,
    ),
    ...unless(
      sameList(listIn(result, 'written'), [...new Set(written)]),
      'other files are told than were written',
    ),
  ];
}

function listedDenials(world: World): number {
  return world.heard().filter(({type}) => type === 'action.denied').length;
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
