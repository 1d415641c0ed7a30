/** The labels on a diagram: as short as possible while a transition's trigger and a state's actors stay clear. */

import {
  type ChartInvoke,
  type ChartNode,
  type ChartTransition,
  guardText,
  isMachine,
  nameOf,
  nodesOf,
  parentsOf,
  transitionsOf,
} from '../machines/testing/chart.ts';

/** Has at least one of the two members. */
export interface Label {
  readonly event?: string;
  /** `[guard]`, or `else`. */
  readonly condition?: string;
}

/** `event [guard]`: see `labelOf`. */
export function transitionLabel(transition: ChartTransition, node: ChartNode): string {
  const {event, condition} = labelOf(transition, node);
  if (event === undefined) return condition ?? '';
  if (condition === undefined) return event;
  return condition === 'else' ? `${event} [else]` : `${event} ${condition}`;
}

/**
 * The event and the guard of a transition; `else` for the last one without a guard. If the event is clear, only the guard is
 * shown: in a state that is left at once, or that waits only for its single child.
 */
export function labelOf(transition: ChartTransition, node: ChartNode): Label {
  const event = eventName(transition, node);
  const rivals = transitionsOf(node).filter(({eventType}) => eventType === transition.eventType);
  const isElse = transition.guard === undefined && rivals.indexOf(transition) > 0;
  if (transition.guard === undefined && !isElse) return {event};
  const condition = isElse ? 'else' : `[${conditionText(transition.guard)}]`;
  return isPlain(transition, node) ? {condition} : {event, condition};
}

/** The guard, with its parameters where they are data: `isDecided: approved`, `isBelow {limit: 3}`. */
function conditionText(guard: ChartTransition['guard']): string {
  const isObject = typeof guard === 'object' && guard !== null && 'params' in guard;
  const params: unknown = isObject ? guard.params : undefined;
  if (typeof params === 'string') return `${guardText(guard)}: ${params}`;
  if (typeof params !== 'object' || params === null) return guardText(guard);
  const members = Object.entries(params).map(([name, value]) => `${name}: ${String(value)}`);
  return `${guardText(guard)} {${members.join(', ')}}`;
}

/** True if the state waits only for this event, so that the label can omit it. */
function isPlain({eventType}: ChartTransition, node: ChartNode): boolean {
  const waits = transitionsOf(node).filter(
    ({eventType: other}) => !other.startsWith('xstate.error'),
  );
  const [child, ...others] = node.invoke;
  const done = eventType === '' || (child && others.length === 0 && eventType === doneOf(child));
  return Boolean(done) && waits.every((other) => other.eventType === eventType || isTimed(other));
}

function isTimed({eventType}: ChartTransition): boolean {
  return eventType.startsWith('xstate.after.');
}

function doneOf({id}: ChartInvoke): string {
  return `xstate.done.actor.${id}`;
}

/** A state that is left as soon as it is entered. */
export function isChoice({tags}: ChartNode): boolean {
  return tags.includes('choice');
}

export function isFailure({eventType}: ChartTransition): boolean {
  return eventType.startsWith('xstate.error.');
}

const readable: readonly (readonly [prefix: string, word: string])[] = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'failed'],
  ['xstate.snapshot.', 'changed'],
];

export function eventName(transition: ChartTransition, node: ChartNode): string {
  const {eventType} = transition;
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  if (isTimed(transition)) return `after ${delayName(transition)}`;
  const [prefix, word] = readable.find(([known]) => eventType.startsWith(known)) ?? [];
  if (prefix === undefined || word === undefined) return eventType;
  const child = childName(eventType.slice(prefix.length), node);
  return child === undefined ? word : `${word}: ${child}`;
}

/** Undefined for the only child of a state, which needs no name. */
function childName(id: string, node: ChartNode): string | undefined {
  const child = node.invoke.find((each) => each.id === id);
  if (!child) return id;
  if (node.invoke.length === 1) return undefined;
  return (hasGeneratedId(child, node) ? sourceName(child, node) : undefined) ?? id;
}

function delayName(transition: ChartTransition): string {
  const delay: unknown = 'delay' in transition ? transition.delay : undefined;
  return typeof delay === 'number' ? `${delay}ms` : String(delay);
}

/** The names of actions. Inline functions, and actions that XState adds for `after`, have none. */
export function actionNames(actions: readonly unknown[]): string[] {
  return actions.map(nameOf).filter((name) => name !== undefined);
}

/** The name of an invoked actor, with its id if that differs. */
function invokeLabel(invoke: ChartInvoke, node: ChartNode): string {
  const name = sourceName(invoke, node);
  if (hasGeneratedId(invoke, node)) return name ?? 'inline';
  return name === undefined || name === invoke.id ? invoke.id : `${name} as ${invoke.id}`;
}

/** The name of an actor in the chart, or the id of an inline machine. Undefined for other inline logic. */
export function sourceName(
  {id, src}: ChartInvoke,
  {invoke, config}: ChartNode,
): string | undefined {
  if (typeof src === 'string' && !src.startsWith('xstate.')) return src;
  const own = [config.invoke].flat()[invoke.findIndex((each) => each.id === id)];
  const logic: unknown = own?.src;
  return isMachine(logic) ? logic.id : undefined;
}

/** True if XState generated the id because the chart has none. */
export function hasGeneratedId(invoke: ChartInvoke, {id}: ChartNode): boolean {
  return /^\d+\./.test(invoke.id) && invoke.id.endsWith(`.${id}`);
}

// The notes of a state: its tags, its actions, its actors, and the events that it handles without a change of state.

export interface Note {
  readonly kind: 'tag' | 'action' | 'actor' | 'event';
  readonly text: string;
}

/** `word`: the label of a transition without a target. */
export function notesOf(node: ChartNode, word = transitionLabel): Note[] {
  const staying = transitionsOf(node).filter(({target}) => target === undefined);
  const handled = staying.filter(({actions}) => actions.length > 0);
  const ignored = staying.filter(({actions}) => actions.length === 0);
  return [
    ...node.tags.map((text): Note => ({kind: 'tag', text})),
    ...listed('action', 'entry /', notableActions(node, 'entry')),
    ...listed('action', 'exit /', notableActions(node, 'exit')),
    ...node.invoke.map((invoke): Note => ({kind: 'actor', text: invokeLabel(invoke, node)})),
    ...listed(
      'event',
      'on',
      handled.map((transition) => word(transition, node)),
    ),
    ...listed(
      'event',
      'ignores',
      ignored.map((transition) => eventName(transition, node)),
    ),
  ];
}

function listed(kind: Note['kind'], word: string, names: readonly string[]): Note[] {
  return names.length > 0 ? [{kind, text: `${word} ${[...new Set(names)].join(', ')}`}] : [];
}

/** Minimum number of states with an action for it to count as common. */
const commonFrom = 3;

/** The actions of a state, except actions that most states of its kind have, such as `reportPhase`. */
function notableActions(node: ChartNode, when: 'entry' | 'exit'): string[] {
  const peers = nodesOf(node.machine.root).filter(
    (each) => each.type === node.type && isChoice(each) === isChoice(node),
  );
  return actionNames(node[when]).filter((name) => {
    const same = peers.filter((peer) => actionNames(peer[when]).includes(name)).length;
    return same < commonFrom || same * 2 <= peers.length;
  });
}

// The arrows of a diagram.

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
  const isWhole = to === node && node.parent === undefined;
  return isInside(to, node) || (isWhole && Object.keys(node.states).length > 0);
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
