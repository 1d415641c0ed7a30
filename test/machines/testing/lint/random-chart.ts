/** Random charts: nested, parallel, with histories, delays, raised events and wildcards. */

import * as fc from 'fast-check';
import {type AnyStateMachine, createMachine, raise} from 'xstate';

export const events = ['go', 'back', 'user.save', 'user.cancel'];
/** Some of these events never occur. */
const descriptors = [
  ...events,
  '*',
  'user.*',
  'xstate.done.state.m.a',
  'done.invoke.a',
  'xstate.init',
];

export interface Flags {
  isOpen: boolean;
  isFull: boolean;
}

interface Shape {
  readonly key: string;
  readonly id: string;
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly children: readonly Shape[];
}

interface TransitionConfig {
  readonly target?: string;
  readonly guard?: string;
  readonly actions?: ReturnType<typeof raise>;
  readonly reenter?: boolean;
}

/** At most three levels. The flags are the results of the guards. */
export function randomChart(g: fc.GeneratorValue, flags: Readonly<Flags>): AnyStateMachine {
  const shape = randomShape(g, 'm', 'm', g(fc.constantFrom, 'compound', 'compound', 'parallel'));
  const shapes = allIn(shape);
  const parts = {
    ids: shapes.slice(1).map(({id}) => id),
    delays: shapes.some(({type}) => type === 'history') ? [] : [10, 20],
  };
  return createMachine(
    {...configOf(g, shape, parts), options: {maxIterations: 50}},
    {guards: {isOpen: () => flags.isOpen, isFull: () => flags.isFull}},
  );
}

function randomShape(g: fc.GeneratorValue, key: string, id: string, type: Shape['type']): Shape {
  const isNested = type === 'compound' || type === 'parallel';
  const keys = isNested ? ['a', 'b', 'c', 'd'].slice(0, g(fc.integer, {min: 2, max: 4})) : [];
  const children = keys.map((child, index) =>
    randomShape(g, child, `${id}.${child}`, typeOf(g, id, type, index)),
  );
  return {key, id, type, children};
}

/** The first child is the initial state. */
function typeOf(
  g: fc.GeneratorValue,
  id: string,
  parent: Shape['type'],
  index: number,
): Shape['type'] {
  const nested = id.split('.').length < 3 ? (['compound', 'parallel'] as const) : [];
  if (parent === 'parallel') return g(fc.constantFrom, 'atomic', ...nested, ...nested);
  if (index === 0) return g(fc.constantFrom, 'atomic', 'atomic', ...nested);
  return g(fc.constantFrom, 'atomic', 'atomic', 'atomic', 'final', 'history', ...nested);
}

function allIn(shape: Shape): Shape[] {
  return [shape, ...shape.children.flatMap(allIn)];
}

interface Parts {
  /** Targets. */
  readonly ids: readonly string[];
  /**
   * Empty next to a history: when a history leads back to the active state, XState enters the state a second time without
   * leaving it, and the delays of the first entry continue.
   */
  readonly delays: readonly number[];
}

function configOf(g: fc.GeneratorValue, {id, type, children}: Shape, parts: Parts): object {
  const {ids, delays} = parts;
  const states = Object.fromEntries(
    children.map((child) => [child.key, configOf(g, child, parts)]),
  );
  if (type === 'history') return {type, id, history: g(fc.constantFrom, 'shallow', 'deep')};
  if (type === 'final') return {type, id};
  const lists = (keys: readonly (number | string)[]) =>
    Object.fromEntries(keys.map((key) => [key, transitions(g, ids)]));
  const isQuiet = g(fc.nat, {max: 2}) > (id === 'm' ? 0 : 1);
  const some = (options: readonly (number | string)[]) => {
    const maxLength = isQuiet ? 0 : Math.min(2, options.length);
    return lists(g(fc.subarray<number | string>, [...options], {maxLength}));
  };
  return {
    id,
    ...(type === 'atomic' ? {} : {type, states}),
    ...(type === 'compound' ? {initial: 'a'} : {}),
    on: some(descriptors),
    after: some(delays),
    ...(g(fc.nat, {max: 5}) === 0 ? {always: transitions(g, ids)} : {}),
    ...(type !== 'atomic' && g(fc.boolean) ? {onDone: transitions(g, ids)} : {}),
  };
}

function transitions(g: fc.GeneratorValue, ids: readonly string[]): TransitionConfig[] {
  return Array.from({length: g(fc.constantFrom, 1, 1, 2, 3)}, () => ({
    ...(g(fc.nat, {max: 5}) === 0 ? {} : {target: `#${g(fc.constantFrom, ...ids)}`}),
    ...(g(fc.boolean) ? {guard: g(fc.constantFrom, 'isOpen', 'isFull')} : {}),
    ...(g(fc.nat, {max: 4}) === 0 ? {actions: raise({type: g(fc.constantFrom, ...events)})} : {}),
    ...(g(fc.nat, {max: 4}) === 0 ? {reenter: true} : {}),
  }));
}
