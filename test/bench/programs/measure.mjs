/** What every measured program needs: its order, its figures, the CPU it took. */

import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** The order that the parent gave, as JSON in the first argument. */
export const order = JSON.parse(process.argv[2] ?? '{}');

/** Tells the parent, and ends whatever is still open. */
export function tell(figures) {
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
}

export async function cpuUsOf(work) {
  const before = process.cpuUsage();
  await work();
  const {user, system} = process.cpuUsage(before);
  return user + system;
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** µs of CPU for each turn beyond what a run without any costs: medians, after warming up. */
export async function cpuUsATurn(run) {
  const {turns, warmUps, rounds} = order;
  for (let round = 0; round < warmUps; round += 1) await run(turns);
  const whole = [];
  const empty = [];
  for (let round = 0; round < rounds; round += 1) {
    whole.push(await cpuUsOf(async () => await run(turns)));
    empty.push(await cpuUsOf(async () => await run(0)));
  }
  return (median(whole) - median(empty)) / turns;
}

/** Memory in use after a collection of garbage, in KB. */
export function heapKb() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1_024;
}

/** Peak memory in MB, as the system saw it. */
export function peakMb() {
  return process.resourceUsage().maxRSS / 1_024;
}

export async function wait(ms) {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
