/** Mutation testing of statecharts: each mutant is one small change that a test of the chart should notice. */

import {type AnyStateMachine, createMachine, not, spawnChild} from 'xstate';

import type {Mutant} from './mutant.ts';
import {type Mutations, mutationsOf} from './mutations.ts';

/** The mutants of a machine, and the changes that are left out because they change nothing, with the reason. */
export function mutantsOf(machine: AnyStateMachine): Mutations {
  return mutationsOf(machine, {not, spawnChild});
}

/** The machine with one change, and with the same implementations. */
export function mutated(machine: AnyStateMachine, {apply}: Mutant): AnyStateMachine {
  return createMachine(apply(machine.config), machine.implementations);
}
