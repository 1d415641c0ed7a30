/** The tasks of a plan that are ready, open or blocked. */

import type {Plan, Task} from '../../../domain/plan.ts';
import type {TaskResult} from '../../../domain/result.ts';

export interface Schedule {
  readonly plan: Plan;
  /** Results of this plan and of the plans before it. */
  readonly results: readonly TaskResult[];
  readonly running: readonly string[];
}

/** Tasks that have not started and whose dependencies have all succeeded, in the plan's order. */
export function readyTasks({plan, results, running}: Schedule): Task[] {
  const succeeded = new Set(results.filter(({status}) => status === 'succeeded').map(({id}) => id));
  return openTasks({plan, results, running}).filter(({depends_on: needs = []}) =>
    needs.every((id) => succeeded.has(id)),
  );
}

/** Tasks that have not started. */
export function openTasks({plan, results, running}: Schedule): Task[] {
  const taken = new Set([...results.map(({id}) => id), ...running]);
  return plan.tasks.filter(({id}) => !taken.has(id));
}

/** Tasks that can never run because a dependency (`by`) did not succeed. */
export function blockedTasks(schedule: Schedule): {task: Task; by: string}[] {
  const lost = new Set(
    schedule.results.filter(({status}) => status !== 'succeeded').map(({id}) => id),
  );
  return openTasks(schedule).flatMap((task) => {
    const by = task.depends_on?.find((id) => lost.has(id));
    return by === undefined ? [] : [{task, by}];
  });
}
