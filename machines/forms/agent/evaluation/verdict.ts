/** Judging what was done: what can be checked is checked by code, and no model can talk it away. */

import type {Task} from '../../../domain/plan.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';
import {openWork, type PlanRun, resultsOf} from '../execution/open-work.ts';

/** Every file that was written, once. */
export function writtenFiles(runs: readonly PlanRun[]): readonly string[] {
  return [...new Set(resultsOf(runs).flatMap(({written}) => written))];
}

/** Of these files, those that something which ran after they were written may have removed: no fault, but to be judged. */
export function removedSince(
  runs: readonly PlanRun[],
  missing: readonly string[],
): readonly string[] {
  const deeds = resultsOf(runs).flatMap(({evidence}) => evidence);
  const lastRun = deeds.findLastIndex(({did}) => did === 'ran' || did === 'spawned');
  const since = deeds.slice(lastRun + 1);
  if (lastRun === -1) return [];
  return missing.filter(
    (path) => !since.some(({did, target}) => did === 'wrote' && target === path),
  );
}

/** What is wrong whatever a model says: work that is still to be done, files that are not there. */
export function checkedProblems(runs: readonly PlanRun[], missing: readonly string[]): string[] {
  const removed = removedSince(runs, missing);
  const ours = runs.at(-1)?.plan.tasks ?? [];
  return [
    ...openWork(runs).map((task) =>
      ours.includes(task) ? stateOf(task, runs) : `${stateOf(task, runs)}; ${forgotten}`,
    ),
    ...missing
      .filter((path) => !removed.includes(path))
      .map((path) => `the file ${path} is missing`),
  ];
}

const forgotten = 'no later plan does it over or drops it with a reason';

function stateOf({id, description}: Task, runs: readonly PlanRun[]): string {
  const result = resultsOf(runs).findLast((each) => each.id === id);
  if (!result) return `task ${id} was not reached: ${description}`;
  return `task ${id} ${result.status}: ${result.failure?.message ?? result.output}`;
}

/** What code found stands beside what the model found, and outweighs its verdict. */
export function withChecks(evaluation: Evaluation, checked: readonly string[]): Evaluation {
  return {
    ...evaluation,
    successful: evaluation.successful && checked.length === 0,
    problems: [...checked, ...evaluation.problems],
  };
}
