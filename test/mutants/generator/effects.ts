/** Which parts of a chart have the same effect, and which actions have none when they run again. */

import type {AnyStateMachine} from 'xstate';

import {type ChartNode, type ChartTransition, nameOf} from '../../../machines/testing/chart.ts';
import {isEqual} from './config.ts';

/** Two transitions that lead to the same states by the same actions. */
export function isSameEffect(one: ChartTransition, other: ChartTransition): boolean {
  return (
    one.reenter === other.reenter &&
    isSameList(one.target ?? [], other.target ?? []) &&
    (one.target === undefined) === (other.target === undefined) &&
    isEqual(one.actions, other.actions)
  );
}

function isSameList(one: readonly ChartNode[], other: readonly ChartNode[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}

/** Two final states that differ only in their names. */
export function isSameFinal(one: ChartNode, other: ChartNode): boolean {
  return (
    one.type === 'final' && other.type === 'final' && isEqual(essenceOf(one), essenceOf(other))
  );
}

function essenceOf({entry, exit, output, tags, meta}: ChartNode): readonly unknown[] {
  return [entry, exit, output, tags, meta];
}

/** The built-in type of an action: `xstate.assign` for an assignment. Undefined: a function of the author's. */
export function builtinTypeOf(machine: AnyStateMachine, action: unknown): string | undefined {
  const made = implementationOf(machine, action);
  return typeof made === 'function' && 'resolve' in made && 'type' in made
    ? String(made.type)
    : undefined;
}

/** True if an action cancels a delayed event or stops an actor. */
export function isAbort(machine: AnyStateMachine, action: unknown): boolean {
  const type = builtinTypeOf(machine, action);
  return type === 'xstate.cancel' || type === 'xstate.stopChild';
}

/** True if an action that has just run changes nothing when it runs again. */
export function isIdempotent(machine: AnyStateMachine, action: unknown): boolean {
  if (isAbort(machine, action)) return true;
  const made = implementationOf(machine, action);
  if (typeof made !== 'function' || !('assignment' in made)) return false;
  return !readsContext(made.assignment) && !readsContext(paramsOf(action));
}

function implementationOf(machine: AnyStateMachine, action: unknown): unknown {
  const name = nameOf(action);
  return name === undefined ? action : machine.implementations.actions[name];
}

function paramsOf(action: unknown): unknown {
  return typeof action === 'object' && action !== null && 'params' in action
    ? action.params
    : undefined;
}

/** An assignment, or the parameters of an action. Reads the source of functions: in doubt one reads the context. */
function readsContext(value: unknown): boolean {
  if (typeof value === 'function') return !ignoresContext(String(value));
  return typeof value === 'object' && value !== null && Object.values(value).some(readsContext);
}

/** Of the source of a function whose first parameter holds the context. */
function ignoresContext(source: string): boolean {
  const [, inBrackets, alone] = firstParameter.exec(source) ?? [];
  const parameter = inBrackets ?? alone;
  if (parameter === undefined) return false;
  if (parameter.startsWith('{')) return !/\bcontext\b|\bself\b|\.\.\./.test(parameter);
  const uses = source.match(new RegExp(String.raw`(?<![\w$.])${parameter}(?![\w$])`, 'g')) ?? [];
  return parameter === '' || uses.length === 1;
}

/** A pattern of an object, a name, or nothing. */
const firstParameter =
  /^(?:async\s+)?(?:function\b\s*)?\w*\s*\(\s*(\{[^{}]*\}|\w*)\s*[,)]|^(\w+)\s*=>/;
