/**
 * A process of `npm run mutants`: tries one mutant after another. It ends with code 1 when something fails that is not a
 * mutant's fault.
 */

import {setTimeout} from 'node:timers/promises';

import {findMutant} from './mutant-name.ts';
import type {TrialRequest, WorkerMessage} from './report.ts';
import {openSuiteTrial} from './suites.ts';
import {triedOn} from './trial.ts';

const onProgress = () => send({type: 'progress'});
const suiteTrial = await openSuiteTrial(onProgress);

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
process.on('message', (request: TrialRequest) => {
  void answer(request);
});

async function answer({named, plan, suites}: TrialRequest): Promise<void> {
  const {machine, mutant} = findMutant(named);
  const before = crashes;
  const {noticedBy, isUnchanged} = triedOn(machine, mutant, plan, onProgress);
  await setTimeout(0);
  if (noticedBy !== undefined) send({type: 'tried', noticedBy});
  else if (crashes > before) send({type: 'tried', noticedBy: 'unhandled error'});
  else if (isUnchanged) send({type: 'tried', isUnchanged});
  else send({type: 'tried', noticedBy: await suiteTrial(named, suites)});
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}
