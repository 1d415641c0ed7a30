/** A thread of a simulation: lives through the plans that it is given, one after another. */

import {parentPort, workerData} from 'node:worker_threads';

import type {SimPlan} from './plan.ts';
import {shrunk, simulate} from './simulate.ts';
import type {Lived} from './threads.ts';

const plans: readonly SimPlan[] = workerData;

for (const plan of plans) {
  const outcome = await simulate(plan);
  const isBroken = outcome.violations.length > 0;
  const lived: Lived = {outcome, ...(isBroken ? {smallest: (await shrunk(outcome)).plan} : {})};
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(lived);
}
