/** The arrows of a diagram. */

import {
  type ChartNode,
  type ChartTransition,
  parentsOf,
  nodesOf,
  transitionsOf,
} from '../machines/testing/chart.ts';
import {isFailure} from './label.ts';

/** All transitions from one state to another. */
export interface Edge {
  readonly from: ChartNode;
  readonly to: ChartNode;
  readonly transitions: readonly ChartTransition[];
}

/** The edges of a state, in the order of the machine. In each edge, failures come last. */
export function edgesOf(node: ChartNode): Edge[] {
  const ways = transitionsOf(node)
    .toSorted((one, other) => Number(isFailure(one)) - Number(isFailure(other)))
    .flatMap((transition) => (transition.target ?? []).map((to) => ({to, transition})));
  return [...Map.groupBy(ways, ({to}) => to)].map(([to, list]) => ({
    from: node,
    to,
    transitions: list.map(({transition}) => transition),
  }));
}

/** True if `node` is a descendant of `ancestor`. */
export function isInside(node: ChartNode, ancestor: ChartNode): boolean {
  return parentsOf(node).includes(ancestor);
}

/** True if an arrow starts at "any state" of a parent: it leads into the parent, or from the machine to itself. */
export function leadsInside(node: ChartNode, to: ChartNode): boolean {
  const isMachine = to === node && node.parent === undefined;
  return isInside(to, node) || (isMachine && Object.keys(node.states).length > 0);
}

/** The default target of a history state, if it has its own. */
export function defaultsOf({config, parent, type}: ChartNode): ChartNode[] {
  const target: unknown = type === 'history' ? config.target : undefined;
  if (typeof target !== 'string' || !parent) return [];
  const isId = target.startsWith('#');
  const all = nodesOf(parent.machine.root);
  const wanted = [...parent.path, ...target.split('.')].join('.');
  return all.filter(({id, path}) => (isId ? `#${id}` === target : path.join('.') === wanted));
}
