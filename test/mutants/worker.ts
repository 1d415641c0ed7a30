/**
 * A process of `npm run mutants`: tries one mutant after another. It ends with code 1 when something fails that is not a
 * mutant's fault.
 */

import {setTimeout} from 'node:timers/promises';

import {findMutant} from './mutant-name.ts';
import type {NoticedBy, TrialRequest, WorkerMessage} from './report.ts';
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

async function answer(request: TrialRequest): Promise<void> {
  const noticedBy =
    (await byScenarios(request)) ?? (await suiteTrial(request.named, request.suites));
  send({type: 'tried', noticedBy});
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/** The scenarios take milliseconds to seconds, so they come first. */
async function byScenarios({named, plan}: TrialRequest): Promise<NoticedBy> {
  const {machine, mutant} = findMutant(named);
  const before = crashes;
  const noticedBy = triedOn(machine, mutant, plan, onProgress);
  await setTimeout(0);
  return noticedBy ?? (crashes > before ? 'unhandled error' : undefined);
}
