/** The words on a diagram: as few as leave it clear what a transition waits for and what a state does. */

import type {AnyStateMachine} from 'xstate';

export type Node = AnyStateMachine['root'];
type Transition = NonNullable<Node['always']>[number];
type Invoke = Node['invoke'][number];

/** Mermaid reads these as its own; `#35;` is how it spells a character that is meant as text. */
const special = /[:;#%"<>{}\\`]/g;

export function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(special, (char) => `#${char.charCodeAt(0)};`);
}

export function transitionsOf(node: Node): Transition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

/**
 * `event [guard]`. What a state does not choose by event shows its guard alone, and `else` for the rest: a state that
 * passes on at once, or that waits for its only child.
 */
export function transitionLabel(transition: Transition, node: Node): string {
  const event = eventName(transition, node);
  const rivals = transitionsOf(node).filter(({eventType}) => eventType === transition.eventType);
  const isElse = transition.guard === undefined && rivals.indexOf(transition) > 0;
  if (transition.guard === undefined && !isElse) return event;
  const condition = isElse ? 'else' : `[${guardName(transition.guard)}]`;
  if (isPlain(transition, node)) return condition;
  return isElse ? `${event} [else]` : `${event} ${condition}`;
}

/** Whether all that a state waits for is this kind of event, so that nobody needs its name. */
function isPlain({eventType}: Transition, node: Node): boolean {
  const waits = transitionsOf(node).filter(
    ({eventType: other}) => !other.startsWith('xstate.error'),
  );
  const [child, ...others] = node.invoke;
  const done = eventType === '' || (child && others.length === 0 && eventType === doneOf(child));
  return Boolean(done) && waits.every((other) => other.eventType === eventType || isTimed(other));
}

function isTimed({eventType}: Transition): boolean {
  return eventType.startsWith('xstate.after.');
}

function doneOf({id}: Invoke): string {
  return `xstate.done.actor.${id}`;
}

/** A state that is left as soon as it is entered. */
export function isChoice({tags}: Node): boolean {
  return tags.includes('choice');
}

export function isFailure({eventType}: Transition): boolean {
  return eventType.startsWith('xstate.error.');
}

const readable: readonly (readonly [prefix: string, word: string])[] = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'failed'],
  ['xstate.snapshot.', 'changed'],
];

/** The only child of a state is not named again. */
export function eventName(transition: Transition, {invoke}: Node): string {
  const {eventType} = transition;
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  if (isTimed(transition)) return `after ${delayName(transition)}`;
  const [prefix, word] = readable.find(([known]) => eventType.startsWith(known)) ?? [];
  if (prefix === undefined) return eventType;
  const child = eventType.slice(prefix.length);
  return invoke.length === 1 && invoke[0]?.id === child ? `${word}` : `${word}: ${child}`;
}

function delayName(transition: Transition): string {
  const delay: unknown = 'delay' in transition ? transition.delay : undefined;
  return typeof delay === 'number' ? `${delay}ms` : String(delay);
}

/** The names of a list's own actions: what XState adds for `after`, and inline functions, have none. */
export function actionNames(actions: readonly unknown[]): string[] {
  return actions.map(nameOf).filter((name) => name !== undefined);
}

/** `not(…)`, `and([…])` and `or([…])` are functions that list their parts. */
function guardName(guard: unknown): string {
  const name = nameOf(guard);
  if (name !== undefined) return name;
  if (typeof guard !== 'function' || !('guards' in guard) || !Array.isArray(guard.guards))
    return '…';
  const parts = guard.guards.map(guardName);
  if (guard.name === 'not') return `not ${parts.join('')}`;
  return guard.name === 'and' || guard.name === 'or' ? parts.join(` ${guard.name} `) : '…';
}

function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null || !('type' in item)) return undefined;
  return typeof item.type === 'string' ? item.type : undefined;
}

export function invokeLabel({src, id}: Invoke): string {
  const name = typeof src === 'string' && !src.startsWith('xstate.') ? src : 'inline';
  return id === name ? `⚙ ${name}` : `⚙ ${name} as ${id}`;
}
