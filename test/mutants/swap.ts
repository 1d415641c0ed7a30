/** Runs code while a machine of the registry has one change. */

import type {AnyStateMachine} from 'xstate';

import type {Mutant} from './generator/mutant.ts';
import {mutated} from './generator/mutants.ts';

/** The parts of a machine that depend on its config. */
const parts = ['config', 'root', 'states', 'events', 'idMap', 'options'] as const;

/**
 * Puts the change into the machine itself, so that every chart that invokes it has the change too. Returns a function
 * that takes it out again. Copies that `provide` made before stay as they are.
 */
export function swapIn(machine: AnyStateMachine, mutant: Mutant): () => void {
  const before = partsOf(machine);
  Object.assign(machine, partsOf(mutated(machine, mutant)));
  return () => Object.assign(machine, before);
}

function partsOf(machine: AnyStateMachine): object {
  return Object.fromEntries(parts.map((part) => [part, Reflect.get(machine, part)]));
}
