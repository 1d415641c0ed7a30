/**
 * The tasks of an approved plan, each as soon as its dependencies have succeeded.
 *
 * scheduling → running → scheduling … → settled
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendParent,
  setup,
  stopChild,
} from 'xstate';

import type {Evidence} from '../../domain/evidence.ts';
import {toFailure} from '../../domain/failure.ts';
import type {Plan, Task} from '../../domain/plan.ts';
import type {Report} from '../../domain/progress.ts';
import type {TaskResult} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import type {ActionReviewed} from '../../loop/action-review.ts';
import type {ActionDenied} from '../../loop/tool-call.ts';
import {report} from '../../report.ts';
import {blockedTasks, openTasks, providerFailureOf, readyTasks} from './schedule.ts';
import {failedResult, skippedResult} from './task-result.ts';
import {type TaskEnd, taskMachine, type TaskInput} from './task.ts';

export interface ExecutionInput {
  readonly plan: Plan;
  readonly request: string;
  readonly context: string;
  readonly settings: Settings;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  /** Results of the plans before this one. */
  readonly earlier: readonly TaskResult[];
  /** Tasks that may still be started. */
  readonly iterationsLeft: number;
  readonly rejectionsInARow: number;
}

export interface ExecutionContext extends ExecutionInput {
  readonly results: readonly TaskResult[];
  readonly running: readonly string[];
  readonly started: number;
}

export interface ExecutionOutput {
  /** Of this plan's tasks that were reached. */
  readonly results: readonly TaskResult[];
  readonly started: number;
  readonly rejectionsInARow: number;
  readonly isOutOfIterations: boolean;
}

/** Told to the agent, so that a run cut short tells what was at work. */
export interface TaskStarted {
  readonly type: 'task.started';
  readonly task: string;
}

/** Passed up to the agent as it happens, so that a run cut short still tells what was done. */
export interface TaskSettled extends TaskEnd {
  readonly type: 'task.settled';
}

type TaskId = `task:${string}`;

export const executionMachine = setup({
  types: {} as {
    context: ExecutionContext;
    input: ExecutionInput;
    output: ExecutionOutput;
    events:
      | DoneActorEvent<TaskEnd, TaskId>
      | ErrorActorEvent<unknown, TaskId>
      | ActionReviewed
      | ActionDenied;
  },
  actors: {task: taskMachine},
  actions: {
    skipBlocked: enqueueActions(({context, enqueue}) => {
      const skipped = newlySkipped(context);
      if (skipped.length > 0) enqueue.assign({results: [...context.results, ...skipped]});
      for (const result of skipped) {
        enqueue(report(() => skipReport(result)));
      }
    }),
    startReady: enqueueActions(({context, enqueue}) => {
      const next = tasksToStart(context);
      for (const task of next) {
        enqueue(report(() => startReport(task)));
        enqueue(sendParent((): TaskStarted => ({type: 'task.started', task: task.id})));
        enqueue.spawnChild('task', {id: taskActor(task.id), input: taskInput(context, task)});
      }
      enqueue.assign({
        running: [...context.running, ...next.map(({id}) => id)],
        started: context.started + next.length,
      });
    }),
    recordEnd: assign(({context}, end: TaskEnd) => recorded(context, end)),
    dismissTask: stopChild((_, actorId: string) => actorId),
    passEnd: sendParent((_, end: TaskEnd): TaskSettled => ({type: 'task.settled', ...end})),
    pass: sendParent(({event}) => event),
  },
  guards: {
    isBlocked: ({context}) => newlySkipped(context).length > 0,
    isOver: ({context}) => context.running.length === 0 && tasksToStart(context).length === 0,
  },
}).createMachine({
  id: 'execution',
  context: ({input}) => ({...input, results: [], running: [], started: 0}),
  initial: 'scheduling',
  states: {
    scheduling: {
      always: [
        {guard: 'isBlocked', target: 'scheduling', reenter: true, actions: 'skipBlocked'},
        {guard: 'isOver', target: 'settled'},
        {target: 'running', actions: 'startReady'},
      ],
    },
    running: {
      on: {
        'xstate.done.actor.*': {
          target: 'scheduling',
          actions: [
            {type: 'recordEnd', params: ({event}) => event.output},
            {type: 'dismissTask', params: ({event}) => event.actorId},
            {type: 'passEnd', params: ({event}) => event.output},
          ],
        },
        'xstate.error.actor.*': {
          target: 'scheduling',
          actions: [
            {type: 'recordEnd', params: ({context, event}) => crashEnd(context, event)},
            {type: 'dismissTask', params: ({event}) => event.actorId},
            {type: 'passEnd', params: ({context, event}) => crashEnd(context, event)},
          ],
        },
        'action.*': {actions: 'pass'},
      },
    },
    settled: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

/** Reported here: a child's own reports would come before its first state's. */
function startReport({id, description}: Task): Report {
  return {type: 'task.started', task: id, description};
}

function skipReport({id, output}: TaskResult): Report {
  return {type: 'task.settled', task: id, status: 'skipped', message: output};
}

function taskActor(id: string): TaskId {
  return `task:${encodeURIComponent(id.toWellFormed())}`;
}

function scheduleOf({plan, results, earlier, running}: ExecutionContext) {
  const done = earlier.filter(({status}) => status === 'succeeded');
  return {plan, results: [...done, ...results], running};
}

function newlySkipped(context: ExecutionContext): TaskResult[] {
  return blockedTasks(scheduleOf(context)).map(({task, by}) =>
    skippedResult(task, `skipped, because task ${by} did not succeed`),
  );
}

/** Bounded by how many may run at once and by the iterations left; none once the provider has failed. */
function tasksToStart(context: ExecutionContext) {
  const {settings, running, started, iterationsLeft, results} = context;
  if (providerFailureOf(results)) return [];
  const room = Math.min(settings.agent.maxParallelTasks - running.length, iterationsLeft - started);
  return readyTasks(scheduleOf(context)).slice(0, Math.max(0, room));
}

function taskInput(context: ExecutionContext, task: Task): TaskInput {
  const {request, plan, settings, workspace, results, earlier, evidence, rejectionsInARow} =
    context;
  const known = [...earlier, ...results];
  return {
    task,
    request,
    plan,
    context: context.context,
    earlier: known,
    settings,
    workspace,
    evidence: [...evidence, ...known.flatMap((result) => result.evidence)],
    rejectionsInARow,
    name: taskActor(task.id),
  };
}

function recorded(
  {results, running}: ExecutionContext,
  {result, rejectionsInARow}: TaskEnd,
): Partial<ExecutionContext> {
  return {
    results: [...results, result],
    running: running.filter((id) => id !== result.id),
    rejectionsInARow,
  };
}

/** A task whose actor crashed, which is a bug, failed. */
function crashEnd(
  {plan, rejectionsInARow}: ExecutionContext,
  {actorId, error}: {readonly actorId: string; readonly error: unknown},
): TaskEnd {
  const task = plan.tasks.find(({id}) => taskActor(id) === actorId);
  if (!task) throw new Error(`${actorId} is no task of the plan`);
  return {result: failedResult(task, toFailure(error)), rejectionsInARow};
}

function outputOf(context: ExecutionContext): ExecutionOutput {
  const {results, started, rejectionsInARow, iterationsLeft} = context;
  const isStopped = providerFailureOf(results) !== undefined;
  return {
    results,
    started,
    rejectionsInARow,
    isOutOfIterations:
      !isStopped && started >= iterationsLeft && openTasks(scheduleOf(context)).length > 0,
  };
}
