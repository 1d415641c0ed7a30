/** The kinds of actor logic that XState makes, and the outcomes that an actor of each kind can have. */

import {isMachine} from '../chart.ts';
import type {Outcome} from './moves.ts';

export type LogicKind =
  | 'promise'
  | 'callback'
  | 'observable'
  | 'event observable'
  | 'transition'
  | 'machine'
  | 'custom';

/** A callback fails only if it throws before it returns. */
export const outcomesOf: Readonly<Record<LogicKind, readonly Outcome['kind'][]>> = {
  promise: ['done', 'fails'],
  callback: ['sends', 'fails'],
  observable: ['next', 'done', 'fails'],
  'event observable': ['sends', 'done', 'fails'],
  transition: [],
  machine: ['done', 'fails', 'sends', 'next'],
  custom: ['done', 'fails', 'sends', 'next'],
};

/** For messages. */
export const makers: Readonly<Record<LogicKind, string>> = {
  promise: 'fromPromise',
  callback: 'fromCallback',
  observable: 'fromObservable',
  'event observable': 'fromEventObservable',
  transition: 'fromTransition',
  machine: 'createMachine',
  custom: 'other logic',
};

interface Logic {
  readonly transition: (snapshot: unknown, event: unknown, scope: unknown) => unknown;
}

/** Of a logic that is made by a copy of XState of any version: by its members, and by the messages that it takes from itself. */
export function kindOf(logic: unknown): LogicKind {
  if (isMachine(logic)) return 'machine';
  if (!isLogic(logic)) return 'custom';
  if (!('start' in logic) || typeof logic.start !== 'function') return 'transition';
  if (!('config' in logic) || typeof logic.config !== 'function') return 'custom';
  if (memberAfter(logic, {type: 'xstate.promise.resolve', data: 0}, 'status') === 'done')
    return 'promise';
  if (memberAfter(logic, {type: 'xstate.observable.complete'}, 'status') !== 'done')
    return 'callback';
  const value = memberAfter(logic, {type: 'xstate.observable.next', data: 1}, 'context');
  return value === 1 ? 'observable' : 'event observable';
}

function isLogic(value: unknown): value is Logic {
  if (typeof value !== 'object' || value === null || !('transition' in value)) return false;
  return typeof value.transition === 'function';
}

/** Undefined for a callback, which has no state for an actor that it does not know. */
function memberAfter(logic: Logic, event: object, member: string): unknown {
  const active = {status: 'active', output: undefined, error: undefined, context: undefined};
  try {
    const after = logic.transition(active, event, {self: {}});
    return typeof after === 'object' && after !== null ? Reflect.get(after, member) : undefined;
  } catch {
    return undefined;
  }
}
