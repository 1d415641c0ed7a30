/** Checks of the results by code. A model's verdict can't overrule them. */

import type {Task} from '../../../domain/plan.ts';
import type {Evaluation} from '../../../questions/evaluation.ts';
import {openWork, type PlanRun, resultsOf} from '../execution/open-work.ts';

/** Every written file, once. */
export function writtenFiles(runs: readonly PlanRun[]): readonly string[] {
  return [...new Set(resultsOf(runs).flatMap(({written}) => written))];
}

/** The missing files that a command or a child may have removed after they were written: the evaluator judges them. */
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

/** Problems independent of any model: open work and missing files. */
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

const forgotten = 'no later plan redoes it or drops it with a reason';

function stateOf({id, description}: Task, runs: readonly PlanRun[]): string {
  const result = resultsOf(runs).findLast((each) => each.id === id);
  if (!result) return `task ${id} was not reached: ${description}`;
  return `task ${id} ${result.status}: ${result.failure?.message ?? result.output}`;
}

/** Adds the problems found by code. Any of them makes the evaluation unsuccessful. */
export function withChecks(evaluation: Evaluation, checked: readonly string[]): Evaluation {
  return {
    ...evaluation,
    successful: evaluation.successful && checked.length === 0,
    problems: [...checked, ...evaluation.problems],
  };
}
