/** Event descriptors: the keys of `on`, with the wildcards of XState. */

import type {ChartNode, ChartTransition} from './chart.ts';

/** True if a descriptor selects an event type: the same name, `*`, or `a.*` for `a`, `a.b`, `a.b.c` … */
export function selects(descriptor: string, event: string): boolean {
  if (descriptor === '*' || descriptor === event) return true;
  if (!descriptor.endsWith('.*')) return false;
  return `${event}.`.startsWith(descriptor.slice(0, -1));
}

export function isWildcard(descriptor: string): boolean {
  return descriptor === '*' || descriptor.endsWith('.*');
}

/** The transitions of one state for an event, in the order in which XState tries them. */
export function candidates(node: ChartNode, event: string): ChartTransition[] {
  return [...node.transitions]
    .filter(([descriptor]) => selects(descriptor, event))
    .toSorted(([one], [other]) => rank(other, event) - rank(one, event))
    .flatMap(([, transitions]) => transitions);
}

/** The same name first, then the longest wildcard. */
function rank(descriptor: string, event: string): number {
  return descriptor === event ? Number.POSITIVE_INFINITY : descriptor.length;
}

/** True if a transition only blocks an event: XState calls it forbidden. */
export function isForbidding({target, actions, reenter}: ChartTransition): boolean {
  return target === undefined && actions.length === 0 && !reenter;
}
