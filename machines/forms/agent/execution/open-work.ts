/** What plans that ran have left to do: no plan can forget it, only do it over or say that nobody needs it. */

import {canonicalJson} from '../../../domain/digest.ts';
import type {JsonObject} from '../../../domain/json.ts';
import type {Plan, PlanGround, Task} from '../../../domain/plan.ts';
import type {TaskResult} from '../../../domain/result.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';

/** A plan that ran. */
export interface PlanRun {
  readonly plan: Plan;
  /** Of the tasks that were reached. */
  readonly results: readonly TaskResult[];
  /** Once it is judged. */
  readonly evaluation?: Evaluation;
}

/** What a later plan makes of work that was not done. */
export type Fate = Pick<TaskResult, 'redoneBy' | 'dropped'>;

/** Tasks that did not succeed, and that no later plan took up. */
export function openWork(runs: readonly PlanRun[]): readonly Task[] {
  return runs.reduce<readonly Task[]>(
    (open, {plan, results}) => [
      ...open.filter((task) => !fateIn(plan, task)),
      ...plan.tasks.filter((task) => !isDone(task, results)),
    ],
    [],
  );
}

/** The first word of the plans after it. */
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

export function resultsOf(runs: readonly PlanRun[]): readonly TaskResult[] {
  return runs.flatMap(({results}) => results);
}

function fateIn({tasks, drops = []}: Plan, task: Task): Fate | undefined {
  const drop = drops.find((each) => each.task_id === task.id);
  if (drop) return {dropped: drop.reason};
  const redo = tasks.find((other) => isRedo(other, task));
  return redo && {redoneBy: redo.id};
}

/** A task does another over if it says so, or has the same call or the same words. */
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
