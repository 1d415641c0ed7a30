/**
 * The tasks of an approved plan, each as soon as its dependencies have succeeded.
 *
 * scheduling → running → scheduling … → settled; heldUp while tasks are left and none may be started
 */

import {
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  sendTo,
  setup,
  stopChild,
} from 'xstate';

import {outputIn} from '../../../actor-end.ts';
import type {Evidence} from '../../../domain/evidence.ts';
import {toFailure} from '../../../domain/failure.ts';
import type {Grant} from '../../../domain/human.ts';
import type {PlannedChange} from '../../../domain/plan-changes.ts';
import type {Plan, Task} from '../../../domain/plan.ts';
import type {TaskResult} from '../../../domain/result.ts';
import type {Fact} from '../../../facts/fact.ts';
import {report} from '../../../facts/report.ts';
import {awaitResume} from '../../../ports.ts';
import type {Section} from '../../../prompts/sections.ts';
import {triggerFired, ownInteraction} from '../../../tree/rules.ts';
import {blockedTasks, openTasks, readyTasks} from './schedule.ts';
import {failedResult, skippedResult} from './task-result.ts';
import {type TaskInput, taskMachine, type TaskRules} from './task.ts';

export interface ExecutionInput {
  readonly plan: Plan;
  readonly request: string;
  /** What a person asked for, where a model worded the request. */
  readonly asked?: string | undefined;
  /** What is known of the workspace. */
  readonly background: readonly Section[];
  /** What of it others wrote, in full. */
  readonly quoted: string;
  /** What a model passed on of what it had read is part of it. */
  readonly hasRetoldText?: true | undefined;
  readonly rules: TaskRules;
  readonly maxParallelTasks: number;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  /** Results of the plans before this one. */
  readonly earlier: readonly TaskResult[];
  /** Of its tasks as many may be started. */
  readonly iterationsLeft: number;
  /** Who allowed the plan at a gate, and with it the calls that it spells out. */
  readonly grantedBy?: Grant['by'] | undefined;
  /** To the files that its calls write, as they were when it was allowed. */
  readonly changes?: readonly PlannedChange[];
}

export interface ExecutionContext extends ExecutionInput {
  readonly results: readonly TaskResult[];
  readonly running: readonly string[];
  readonly started: number;
}

export interface ExecutionOutput {
  readonly results: readonly TaskResult[];
  readonly started: number;
}

/** More of its tasks, or fewer, may be started than before. */
export interface LimitChange {
  readonly type: 'limit.changed';
  readonly iterationsLeft: number;
}

type TaskId = `task:${string}`;

export const executionMachine = setup({
  types: {} as {
    context: ExecutionContext;
    input: ExecutionInput;
    output: ExecutionOutput;
    events: LimitChange | DoneActorEvent<TaskResult, TaskId> | ErrorActorEvent<unknown, TaskId>;
  },
  actors: {awaitResume, task: taskMachine},
  actions: {
    skip: enqueueActions(({context, enqueue}, skipped: readonly TaskResult[]) => {
      enqueue.assign({results: [...context.results, ...skipped]});
      for (const result of skipped) {
        enqueue(report(() => settledFact(result)));
      }
    }),
    startReady: enqueueActions(({context, enqueue}) => {
      const next = tasksToStart(context);
      for (const task of next) {
        enqueue(report(() => startedFact(task)));
        enqueue.spawnChild('task', {id: taskActor(task.id), input: taskInput(context, task)});
        enqueue.sendTo(taskActor(task.id), {type: 'task.begin'});
      }
      enqueue.assign({
        running: [...context.running, ...next.map(({id}) => id)],
        started: context.started + next.length,
      });
    }),
    takeResult: assign(({context}, result: TaskResult) => recorded(context, result)),
    takeLimit: assign((_, {iterationsLeft}: LimitChange) => ({iterationsLeft})),
    reportLimit: report(({context}) => ({
      type: 'limit.reached',
      limit: 'max_iterations',
      message: leftText(context),
    })),
    dismissTask: stopChild((_, actorId: string) => actorId),
    tellFailure: sendTo(ownInteraction, triggerFired('task.failed')),
    reportCrash: report((_, result: TaskResult) => settledFact(result)),
  },
  guards: {
    isBlocked: ({context}) => newlySkipped(context).length > 0,
    isOver: ({context}) =>
      context.running.length === 0 && openTasks(scheduleOf(context)).length === 0,
    isHeldUp: ({context}) => context.running.length === 0 && tasksToStart(context).length === 0,
  },
}).createMachine({
  id: 'execution',
  context: ({input}) => ({...input, results: [], running: [], started: 0}),
  initial: 'scheduling',
  on: {'limit.changed': {actions: {type: 'takeLimit', params: ({event}) => event}}},
  states: {
    scheduling: {
      tags: 'choice',
      always: [
        {
          guard: 'isBlocked',
          target: 'scheduling',
          reenter: true,
          actions: {type: 'skip', params: ({context}) => newlySkipped(context)},
        },
        {guard: 'isOver', target: 'settled'},
        {guard: 'isHeldUp', target: 'heldUp'},
        {target: 'running', actions: 'startReady'},
      ],
    },
    running: {
      on: {
        'xstate.done.actor.*': {
          target: 'scheduling',
          actions: [
            {type: 'takeResult', params: outputIn},
            {type: 'dismissTask', params: ({event}) => event.actorId},
          ],
        },
        'xstate.error.actor.*': {
          target: 'scheduling',
          actions: [
            {type: 'reportCrash', params: ({context, event}) => crashResult(context, event)},
            'tellFailure',
            {type: 'takeResult', params: ({context, event}) => crashResult(context, event)},
            {type: 'dismissTask', params: ({event}) => event.actorId},
          ],
        },
      },
    },
    heldUp: {
      entry: 'reportLimit',
      invoke: {
        src: 'awaitResume',
        id: 'resume',
        input: ({context}) => ({
          code: 'overBudget',
          message: `max_iterations: ${leftText(context)}`,
        }),
        onDone: 'scheduling',
        onError: {
          target: 'settled',
          actions: {type: 'skip', params: ({context}) => unreached(context)},
        },
      },
    },
    settled: {type: 'final'},
  },
  output: ({context: {results, started}}) => ({results, started}),
});

/** A task does nothing before it is told to begin, so that this stands above all that it reports. */
function startedFact({id, description}: Task): Fact {
  return {type: 'task.started', task: id, description};
}

/** Of a task that can't report its end itself. */
function settledFact(result: TaskResult): Fact {
  const {id, status, output} = result;
  return {type: 'task.settled', task: id, status, message: output, detail: {result}};
}

function taskActor(id: string): TaskId {
  return `task:${encodeURIComponent(id.toWellFormed())}`;
}

/** The task that an actor works for, by the actor's path. */
export function taskIn(path: string): string | undefined {
  const named = path.split('/').findLast((id) => id.startsWith('task:'));
  return named === undefined ? undefined : decodeURIComponent(named.slice('task:'.length));
}

function scheduleOf({plan, results, earlier, running}: ExecutionContext) {
  const done = earlier.filter(({status}) => status === 'succeeded');
  return {plan, results: [...done, ...results], running};
}

function newlySkipped(context: ExecutionContext): TaskResult[] {
  return blockedTasks(scheduleOf(context)).map(({task, by}) =>
    skippedResult(task, `task ${by} did not succeed`),
  );
}

function unreached(context: ExecutionContext): TaskResult[] {
  return openTasks(scheduleOf(context)).map((task) => skippedResult(task, 'not reached'));
}

/** Bounded by how many may run at once and by the iterations left. */
function tasksToStart(context: ExecutionContext) {
  const {maxParallelTasks, running, started, iterationsLeft} = context;
  const room = Math.min(maxParallelTasks - running.length, iterationsLeft - started);
  return readyTasks(scheduleOf(context)).slice(0, Math.max(0, room));
}

function taskInput(context: ExecutionContext, task: Task): TaskInput {
  const {request, plan, background, quoted, rules, workspace, results, earlier, evidence} = context;
  const {grantedBy, hasRetoldText, asked, changes = []} = context;
  const known = [...earlier, ...results];
  return {
    task,
    request,
    asked,
    plan,
    background,
    quoted,
    hasRetoldText,
    earlier: known,
    rules,
    workspace,
    grantedBy,
    basedOn: changes.find((change) => change.task === task.id)?.basedOn,
    evidence: [...evidence, ...known.flatMap((result) => result.evidence)],
  };
}

function recorded(
  {results, running}: ExecutionContext,
  result: TaskResult,
): Partial<ExecutionContext> {
  return {results: [...results, result], running: running.filter((id) => id !== result.id)};
}

/** A task whose actor crashed, which is a bug, failed. */
function crashResult(
  {plan}: ExecutionContext,
  {actorId, error}: {readonly actorId: string; readonly error: unknown},
): TaskResult {
  const task = plan.tasks.find(({id}) => taskActor(id) === actorId);
  if (!task) throw new Error(`${actorId} is no task of the plan`);
  return failedResult(task, toFailure(error));
}

function leftText(context: ExecutionContext): string {
  const {length} = openTasks(scheduleOf(context));
  return `no more tasks may be started, ${length} of this plan ${length === 1 ? 'is' : 'are'} left`;
}
