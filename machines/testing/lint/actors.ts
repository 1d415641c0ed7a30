/** The actors that a chart starts, as far as the chart shows it. */

import type {AnyStateMachine} from 'xstate';

import {actionsOf, type ChartNode, nameOf, nodesOf} from '../chart.ts';

export interface ChildActor {
  /** The state that starts it. */
  readonly node: ChartNode;
  /** Absent: XState makes one, or a function does. */
  readonly id?: string;
  /** The name under which the chart refers to its logic. Absent: the logic is inline. */
  readonly name?: string;
  /** `undefined` when nothing has the name. */
  readonly logic: unknown;
  readonly isSpawned: boolean;
}

/** The invoked actors of a state, and the spawned actors of `spawnChild` actions. Actors that functions spawn are unknown. */
export function actorsOf({root}: AnyStateMachine): ChildActor[] {
  const nodes = nodesOf(root);
  return [...nodes.flatMap(invokedBy), ...nodes.flatMap(spawnedBy)];
}

function invokedBy(node: ChartNode): ChildActor[] {
  const configs: readonly unknown[] = [node.config.invoke].flat();
  return node.invoke.map(({id}, index) => ({
    node,
    id,
    ...logicOf(node, memberOf(configs[index], 'src')),
    isSpawned: false,
  }));
}

function spawnedBy(node: ChartNode): ChildActor[] {
  return writtenActions(node)
    .map((action) => implementedAction(node, action))
    .filter((action) => builtinType(action) === 'xstate.spawnChild')
    .map((action) => spawned(node, memberOf(action, 'src'), memberOf(action, 'id')));
}

function spawned(node: ChartNode, src: unknown, id: unknown): ChildActor {
  const actor = {node, ...logicOf(node, src), isSpawned: true};
  return typeof id === 'string' ? {...actor, id} : actor;
}

function logicOf({machine}: ChartNode, src: unknown): Pick<ChildActor, 'name' | 'logic'> {
  if (typeof src !== 'string') return {logic: src};
  return {name: src, logic: memberOf(machine.implementations.actors, src)};
}

/** Entry, exit, transition and initial actions. */
export function writtenActions(node: ChartNode): readonly unknown[] {
  return [...actionsOf(node), ...node.initial.actions];
}

/** The action itself for an inline one; `undefined` when nothing has the name. */
export function implementedAction({machine}: ChartNode, action: unknown): unknown {
  const name = nameOf(action);
  return name === undefined ? action : memberOf(machine.implementations.actions, name);
}

/** `xstate.raise`, for example; `undefined` for what is not an action of XState. */
export function builtinType(action: unknown): string | undefined {
  const type = typeof action === 'function' ? memberOf(action, 'type') : undefined;
  return typeof type === 'string' && type.startsWith('xstate.') ? type : undefined;
}

/** An own member of an object or a function. */
export function memberOf(owner: unknown, key: string): unknown {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null)
    return undefined;
  return Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined;
}

/** True if a function of the machine may spawn actors: their ids, and how many there are, show only when it runs. */
export function spawnsByFunction(machine: AnyStateMachine): boolean {
  const inline = nodesOf(machine.root).flatMap(writtenActions);
  const actions: unknown[] = [...inline, ...Object.values(machine.implementations.actions)];
  const functions = actions.flatMap(functionsOf);
  const anonymous = actorsOf(machine).some(({id}) => id === undefined);
  return anonymous || [...functions, machine.config.context].some(mentionsSpawn);
}

/** The functions that `assign` and `enqueueActions` are given. */
function functionsOf(action: unknown): unknown[] {
  const assignment = memberOf(action, 'assignment');
  const each = typeof assignment === 'object' && assignment ? Object.values(assignment) : [];
  return [assignment, ...each, memberOf(action, 'collect')];
}

/** By its text: a function that spawns takes `spawn` or `enqueue.spawnChild` from its argument. */
function mentionsSpawn(value: unknown): boolean {
  return typeof value === 'function' && /\bspawn/.test(String(value));
}

/** True if a logic is made by `fromCallback`, as far as the parameters of its function show it. */
export function isCallback(logic: unknown): boolean {
  const callback = memberOf(logic, 'config');
  const parameters = /^(?:function\b[^(]*)?\(\s*\{[^}]*\b(?:sendBack|receive)\b/;
  return typeof callback === 'function' && parameters.test(String(callback));
}
