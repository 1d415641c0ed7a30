/** What a run changed, file by file. */

import type {Change} from '../../domain/change.ts';
import {type Recorded, stepsIn} from '../../facts/record.ts';

type Net = Omit<Change, 'diff'>;

/**
 * Each changed file once, in the order of their first change; a file that is new is one, though it is empty. Lines that a
 * later change removes are taken for those that an earlier one added.
 */
export function netChanges(facts: readonly Recorded[]): readonly Net[] {
  const files = new Map<string, Net>();
  const created = new Set<string>();
  for (const {path, added, removed, diff = ''} of facts.flatMap(changesIn)) {
    if (diff.startsWith('--- /dev/null\n')) created.add(path);
    const before = files.get(path) ?? {path, added: 0, removed: 0};
    files.set(path, {
      path,
      added: Math.max(0, before.added - removed) + added,
      removed: before.removed + Math.max(0, removed - before.added),
    });
  }
  return [...files.values()].filter(
    ({path, added, removed}) => added + removed > 0 || created.has(path),
  );
}

/** Steps of loops are told as they happen, an exact call with the end of its task. */
function changesIn(fact: Recorded, _at: number, facts: readonly Recorded[]): readonly Change[] {
  if (fact.type === 'steps.taken') return stepsIn([fact]).flatMap(({changes = []}) => changes);
  if (fact.type !== 'task.ended') return [];
  const isTold = facts.some(
    ({type, path}) => type === 'steps.taken' && path.startsWith(`${fact.path}/`),
  );
  return isTold ? [] : (fact.result.calls ?? []).flatMap(({changes = []}) => changes);
}
