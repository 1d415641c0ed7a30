/** The words on a diagram: as few as leave it clear what a transition waits for and what a state does. */

import {
  type ChartInvoke,
  type ChartNode,
  type ChartTransition,
  guardText,
  nameOf,
  transitionsOf,
} from '../machines/testing/chart.ts';

/** Mermaid reads these as its own; `#35;` is how it spells a character that is meant as text. */
const special = /[:;#%"<>{}\\`]/g;

export function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(special, (char) => `#${char.charCodeAt(0)};`);
}

/**
 * `event [guard]`. What a state does not choose by event shows its guard alone, and `else` for the rest: a state that
 * passes on at once, or that waits for its only child.
 */
export function transitionLabel(transition: ChartTransition, node: ChartNode): string {
  const event = eventName(transition, node);
  const rivals = transitionsOf(node).filter(({eventType}) => eventType === transition.eventType);
  const isElse = transition.guard === undefined && rivals.indexOf(transition) > 0;
  if (transition.guard === undefined && !isElse) return event;
  const condition = isElse ? 'else' : `[${guardText(transition.guard)}]`;
  if (isPlain(transition, node)) return condition;
  return isElse ? `${event} [else]` : `${event} ${condition}`;
}

/** Whether all that a state waits for is this kind of event, so that nobody needs its name. */
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

/** The only child of a state is not named again. */
export function eventName(transition: ChartTransition, {invoke}: ChartNode): string {
  const {eventType} = transition;
  if (eventType === '') return 'always';
  if (eventType.startsWith('xstate.done.state.')) return 'done';
  if (isTimed(transition)) return `after ${delayName(transition)}`;
  const [prefix, word] = readable.find(([known]) => eventType.startsWith(known)) ?? [];
  if (prefix === undefined) return eventType;
  const child = eventType.slice(prefix.length);
  return invoke.length === 1 && invoke[0]?.id === child ? `${word}` : `${word}: ${child}`;
}

function delayName(transition: ChartTransition): string {
  const delay: unknown = 'delay' in transition ? transition.delay : undefined;
  return typeof delay === 'number' ? `${delay}ms` : String(delay);
}

/** The names of a list's own actions: actions that XState adds for `after`, and inline functions, have none. */
export function actionNames(actions: readonly unknown[]): string[] {
  return actions.map(nameOf).filter((name) => name !== undefined);
}

export function invokeLabel({src, id}: ChartInvoke): string {
  const name = typeof src === 'string' && !src.startsWith('xstate.') ? src : 'inline';
  return id === name ? `⚙ ${name}` : `⚙ ${name} as ${id}`;
}
