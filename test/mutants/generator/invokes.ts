/** Changes of the invoked actors of a state: the targets of their ends, and whether they are stopped. */

import {
  type ChartInvoke,
  type ChartNode,
  type ChartTransition,
  isWithin,
  nodesOf,
  parentsOf,
  transitionsOf,
} from '../../../machines/testing/chart.ts';
import {isEqual, listOf, memberOf, membersOf, pathOf, valueAt, withValue} from './config.ts';
import {isSameEffect} from './effects.ts';
import type {Builders, Change} from './mutant.ts';
import {invokePath} from './slots.ts';

export function invokeChanges(node: ChartNode, builders: Builders): Change[] {
  return node.invoke.flatMap((invoke, index) => [
    ...swapped(node, invoke, index),
    ...notStopped(node, invoke, index, builders),
  ]);
}

function swapped(node: ChartNode, {id}: ChartInvoke, index: number): Change[] {
  const path = invokePath(node, index);
  const config = valueAt(node.machine.config, path);
  const [onDone, onError] = [memberOf(config, 'onDone'), memberOf(config, 'onError')];
  if (onDone === undefined && onError === undefined) return [];
  const [done = [], failed = []] = ['done', 'error'].map((end) =>
    node.transitions.get(`xstate.${end}.actor.${id}`),
  );
  return [
    {
      kind: 'swap-done-and-error',
      node,
      text: `swap done and error of ${id}`,
      hint: `let ${id} end, and let it fail, and check what happens`,
      apply: (whole) =>
        withValue(withValue(whole, [...path, 'onDone'], onError), [...path, 'onError'], onDone),
      reason: isSameChoice(done, failed) ? 'both have the same effect' : undefined,
    },
  ];
}

function isSameChoice(one: readonly ChartTransition[], other: readonly ChartTransition[]): boolean {
  return (
    one.length === other.length &&
    one.every((each, index) => {
      const same = other[index];
      return same && isEqual(each.guard, same.guard) && isSameEffect(each, same);
    })
  );
}

/** The actor is spawned when the state is entered, so that nothing stops it before the machine ends. */
function notStopped(
  node: ChartNode,
  {id}: ChartInvoke,
  index: number,
  {spawnChild}: Builders,
): Change[] {
  const base = pathOf(node);
  const invokes = [node.config.invoke ?? []].flat();
  const invoke = invokes[index];
  const handlers = Object.entries({
    [`xstate.done.actor.${id}`]: invoke?.onDone,
    [`xstate.error.actor.${id}`]: invoke?.onError,
    [`xstate.snapshot.${id}`]: invoke?.onSnapshot,
  }).filter(([, handler]) => handler !== undefined);
  const isTaken = handlers.some(([event]) => memberOf(node.config.on, event) !== undefined);
  if (!invoke || !node.parent || isTaken) return [];
  const {src, systemId, input, onSnapshot} = invoke;
  const spawn = spawnChild(src, {
    id,
    input,
    syncSnapshot: onSnapshot !== undefined,
    ...(systemId === undefined ? {} : {systemId}),
  });
  const members = {
    entry: [...listOf(node.config.entry), spawn],
    on: {...node.config.on, ...Object.fromEntries(handlers)},
    /** Without an id of its own an actor has one by its place in the list. */
    invoke: invokes
      .map((each, at) => Object.assign({}, each, {id: node.invoke[at]?.id}))
      .filter((_, at) => at !== index),
  };
  return [
    {
      kind: 'drop-abort',
      node,
      text: `do not stop ${id} at exit`,
      hint: `leave the state before ${id} has ended and check that it is stopped`,
      apply: (config) => withValue(config, base, {...membersOf(valueAt(config, base)), ...members}),
      reason: isLeftBefore(node, id)
        ? undefined
        : `the state is left only when ${id} has ended, or when the machine ends`,
    },
  ];
}

/** True if something other than the end of an actor may take the machine out of a state, to continue elsewhere. */
function isLeftBefore(node: ChartNode, id: string): boolean {
  const ends = new Set([`xstate.done.actor.${id}`, `xstate.error.actor.${id}`]);
  const parents = parentsOf(node);
  const isBesideAnother = parents.some(({type}) => type === 'parallel');
  return nodesOf(node.machine.root)
    .filter((each) => isBesideAnother || parents.includes(each) || isWithin(each, node))
    .flatMap(transitionsOf)
    .filter(({source, eventType}) => source !== node || !ends.has(eventType))
    .some(({source, target = [], reenter}) => {
      const isLeaving = target.some((to) => !isWithin(to, node)) || !isWithin(source, node);
      const isEnd = target.every((to) => to.type === 'final' && to.parent === node.machine.root);
      return target.length > 0 && !isEnd && (isLeaving || reenter);
    });
}
