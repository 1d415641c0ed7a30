/** Judging what was done: what can be checked is checked by code, and no model can talk it away. */

import type {Evaluation} from '../../domain/evaluation.ts';
import type {Plan} from '../../domain/plan.ts';
import type {TaskResult} from '../../domain/result.ts';

/** What is wrong whatever a model says: tasks of this plan that did not succeed, files that are not there. */
export function checkedProblems(
  plan: Plan,
  results: readonly TaskResult[],
  missing: readonly string[],
): string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const tasks = plan.tasks.flatMap(({id, description}) => {
    const result = byId.get(id);
    if (!result) return [`task ${id} was not reached: ${description}`];
    if (result.status === 'succeeded') return [];
    return [`task ${id} ${result.status}: ${result.failure?.message ?? result.output}`];
  });
  return [...tasks, ...missing.map((path) => `the file ${path} is missing`)];
}

/** What code found stands beside what the model found, and outweighs its verdict. */
export function withChecks(evaluation: Evaluation, checked: readonly string[]): Evaluation {
  return {
    ...evaluation,
    successful: evaluation.successful && checked.length === 0,
    problems: [...checked, ...evaluation.problems],
  };
}
