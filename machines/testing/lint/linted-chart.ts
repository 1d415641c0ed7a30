/** A machine as the rules of the lint read it. */

import type {AnyStateMachine} from 'xstate';

import {type ChartNode, type ChartTransition, nodesOf, transitionsOf} from '../chart.ts';
import {actorsOf, type ChildActor, spawnsByFunction} from './actors.ts';
import {childrenOf} from './relations.ts';

export interface LintedChart {
  readonly machine: AnyStateMachine;
  /** In document order. */
  readonly nodes: readonly ChartNode[];
  readonly transitions: readonly ChartTransition[];
  /** The states that can be entered. */
  readonly reached: ReadonlySet<ChartNode>;
  readonly actors: readonly ChildActor[];
  /** True if there may be actors that the chart does not show. */
  readonly spawnsByFunction: boolean;
  /** Event types or wildcards that the machine receives from outside. Absent: any event may come. */
  readonly received?: readonly string[];
}

export function readChart(machine: AnyStateMachine, received?: readonly string[]): LintedChart {
  const nodes = nodesOf(machine.root);
  return {
    machine,
    nodes,
    transitions: nodes.flatMap(transitionsOf),
    reached: reachedIn(machine),
    actors: actorsOf(machine),
    spawnsByFunction: spawnsByFunction(machine),
    ...(received === undefined ? {} : {received}),
  };
}

/** Follows every transition from the initial states on, with any event and any result of its guard. */
function reachedIn({root}: AnyStateMachine): Set<ChartNode> {
  const reached = new Set<ChartNode>();
  const defaults = new Set<ChartNode>();
  /** Parents of shallow histories that can be entered: such a history enters the child that was left, by default. */
  const remembered = new Set<ChartNode>();
  const activate = (node: ChartNode): void => {
    if (reached.has(node)) return;
    reached.add(node);
    if (node.parent) activate(node.parent);
    if (node.parent?.type === 'parallel') childrenOf(node.parent).forEach(enter);
    if (node.parent && remembered.has(node.parent)) enter(node);
    for (const {target = []} of transitionsOf(node)) target.forEach(enter);
  };
  /** Enters what is entered by default within the state, too. */
  const enter = (node: ChartNode): void => {
    activate(node);
    if (defaults.has(node)) return;
    defaults.add(node);
    for (const child of enteredWith(node)) enter(child);
    if (node.type !== 'history' || node.history === 'deep' || !node.parent) return;
    remembered.add(node.parent);
    childrenOf(node.parent)
      .filter((child) => reached.has(child))
      .forEach(enter);
  };
  enter(root);
  return reached;
}

/** The states that are entered with a state unless the transition says otherwise. */
function enteredWith(node: ChartNode): readonly ChartNode[] {
  if (node.type === 'parallel') return childrenOf(node);
  if (node.type !== 'history') return node.initial.target ?? [];
  return historyDefault(node);
}

/** The states that a history leads to before its parent has been left for the first time. */
function historyDefault(node: ChartNode): readonly ChartNode[] {
  const {parent} = node;
  const targets: readonly unknown[] = [node.config.target].flat();
  const paths = targets.filter((target) => typeof target === 'string');
  if (parent === undefined) return [];
  if (paths.length === 0) return enteredWith(parent);
  return paths.flatMap((path) => stateAt(parent, path) ?? []);
}

/** A state by `#id`, or by the path from its parent. */
function stateAt(parent: ChartNode, path: string): ChartNode | undefined {
  if (path.startsWith('#'))
    return nodesOf(parent.machine.root).find(({id}) => id === path.slice(1));
  const keys = path.split('.').filter((key) => key !== '');
  return keys.reduce<ChartNode | undefined>((node, key) => node?.states[key], parent);
}
