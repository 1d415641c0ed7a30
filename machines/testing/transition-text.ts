/** Transitions as people read them. */

import type {AnyStateMachine} from 'xstate';

import {
  type ChartNode,
  type ChartTransition,
  guardText,
  nodesOf,
  transitionName,
  transitionsOf,
} from './chart.ts';

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
