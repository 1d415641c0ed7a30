/** The words on a diagram: what a transition, an action or an invoked child is called. */

import type {AnyStateMachine} from 'xstate';

type Node = AnyStateMachine['root'];
type Transition = NonNullable<Node['always']>[number];
type Invoke = Node['invoke'][number];

/** Mermaid reads these as its own; `#35;` is how it spells a character that is meant as text. */
const special = /[:;#%"<>{}\\`]/g;

export function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(special, (char) => `#${char.charCodeAt(0)};`);
}

/** `event [guard] / action`, as in UML. */
export function transitionLabel(transition: Transition): string {
  const guard = transition.guard === undefined ? '' : ` [${guardName(transition.guard)}]`;
  const names = actionNames(transition.actions);
  const actions = names.length > 0 ? ` / ${names.join(', ')}` : '';
  const inert = transition.target === undefined && transition.actions.length === 0;
  return `${eventName(transition)}${guard}${actions}${inert ? ' (ignored)' : ''}`;
}

const readable: readonly (readonly [prefix: string, word: string])[] = [
  ['xstate.done.actor.', 'done: '],
  ['xstate.error.actor.', 'failed: '],
  ['xstate.snapshot.', 'changed: '],
];

function eventName(transition: Transition): string {
  const {eventType} = transition;
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  if (eventType.startsWith('xstate.after.')) return `after ${delayName(transition)}`;
  const known = readable.find(([prefix]) => eventType.startsWith(prefix));
  return known ? `${known[1]}${eventType.slice(known[0].length)}` : eventType;
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
