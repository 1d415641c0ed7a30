/** Simulates many worlds, in as many threads as there are processors. A world is alone in its thread: it has its own time. */

import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';

import type {SimPlan} from './plan.ts';
import type {Outcome} from './simulate.ts';

export interface Lived {
  readonly outcome: Outcome;
  /** Of a world that broke a law: the smallest plan that does so. */
  readonly smallest?: SimPlan;
}

/** In the order of the plans. Rejects when a thread fails. */
export async function liveThrough(plans: readonly SimPlan[]): Promise<readonly Lived[]> {
  const count = Math.min(availableParallelism(), plans.length);
  const threads = Array.from({length: count}, async (_, thread) => {
    const own = plans.filter((__, index) => index % count === thread);
    return await inThread(own);
  });
  const lived = await Promise.all(threads);
  return plans.flatMap((_, index) => lived[index % count]?.[Math.floor(index / count)] ?? []);
}

async function inThread(plans: readonly SimPlan[]): Promise<readonly Lived[]> {
  const lived: Lived[] = [];
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: plans,
    execArgv: [],
  });
  worker.on('message', (one: Lived) => lived.push(one));
  await once(worker, 'exit');
  return lived;
}

/** What the worlds amounted to, a line each. `seconds`: how long they took. */
export function figureLines(lived: readonly Lived[], seconds: number): readonly string[] {
  const outcomes = lived.map(({outcome}) => outcome);
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const ends = Map.groupBy(outcomes, ({status}) => status.split(' ').at(-1) ?? '');
  return [
    `${outcomes.length} worlds in ${seconds.toFixed(1)} s, ${sum(({entries}) => entries)} entries, ` +
      `${sum(({processes}) => processes)} processes, ${Math.round(sum(({lasted}) => lasted) / 3_600_000)} hours`,
    ...[...ends]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .map(([status, own]) => `  ${own.length} ${status}`),
  ];
}
