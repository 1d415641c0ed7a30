/** The outcome of the mutants of one machine. */

import type {AnyStateMachine} from 'xstate';

import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import type {Baseline} from './baseline.ts';
import {triedOn} from './trial.ts';

export interface MachineReport {
  readonly machine: string;
  readonly mutants: number;
  /** Names of the mutants that no scenario notices, with the check that would. */
  readonly survivors: readonly {readonly name: string; readonly hint: string}[];
  readonly excluded: number;
  readonly seconds: number;
}

/** Tries all mutants of the machine; takes seconds to minutes. */
export function reportOn(machine: AnyStateMachine, baselines: readonly Baseline[]): MachineReport {
  const start = performance.now();
  const {mutants, excluded} = mutantsOf(machine);
  const survivors = mutants
    .filter((mutant) => triedOn(machine, mutant, baselines) === undefined)
    .map(({name, hint}) => ({name, hint}));
  return {
    machine: machine.id,
    mutants: mutants.length,
    survivors,
    excluded: excluded.length,
    seconds: (performance.now() - start) / 1_000,
  };
}

export function reportText({
  machine,
  mutants,
  survivors,
  excluded,
  seconds,
}: MachineReport): string {
  const found = mutants - survivors.length;
  const share = mutants === 0 ? 100 : (100 * found) / mutants;
  const head = `${machine}: ${found} of ${mutants} noticed (${share.toFixed(1)} %), ${excluded} excluded, ${seconds.toFixed(0)} s`;
  return [head, ...survivors.map(({name, hint}) => `  ${name}: ${hint}`)].join('\n');
}
