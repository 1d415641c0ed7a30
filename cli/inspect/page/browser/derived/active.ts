/** Reads a state value: the active states of a chart, and the events that they accept. */

import {isJsonObject, type Json} from '../../../../../machines/domain/json.ts';
import type {ChartState, ChartTransitionView} from '../../../../../machines/trace/step.ts';

/** The active states, the root first. */
export function activeStates(states: readonly ChartState[], value: Json): readonly ChartState[] {
  const active = new Set(['', ...pathsIn(value, [])]);
  return states.filter(({path}) => active.has(keyOf(path)));
}

function pathsIn(value: Json, above: readonly string[]): string[] {
  if (typeof value === 'string') return [keyOf([...above, value])];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, within]) => {
    const path = [...above, name];
    return [keyOf(path)].concat(pathsIn(within, path));
  });
}

function keyOf(path: readonly string[]): string {
  return path.length === 0 ? '' : JSON.stringify(path);
}

/** `a › b`; the regions of a parallel state are separated by `·`. */
export function stateText(value: Json): string {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return '';
  return Object.entries(value)
    .map(([name, within]) => [name, stateText(within)].filter(Boolean).join(' › '))
    .join(' · ');
}

export interface Enabled {
  readonly event: string;
  readonly kind: EventKind;
  /** In the order in which XState tries them: inner states first. */
  readonly transitions: readonly EnabledTransition[];
}

/** `outcome`: of an invoked actor or a child state; `timer`: a delay has passed. */
export type EventKind = 'event' | 'outcome' | 'timer';

export interface EnabledTransition extends ChartTransitionView {
  readonly state: ChartState;
}

/** The text of a transition without its state: `seat.settled`, `[isDecided]`, `decided`. */
export interface TransitionParts {
  readonly event: string;
  readonly guard?: string;
  /** Absent: the state stays. */
  readonly target?: string;
}

export function transitionParts(
  {text}: Pick<ChartTransitionView, 'text'>,
  {id, path}: Pick<ChartState, 'id' | 'path'>,
): TransitionParts {
  const from = `${path.join('.') || id}: `;
  const rest = text.startsWith(from) ? text.slice(from.length) : text;
  const [, event = rest, guard, target] = /^(.*?)(?: (\[.*\]))?(?: → (.*))?$/.exec(rest) ?? [];
  return {
    event,
    ...(guard === undefined ? {} : {guard}),
    ...(target === undefined ? {} : {target}),
  };
}

/** The events that the active states and their parents accept. */
export function enabledEvents(active: readonly ChartState[]): readonly Enabled[] {
  const innerFirst = active.toSorted((one, other) => other.path.length - one.path.length);
  const accepted = innerFirst.flatMap((state) =>
    state.transitions
      .filter(({event}) => event !== '')
      .map(({name, event, text}) => ({name, event, text, state})),
  );
  const events = Map.groupBy(accepted, ({event}) => event);
  return [...events]
    .map(([event, transitions]) => ({event, kind: kindOf(event), transitions}))
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

const order: readonly EventKind[] = ['event', 'outcome', 'timer'];

function kindOf(event: string): EventKind {
  if (event.startsWith('xstate.after.')) return 'timer';
  return event.startsWith('xstate.') ? 'outcome' : 'event';
}
