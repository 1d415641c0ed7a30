/** The name of a mutant, as processes pass it to each other. */

import type {AnyStateMachine} from 'xstate';

import {machines} from '../../machines/index.ts';
import type {Mutant} from './generator/mutant.ts';
import {mutantsOf} from './generator/mutants.ts';

export interface MutantName {
  /** The id of a machine of the registry. */
  readonly machine: string;
  readonly mutant: string;
}

/** The message of the error for a name that does not exist begins with this text. */
export const unknownMutant = 'unknown mutant';

/** Throws for a name that does not exist. */
export function findMutant({machine: id, mutant: name}: MutantName): {
  readonly machine: AnyStateMachine;
  readonly mutant: Mutant;
} {
  const machine = machines.find((each) => each.id === id);
  const mutant = machine && mutantsOf(machine).mutants.find((each) => each.name === name);
  if (!machine || !mutant) throw new Error(`${unknownMutant} "${name}" of ${id}`);
  return {machine, mutant};
}
