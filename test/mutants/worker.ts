/** A process of `npm run mutants`: answers the name of a mutant with its outcome. */

import {setTimeout} from 'node:timers/promises';

import {machines} from '../../machines/index.ts';
import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import {baselinesFor} from './baseline.ts';
import type {MutantName} from './mutant-name.ts';
import type {MutantOutcome, NoticedBy} from './report.ts';
import {openSuiteTrials, type SuiteTrials} from './suites.ts';
import {triedOn} from './trial.ts';

/** XState reports the error of an actor that nobody listens to by a timer. */
let crashes = 0;
process.on('uncaughtException', () => {
  crashes += 1;
});

process.on('disconnect', () => process.exit());

/** Opened at the first mutant that no scenario notices. */
let suites: Promise<SuiteTrials> | undefined;

process.on('message', (named: MutantName) => {
  void answer(named);
});

async function answer(named: MutantName): Promise<void> {
  process.send?.(await outcomeOf(named));
}

/** The scenarios take milliseconds to seconds, so they come first. Rejects for an unknown mutant. */
async function outcomeOf(named: MutantName): Promise<MutantOutcome> {
  const machine = machines.find(({id}) => id === named.machine);
  const mutant = machine && mutantsOf(machine).mutants.find(({name}) => name === named.mutant);
  if (!machine || !mutant) throw new Error(`unknown mutant "${named.mutant}" of ${named.machine}`);
  const baselines = baselinesFor(machine.id);
  const start = performance.now();
  const noticedBy = (await byScenarios(machine, mutant, baselines)) ?? (await bySuites(named));
  const {name, hint} = mutant;
  return {name, hint, noticedBy, seconds: (performance.now() - start) / 1_000};
}

async function byScenarios(...trial: Parameters<typeof triedOn>): Promise<NoticedBy> {
  const before = crashes;
  const noticedBy = triedOn(...trial);
  await setTimeout(0);
  return noticedBy ?? (crashes > before ? 'crash' : undefined);
}

async function bySuites(named: MutantName): Promise<NoticedBy> {
  suites ??= openSuiteTrials();
  return (await suites).noticing(named);
}
