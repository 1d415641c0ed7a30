/** The labels on a diagram: as short as possible while a transition's trigger and a state's actors stay clear. */

import {
  type ChartInvoke,
  type ChartNode,
  type ChartTransition,
  guardText,
  isMachine,
  nameOf,
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

/** The guard, with its parameter where that is a text: `isDecided: approved`. */
function conditionText(guard: ChartTransition['guard']): string {
  const isObject = typeof guard === 'object' && guard !== null && 'params' in guard;
  const params: unknown = isObject ? guard.params : undefined;
  return typeof params === 'string' ? `${guardText(guard)}: ${params}` : guardText(guard);
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
export function invokeLabel(invoke: ChartInvoke, node: ChartNode): string {
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
