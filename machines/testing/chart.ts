/** Reads the structure of a chart: its states, its transitions, and the names that it uses. Works on any machine. */

import type {AnyStateMachine, StateValue} from 'xstate';

export type ChartNode = AnyStateMachine['root'];
export type ChartTransition = NonNullable<ChartNode['always']>[number];
export type ChartInvoke = ChartNode['invoke'][number];

/** A state and all states within it, in document order. */
export function nodesOf(node: ChartNode): ChartNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

/** The states that a state value names, the machine's root first. */
export function activeNodes({root}: AnyStateMachine, value: StateValue): ChartNode[] {
  return [root, ...nodesIn(root, value)];
}

function nodesIn({states}: ChartNode, value: StateValue): ChartNode[] {
  const below = typeof value === 'string' ? {[value]: {}} : value;
  return Object.entries(below).flatMap(([key, inner]) => {
    const node = states[key];
    return node ? [node].concat(nodesIn(node, inner ?? {})) : [];
  });
}

/** The states around a state, the nearest first. */
export function parentsOf({parent}: ChartNode): ChartNode[] {
  return parent ? [parent, ...parentsOf(parent)] : [];
}

/** True if a state is the other one or lies within it. */
export function isWithin(node: ChartNode, other: ChartNode): boolean {
  return node === other || parentsOf(node).includes(other);
}

/** By its members: a user's module may bring a copy of XState of its own. */
export function isMachine(value: unknown): value is AnyStateMachine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'root' in value &&
    'implementations' in value &&
    'getInitialSnapshot' in value
  );
}

/** The transitions of a state itself: those with an event, then those without. */
export function transitionsOf(node: ChartNode): ChartTransition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/** Ids of all states. A history is a way back to a state, and is left out. */
export function statesOf({root}: AnyStateMachine): string[] {
  return nodesOf(root)
    .filter(({type}) => type !== 'history')
    .map(({id}) => id);
}

/** Names of all transitions, each unique within its machine. */
export function transitionNames({root}: AnyStateMachine): string[] {
  return nodesOf(root).flatMap(transitionsOf).map(transitionName);
}

/**
 * `task.calling xstate.done.actor.call [isSuccess] → succeeded`. Transitions of a state that would have the same name are
 * numbered: two inline guards, for example, have no names to distinguish them.
 */
export function transitionName(transition: ChartTransition): string {
  const name = plainName(transition);
  const same = transitionsOf(transition.source).filter((each) => plainName(each) === name);
  return same.length > 1 ? `${name} (${same.indexOf(transition) + 1} of ${same.length})` : name;
}

/** A name for one of the ways in which a transition is tested, beside its own. */
export function variantOf(name: string, way: string): string {
  return `${name}${variant}${way}`;
}

/** The transition's own name. */
export function withoutVariant(name: string): string {
  return name.split(variant)[0] ?? name;
}

const variant = ' · ';

function plainName({source, eventType, guard, target}: ChartTransition): string {
  const condition = guard === undefined ? '' : ` [${guardText(guard)}]`;
  const goal = target === undefined ? '' : ` → ${target.map(({key}) => key).join(', ')}`;
  return `${source.id} ${eventType === '' ? 'always' : eventType}${condition}${goal}`;
}

/** The name of a guard, its parts joined by `and`, `or` and `not`; `in a.b` for `stateIn`; `…` for an inline function. */
export function guardText(guard: unknown): string {
  const name = nameOf(guard);
  if (name !== undefined) return name;
  if (typeof guard === 'function' && 'stateValue' in guard)
    return `in ${placeText(guard.stateValue)}`;
  const parts = partsOf(guard)?.map(guardText);
  if (parts === undefined || typeof guard !== 'function') return '…';
  if (guard.name === 'not') return `not ${parts.join('')}`;
  return guard.name === 'and' || guard.name === 'or' ? parts.join(` ${guard.name} `) : '…';
}

/** A state value: `payment.entering`; of parallel states: `order.cart + help.closed`. */
export function placeText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([key, below]) => {
    const inner = placeText(below);
    return inner === '' ? key : `${key}.${inner}`;
  });
  return parts.join(' + ');
}

/** A guard, or the guards that `and`, `or` and `not` combine; undefined stands for an inline function. */
export function guardsIn(guard: unknown): (string | undefined)[] {
  if (guard === undefined) return [];
  return partsOf(guard)?.flatMap(guardsIn) ?? [nameOf(guard)];
}

function partsOf(guard: unknown): readonly unknown[] | undefined {
  const parts: unknown =
    typeof guard === 'function' && 'guards' in guard ? guard.guards : undefined;
  return Array.isArray(parts) ? parts : undefined;
}

/** The name under which a chart refers to a guard or an action; undefined for an inline function. */
export function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null || !('type' in item)) return undefined;
  return typeof item.type === 'string' ? item.type : undefined;
}

/** True if the chart's author wrote an action: XState adds actions of its own for `after`. */
export function isWritten(action: unknown): boolean {
  if (typeof action !== 'function') return true;
  const timer = 'sendId' in action ? action.sendId : 'id' in action ? action.id : '';
  return !String(timer).startsWith('xstate.after.');
}

/**
 * True if a transition exists to stop its event: it leads nowhere and does nothing, so that the states around do not see the
 * event. Such an answer to the end of an actor, which comes once, is an ordinary transition.
 */
export function isForbidden({target, actions, eventType}: ChartTransition): boolean {
  const isOutside = eventType !== '' && !eventType.startsWith('xstate.');
  return isOutside && target === undefined && actions.length === 0;
}

/** The written actions of a state and of its transitions. */
export function actionsOf(node: ChartNode): readonly unknown[] {
  const written = [...node.entry, ...node.exit].filter(isWritten);
  return [...written, ...transitionsOf(node).flatMap(({actions}) => actions)];
}

// Transitions as people read them.

/** The text of each transition of a machine by its name. */
export function transitionTexts({root}: AnyStateMachine): ReadonlyMap<string, string> {
  const all = nodesOf(root).flatMap(transitionsOf);
  return new Map(all.map((transition) => [transitionName(transition), transitionText(transition)]));
}

/** `payment.charging: chargeCard fails [mayRetry] → payment.waiting`. */
function transitionText(transition: ChartTransition): string {
  const {source, guard, target} = transition;
  const condition = guard === undefined ? '' : ` [${guardText(guard)}]`;
  const goals = target?.map((node) => node.path.join('.') || node.id);
  const goal = goals === undefined ? '' : ` → ${goals.join(', ')}`;
  const from = source.path.join('.') || source.id;
  return `${from}: ${eventText(transition)}${condition}${goal}`;
}

const ends: readonly (readonly [prefix: string, verb: string])[] = [
  ['xstate.done.actor.', 'is done'],
  ['xstate.error.actor.', 'fails'],
  ['xstate.snapshot.', 'changes'],
];

function eventText({eventType, source}: ChartTransition): string {
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'its final state is reached';
  const [, delay] = /^xstate\.after\.([^.]+)\./.exec(eventType) ?? [];
  if (delay !== undefined) return `after ${delay}`;
  const [prefix = '', verb] = ends.find(([known]) => eventType.startsWith(known)) ?? [];
  return verb === undefined
    ? eventType
    : `${actorName(eventType.slice(prefix.length), source)} ${verb}`;
}

/** The name of an invoked actor's logic; of an inline logic, the actor's id. */
function actorName(id: string, {invoke}: ChartNode): string {
  const src = invoke.find((each) => each.id === id)?.src;
  return typeof src === 'string' && !src.startsWith('xstate.') ? src : id;
}

// Event descriptors: the keys of `on`, with the wildcards of XState.

/** True if a descriptor selects an event type: the same name, `*`, or `a.*` for `a`, `a.b`, `a.b.c` … */
export function selects(descriptor: string, event: string): boolean {
  if (descriptor === '*' || descriptor === event) return true;
  if (!descriptor.endsWith('.*')) return false;
  return `${event}.`.startsWith(descriptor.slice(0, -1));
}
