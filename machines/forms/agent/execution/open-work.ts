/** The open work of plans that ran. A later plan must redo each task of it, or drop it with a reason. */

import {canonicalJson} from '../../../domain/digest.ts';
import type {JsonObject} from '../../../domain/json.ts';
import type {Plan, PlanGround, Task} from '../../../domain/plan.ts';
import type {TaskResult} from '../../../domain/result.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';

/** A plan that ran. */
export interface PlanRun {
  readonly plan: Plan;
  /** The results of the tasks that were reached. */
  readonly results: readonly TaskResult[];
  /** Set after the plan was judged. */
  readonly evaluation?: Evaluation;
  /** A person did not take its result, and asked for more. */
  readonly isReopened?: boolean;
}

/** How a later plan treats a task that did not succeed. */
export type Fate = Pick<TaskResult, 'redoneBy' | 'dropped'>;

/** Tasks that did not succeed and that no later plan redoes or drops. */
export function openWork(runs: readonly PlanRun[]): readonly Task[] {
  return runs.reduce<readonly Task[]>(
    (open, {plan, results}) => [
      ...open.filter((task) => !fateIn(plan, task)),
      ...plan.tasks.filter((task) => !isDone(task, results)),
    ],
    [],
  );
}

/** The open tasks whose turns were used up. */
export function stoppedTasks(runs: readonly PlanRun[]): readonly Task[] {
  const stopped = new Set(
    resultsOf(runs).flatMap(({id, status}) => (status === 'stopped' ? [id] : [])),
  );
  return openWork(runs).filter(({id}) => stopped.has(id));
}

/** The fate of the task in the first later plan that redoes or drops it. */
export function fateOf(task: Task, later: readonly Plan[]): Fate | undefined {
  return later.map((plan) => fateIn(plan, task)).find((fate) => fate !== undefined);
}

/** The results of these plans that a later plan may build on, and the work that it must account for. */
export function groundAfter(runs: readonly PlanRun[]): PlanGround {
  const results = resultsOf(runs);
  return {
    settled: results.filter(({status}) => status === 'succeeded').map(({id}) => id),
    open: openWork(runs).map(({id}) => id),
    used: runs.flatMap(({plan}) => plan.tasks.map(({id}) => id)),
  };
}

/** The task whose worker answers the request: the only one, with the whole context, and not an exact call. */
export function answeringTask({tasks}: Pick<Plan, 'tasks'>): Task | undefined {
  const [task, ...more] = tasks;
  const isAnswering = task?.context_mode === 'full' && task.args === undefined;
  return isAnswering && more.length === 0 ? task : undefined;
}

export function resultsOf(runs: readonly PlanRun[]): readonly TaskResult[] {
  return runs.flatMap(({results}) => results);
}

/** The plans that ran, with only the results of tasks that this task redoes. */
export function redoneIn(task: Task, runs: readonly PlanRun[]): readonly PlanRun[] {
  return runs.map((run) => {
    const isRedone = ({id, status}: TaskResult): boolean =>
      status !== 'succeeded' &&
      run.plan.tasks.some((other) => other.id === id && isRedo(task, other));
    return {...run, results: run.results.filter(isRedone)};
  });
}

function fateIn({tasks, drops = []}: Plan, task: Task): Fate | undefined {
  const drop = drops.find((each) => each.task_id === task.id);
  if (drop) return {dropped: drop.reason};
  const redo = tasks.find((other) => isRedo(other, task));
  return redo && {redoneBy: redo.id};
}

/** A task redoes another if it names its id in `redoes`, or has the same call or the same description. */
function isRedo(redo: Task, {id, description, tool, args}: Task): boolean {
  const isNamed = redo.redoes?.includes(id) === true;
  const isSameCall = args !== undefined && callOf(redo) === callOf({tool, args});
  return isNamed || isSameCall || redo.description === description;
}

function callOf({tool, args}: {tool?: string | undefined; args?: JsonObject | undefined}): string {
  return canonicalJson([tool, args]);
}

function isDone({id}: Task, results: readonly TaskResult[]): boolean {
  return results.some((result) => result.id === id && result.status === 'succeeded');
}
