/** The order to the processes of the tests: which machine to change, and how. */

import {hash} from 'node:crypto';

import type {AnyStateMachine} from 'xstate';

import {fingerprintOf} from '../../../machines/testing/mutants/fingerprint.ts';

/** The environment variable that holds an order as JSON. */
export const orderVariable = 'QUORATE_MUTANT';

/** A property of the global object: the function by which XState makes machines once it is loaded. */
export const creatorSymbol = Symbol.for('quorate.mutants.creator');

export interface MutantOrder {
  readonly machine: MachineMark;
  /** The name of the mutant. Absent: the machine stays as it is. */
  readonly mutant?: string;
  /** A file that grows each time the machine is made as it was ordered. */
  readonly madeFile: string;
}

/** By this a machine is known again in another process. */
export interface MachineMark {
  readonly id: string;
  readonly digest: string;
}

export function markOf(machine: AnyStateMachine): MachineMark {
  return {id: machine.id, digest: hash('sha256', fingerprintOf(machine))};
}
