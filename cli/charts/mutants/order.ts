/** The order for the processes of the tests: the machine to change, and the change. */

import {hash} from 'node:crypto';

import type {AnyStateMachine} from 'xstate';

import {fingerprintOf} from '../../../machines/testing/mutants/fingerprint.ts';

/** The environment variable that holds an order as JSON. */
export const orderVariable = 'QUORATE_MUTANT';

/** A property of the global object: the function that replaces XState's `createMachine`. */
export const creatorSymbol = Symbol.for('quorate.mutants.creator');

export interface MutantOrder {
  readonly machine: MachineMark;
  /** The name of the mutant. Absent: the machine stays unchanged. */
  readonly mutant?: string;
  /** A file that grows each time the ordered machine is created. */
  readonly madeFile: string;
}

/** Identifies a machine in another process. */
export interface MachineMark {
  readonly id: string;
  readonly digest: string;
}

export function markOf(machine: AnyStateMachine): MachineMark {
  return {id: machine.id, digest: hash('sha256', fingerprintOf(machine))};
}
