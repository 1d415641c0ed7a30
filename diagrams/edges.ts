/** The arrows of a diagram. */

import {
  type ChartNode,
  type ChartTransition,
  parentsOf,
  nodesOf,
  transitionsOf,
} from '../machines/testing/chart.ts';
import {isFailure} from './label.ts';

/** All ways from one state to another. */
export interface Edge {
  readonly from: ChartNode;
  readonly to: ChartNode;
  readonly transitions: readonly ChartTransition[];
}

/** In the order in which the machine names them; failures, which every state has, come last in an edge. */
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

/** Whether a state lies within another one. */
export function isInside(node: ChartNode, ancestor: ChartNode): boolean {
  return parentsOf(node).includes(ancestor);
}

/** Whether an arrow is drawn from "any state" of a parent: it leads into the parent, or the parent is the machine itself. */
export function leadsInside(node: ChartNode, to: ChartNode): boolean {
  const isMachine = to === node && node.parent === undefined;
  return isInside(to, node) || (isMachine && Object.keys(node.states).length > 0);
}

/** Where a history leads that remembers nothing, if it says so itself. */
export function defaultsOf({config, parent, type}: ChartNode): ChartNode[] {
  const target: unknown = type === 'history' ? config.target : undefined;
  if (typeof target !== 'string' || !parent) return [];
  const isId = target.startsWith('#');
  const all = nodesOf(parent.machine.root);
  const wanted = [...parent.path, ...target.split('.')].join('.');
  return all.filter(({id, path}) => (isId ? `#${id}` === target : path.join('.') === wanted));
}
