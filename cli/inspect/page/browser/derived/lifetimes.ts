/** When actors began. */

import type {Step} from '../../../../../machines/trace/step.ts';

/** The index of the step in which an actor began, the nearest before a moment, else the first after it. Undefined: it never did. */
export function beginningOf(
  steps: readonly Step[],
  path: string,
  index: number,
): number | undefined {
  const begins = ({changes}: Step): boolean =>
    changes.some((each) => each.change === 'started' && each.path === path);
  const before = steps.findLastIndex((step, at) => at <= index && begins(step));
  const nearest = before < 0 ? steps.findIndex(begins) : before;
  return nearest < 0 ? undefined : nearest;
}
