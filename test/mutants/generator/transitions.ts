/** Changes of a transition: of its guard, its target and its actions, or without it. */

import {
  type ChartNode,
  type ChartTransition,
  parentsOf,
  transitionName,
} from '../../../machines/testing/chart.ts';
import {targetOf} from './config.ts';
import {isAbort, isIdempotent, isSameEffect, isSameFinal} from './effects.ts';
import {actionText, type Builders, type Change} from './mutant.ts';
import {type Slot, slotsOf, withoutTransition, withTransition} from './slots.ts';

/** One transition of a slot. */
interface Place {
  readonly slot: Slot;
  readonly index: number;
  readonly transition: ChartTransition;
  /** The name of the transition without its state. */
  readonly text: string;
  /** Why no change of the transition changes the chart. */
  readonly dead: string | undefined;
}

export function transitionChanges(node: ChartNode, builders: Builders): Change[] {
  return slotsOf(node).flatMap((slot) =>
    slot.transitions.flatMap((transition, index) => {
      const text = transitionName(transition).slice(node.id.length + 1);
      const place = {slot, index, transition, text, dead: whyDead(slot, index)};
      return [
        ...guardChanges(place, builders),
        ...retargeted(place),
        dropped(place),
        ...repeated(place),
        ...withoutAborts(place),
      ];
    }),
  );
}

function whyDead({transitions}: Slot, index: number): string | undefined {
  const before = transitions.slice(0, index).find(({guard}) => guard === undefined);
  return before && `never taken: ${shortName(before)} comes first and has no guard`;
}

/** The transition that is taken instead with any results of the guards, where that is known. */
function whyReplaced({slot: {transitions}, index, transition}: Place): string | undefined {
  const rest = transitions.slice(index + 1);
  const last = rest.findIndex(({guard}) => guard === undefined);
  const instead = rest.slice(0, last + 1);
  if (instead.length === 0 || !instead.every((each) => isSameEffect(each, transition))) {
    return undefined;
  }
  return `${shortName(instead[0] ?? transition)} is taken instead and has the same effect`;
}

function shortName(transition: ChartTransition): string {
  return transitionName(transition).slice(transition.source.id.length + 1);
}

function guardChanges(place: Place, {not}: Builders): Change[] {
  const {slot, index, transition, text, dead} = place;
  const {guard} = transition;
  if (guard === undefined) return [];
  const node = slot.node;
  const reason = dead ?? whyReplaced(place);
  return [
    {
      kind: 'drop-guard',
      node,
      text: `drop the guard of ${text}`,
      hint: 'check what happens when the guard is false',
      apply: (config) => withTransition(config, slot, index, {guard: undefined}),
      reason,
    },
    {
      kind: 'negate-guard',
      node,
      text: `negate the guard of ${text}`,
      hint: 'check that the transition is taken when the guard is true',
      apply: (config) => withTransition(config, slot, index, {guard: negated(guard, not)}),
      reason,
    },
  ];
}

type Guard = NonNullable<ChartTransition['guard']>;

function negated(guard: Guard, not: Builders['not']): unknown {
  if (typeof guard === 'string') return not(guard);
  if (typeof guard === 'object') return not(guard);
  return isPredicate(guard) ? not(guard) : undefined;
}

function isPredicate(guard: unknown): guard is Parameters<Builders['not']>[0] {
  return typeof guard === 'function';
}

function retargeted({slot, index, transition, text, dead}: Place): Change[] {
  const [first, ...others] = transition.target ?? [];
  if (!first) return [];
  const {node} = slot;
  const to = otherTarget(first, node);
  if (!to) return [];
  return [
    {
      kind: 'retarget',
      node,
      text: `retarget ${text} to ${to.key}`,
      hint: `check that the transition ends in ${first.key}`,
      apply: (config) =>
        withTransition(config, slot, index, {target: [to, ...others].map(targetOf)}),
      reason:
        dead ??
        (isSameFinal(first, to)
          ? `${to.key} is a final state that differs in its name alone`
          : undefined),
    },
  ];
}

/** A state that could be mistaken for the target: the next of its kind beside it; the parent of a history. */
function otherTarget(target: ChartNode, source: ChartNode): ChartNode | undefined {
  const {parent, type} = target;
  if (!parent || parent.type === 'parallel') return undefined;
  if (type === 'history') return parent;
  const all = Object.values(parent.states);
  const at = all.indexOf(target);
  const others = [...all.slice(at + 1), ...all.slice(0, at)].filter(
    (each) => each.type !== 'history',
  );
  const rank = (each: ChartNode) => {
    if (isSameFinal(each, target)) return 3;
    if (each === source) return 2;
    return isOfKind(each, target) ? 0 : 1;
  };
  return others.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** True if both are entered to stay, to be left at once, or to end. */
function isOfKind(one: ChartNode, other: ChartNode): boolean {
  return one.type === other.type && isLeftAtOnce(one) === isLeftAtOnce(other);
}

function isLeftAtOnce({always = []}: ChartNode): boolean {
  return always.length > 0;
}

function dropped(place: Place): Change {
  const {slot, index, text, dead} = place;
  return {
    kind: slot.isDelayed ? 'drop-after' : 'drop-transition',
    node: slot.node,
    text: `drop ${text}`,
    hint: slot.isDelayed
      ? 'let the time pass and check what happens'
      : 'send the event and check what happens',
    apply: (config) => withoutTransition(config, slot, index),
    reason: dead ?? whyReplaced(place) ?? whyInert(place),
  };
}

/** A transition that does nothing shadows those of the states above it; without one it has no effect. */
function whyInert({slot: {node, transitions}, transition}: Place): string | undefined {
  const {target, actions, eventType} = transition;
  if (target !== undefined || actions.length > 0 || transitions.length > 1) return undefined;
  if (eventType.startsWith('xstate.error.')) return undefined;
  const owners = [node, ...parentsOf(node)];
  const isHandled = owners.some((owner) =>
    [...owner.transitions.keys()].some(
      (event) =>
        (owner !== node || event !== eventType) && (event === eventType || event.endsWith('*')),
    ),
  );
  return isHandled ? undefined : 'it does nothing, and no other transition takes the event';
}

/** XState takes one transition of a list, so that a second one would never be taken: its actions are run twice instead. */
function repeated({slot, index, transition, text, dead}: Place): Change[] {
  const {actions} = transition;
  if (actions.length === 0) return [];
  const isSame = actions.every((action) => isIdempotent(slot.node.machine, action));
  return [
    {
      kind: 'repeat-actions',
      node: slot.node,
      text: `run the actions of ${text} twice`,
      hint: `check how often ${actions.map(actionText).join(', ')} ran`,
      apply: (config) => withTransition(config, slot, index, {actions: [...actions, ...actions]}),
      reason: dead ?? (isSame ? 'to run its actions again changes nothing' : undefined),
    },
  ];
}

function withoutAborts({slot, index, transition: {actions}, text, dead}: Place): Change[] {
  return actions.flatMap((action, at): Change[] => {
    if (!isAbort(slot.node.machine, action)) return [];
    return [
      {
        kind: 'drop-abort',
        node: slot.node,
        text: `drop ${actionText(action, at)} of ${text}`,
        hint: 'check that what was begun is stopped',
        apply: (config) =>
          withTransition(config, slot, index, {
            actions: actions.filter((_, other) => other !== at),
          }),
        reason: dead,
      },
    ];
  });
}
