/** The simulation itself: the same world for the same seed, no broken law, and planted bugs that it must find. */

import {beforeAll, describe, expect, test} from 'vitest';

import {isDeep} from '../support/depth.ts';
import {planFor} from './plan.ts';
import {type Planted, planted} from './planted.ts';
import {shrunk, type Outcome, simulate} from './simulate.ts';

function seeds(count: number): number[] {
  return Array.from({length: count}, (_, at) => at + 1);
}

/** Of searches, for a machine at work. */
const limits = {timeout: 300_000};

/** The first worlds of a process load modules, which takes real time: on a busy machine they end before anything happens. */
async function loadModules(most = 20): Promise<void> {
  const {violations} = await simulate(planFor(1));
  if (violations.length > 0 && most > 0) await loadModules(most - 1);
}

beforeAll(async () => await loadModules());

describe('simulated worlds', () => {
  const known = new Map<number, Outcome>();
  const firstOf = async (seed: number): Promise<Outcome> => {
    const outcome = known.get(seed) ?? (await simulate(planFor(seed)));
    known.set(seed, outcome);
    return outcome;
  };

  test.for(seeds(30))('seed %i breaks no law, and twice takes the same course', async (seed) => {
    const first = await firstOf(seed);
    expect(first.violations).toEqual([]);
    const isRepeated = isDeep || seed % 4 === 1;
    expect(isRepeated ? (await simulate(planFor(seed))).trace : first.trace).toBe(first.trace);
  });

  test(
    'processes die, are suspended and continue in them, and runs end in every way',
    limits,
    async () => {
      const outcomes = [];
      for (const seed of seeds(30)) outcomes.push(await firstOf(seed));
      const ends = new Set(outcomes.flatMap(({status}) => status.split(' ')));
      expect([...ends]).toEqual(
        expect.arrayContaining(['completed', 'failed', 'cancelled', 'waiting+', 'limited+']),
      );
      expect(Math.max(...outcomes.map(({processes}) => processes))).toBeGreaterThan(2);
    },
  );
});

/** The first world in which the bug breaks its law. A test that is over searches no longer: the worlds of the next are alone. */
async function found({laws, plant}: Planted, signal: AbortSignal): Promise<Outcome | undefined> {
  for (const seed of seeds(1_000)) {
    signal.throwIfAborted();
    const outcome = await simulate(planFor(seed), {laws, plant});
    if (breaks(outcome, laws)) return outcome;
  }
  return undefined;
}

function breaks({violations}: Outcome, laws: readonly number[]): boolean {
  return violations.some(({law}) => laws.includes(law));
}

/** Usually only the bugs that the first seeds show. */
const quick = new Set<string>([
  'a vote is counted twice',
  'a call runs with other arguments than those that were approved',
  'an effect begins before that is durable',
  'the limit of calls is not kept',
]);

describe('a planted bug is found within 1,000 seeds', () => {
  const bugs = Object.entries<Planted>(planted).filter(([name]) => isDeep || quick.has(name));
  test.for(bugs)('%s', limits, async ([, bug], {signal}) => {
    const outcome = await found(bug, signal);
    expect(outcome).toBeDefined();
  });

  test('a failing world shrinks to the faults that it needs', limits, async ({signal}) => {
    const bug = planted['work goes on after a cancel'];
    const outcome = await found(bug, signal);
    const smallest = outcome && (await shrunk(outcome, bug));
    expect(smallest?.plan.faults.map(({how}) => how)).toEqual([expect.stringMatching(/^cancel/)]);
  });

  test('a bug that is taken out again leaves no trace', async () => {
    const before = await simulate(planFor(2));
    for (const bug of Object.values(planted)) await simulate(planFor(2), bug);
    expect(await simulate(planFor(2))).toEqual(before);
  });
});
