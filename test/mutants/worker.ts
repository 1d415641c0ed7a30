/**
 * A process of `npm run mutants`: for the name of a mutant it sends `began` when all is prepared, then who notices the mutant.
 * It ends with code 1 when something fails that is not a mutant's fault.
 */

import {setTimeout} from 'node:timers/promises';

import {baselinesFor} from './baseline.ts';
import {findMutant, type MutantName} from './mutant-name.ts';
import type {NoticedBy, WorkerMessage} from './report.ts';
import {openSuiteTrial} from './suites.ts';
import {triedOn} from './trial.ts';

const suiteTrial = await openSuiteTrial();

/** XState reports the error of an actor that nobody listens to by a timer. */
let crashes = 0;
process.on('uncaughtException', () => {
  crashes += 1;
});
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
process.on('disconnect', () => process.exit());
process.on('message', (named: MutantName) => {
  void answer(named);
});

async function answer(named: MutantName): Promise<void> {
  const baselines = baselinesFor(named.machine);
  send({type: 'began'});
  const noticedBy = (await byScenarios(named, baselines)) ?? (await suiteTrial(named));
  send({type: 'tried', noticedBy});
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** The scenarios take milliseconds to seconds, so they come first. */
async function byScenarios(
  named: MutantName,
  baselines: ReturnType<typeof baselinesFor>,
): Promise<NoticedBy> {
  const {machine, mutant} = findMutant(named);
  const before = crashes;
  const noticedBy = triedOn(machine, mutant, baselines);
  await setTimeout(0);
  return noticedBy ?? (crashes > before ? 'unhandled error' : undefined);
}
