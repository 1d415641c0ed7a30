/**
 * Runs the tasks of an approved plan, each as soon as its dependencies have succeeded.
 *
 * scheduling → running → scheduling … → settled; heldUp while tasks are left and the iteration limit is reached
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
import type {Plan, PlannedChange, Task} from '../../../domain/plan.ts';
import type {TaskResult} from '../../../domain/result.ts';
import type {Fact} from '../../../facts/fact.ts';
import {report} from '../../../facts/record.ts';
import {awaitResume} from '../../../ports.ts';
import {ownInteraction, triggerFired} from '../../../tree/rules.ts';
import {type AgentState, planOf, type Work} from '../agent-state.ts';
import {grantOf} from '../proposals.ts';
import {type PlanRun, resultsOf} from './open-work.ts';
import {failedResult, skippedResult} from './task-result.ts';
import {type TaskInput, taskMachine} from './task.ts';

export interface ExecutionInput {
  readonly work: Work;
  readonly plan: Plan;
  readonly evidence: readonly Evidence[];
  /** The earlier plans that ran. */
  readonly runs: readonly PlanRun[];
  /** Maximum number of tasks to start. */
  readonly iterationsLeft: number;
  /** Set if the plan, and with it its exact calls, was allowed at a gate. */
  readonly grantedBy?: Grant['by'] | undefined;
  /** The changes that its calls make to files, as they were when it was allowed. */
  readonly changes?: readonly PlannedChange[];
}

export interface ExecutionContext extends ExecutionInput {
  readonly results: readonly TaskResult[];
  readonly running: readonly string[];
  readonly started: number;
}

interface ExecutionOutput {
  readonly results: readonly TaskResult[];
  readonly started: number;
}

/** Sets a new maximum number of tasks to start. */
interface LimitChange {
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
    reportFailure: sendTo(ownInteraction, triggerFired('task.failed')),
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
            'reportFailure',
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

/** Recorded before `task.begin` is sent, so that it precedes every fact of the task. */
function startedFact({id, description}: Task): Fact {
  return {type: 'task.started', task: id, description};
}

/** The end of a task that can't report it itself. */
function settledFact(result: TaskResult): Fact {
  const {id, status, output} = result;
  return {type: 'task.settled', task: id, status, message: output, detail: {result}};
}

function taskActor(id: string): TaskId {
  return `task:${encodeURIComponent(id.toWellFormed())}`;
}

/** The id of the task that an actor belongs to, from the actor's path. */
export function taskIn(path: string): string | undefined {
  const named = path.split('/').findLast((id) => id.startsWith('task:'));
  return named === undefined ? undefined : decodeURIComponent(named.slice('task:'.length));
}

function scheduleOf({plan, results, runs, running}: ExecutionContext) {
  const done = resultsOf(runs).filter(({status}) => status === 'succeeded');
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

/** The ready tasks within the limits of parallel tasks and of iterations. */
function tasksToStart(context: ExecutionContext) {
  const {work, running, started, iterationsLeft} = context;
  const {maxParallelTasks} = work.settings.agent;
  const room = Math.min(maxParallelTasks - running.length, iterationsLeft - started);
  return readyTasks(scheduleOf(context)).slice(0, Math.max(0, room));
}

function taskInput(context: ExecutionContext, task: Task): TaskInput {
  const {work, plan, results, evidence, grantedBy, changes = []} = context;
  const runs = [...context.runs, {plan, results}];
  return {
    work,
    task,
    plan,
    runs,
    evidence: [...evidence, ...resultsOf(runs).flatMap((result) => result.evidence)],
    grantedBy,
    basedOn: changes.find((change) => change.task === task.id)?.basedOn,
  };
}

function recorded(
  {results, running}: ExecutionContext,
  result: TaskResult,
): Partial<ExecutionContext> {
  return {results: [...results, result], running: running.filter((id) => id !== result.id)};
}

/** The result of a task whose actor crashed, which is a bug. */
function crashResult(
  {plan}: ExecutionContext,
  {actorId, error}: {readonly actorId: string; readonly error: unknown},
): TaskResult {
  const task = plan.tasks.find(({id}) => taskActor(id) === actorId);
  if (!task) throw new Error(`${actorId} is not a task of the plan`);
  return failedResult(task, toFailure(error));
}

function leftText(context: ExecutionContext): string {
  const {length} = openTasks(scheduleOf(context));
  return `no more tasks may be started, ${length} of this plan ${length === 1 ? 'is' : 'are'} left`;
}

// The tasks of a plan that are ready, open or blocked.

interface Schedule {
  readonly plan: Plan;
  /** Results of this plan and of the plans before it. */
  readonly results: readonly TaskResult[];
  readonly running: readonly string[];
}

/** Tasks that have not started and whose dependencies have all succeeded, in the plan's order. */
function readyTasks({plan, results, running}: Schedule): Task[] {
  const succeeded = new Set(results.filter(({status}) => status === 'succeeded').map(({id}) => id));
  return openTasks({plan, results, running}).filter(({depends_on: needs = []}) =>
    needs.every((id) => succeeded.has(id)),
  );
}

/** Tasks that have not started. */
function openTasks({plan, results, running}: Schedule): Task[] {
  const taken = new Set([...results.map(({id}) => id), ...running]);
  return plan.tasks.filter(({id}) => !taken.has(id));
}

/** Tasks that can never run because a dependency (`by`) did not succeed. */
function blockedTasks(schedule: Schedule): {task: Task; by: string}[] {
  const lost = new Set(
    schedule.results.filter(({status}) => status !== 'succeeded').map(({id}) => id),
  );
  return openTasks(schedule).flatMap((task) => {
    const by = task.depends_on?.find((id) => lost.has(id));
    return by === undefined ? [] : [{task, by}];
  });
}

// The input of an execution, and the update of the state by its output.

export function executionInput(state: AgentState): ExecutionInput {
  return {
    work: state.work,
    plan: planOf(state),
    evidence: state.evidence,
    runs: state.runs,
    iterationsLeft: iterationsOf(state),
    grantedBy: grantOf(state),
    changes: state.draft.changes,
  };
}

/** The new limit for an active execution. */
export function limitChange(state: AgentState): LimitChange {
  return {type: 'limit.changed', iterationsLeft: iterationsOf(state)};
}

/** The number of tasks that the current plan may start. */
function iterationsOf({work, started}: AgentState): number {
  return work.settings.agent.maxIterations - started;
}

export function withExecution(state: AgentState, output: ExecutionOutput): Partial<AgentState> {
  return {
    runs: [...state.runs, {plan: planOf(state), results: output.results}],
    started: state.started + output.started,
  };
}
