/** Thirty seconds of faults in a small cluster; `npm run cluster-test` takes longer. */

import {expect, test} from 'vitest';

import {runCluster} from './cluster.ts';

test(
  'runs end, commands run once and no answer is lost while processes die and stop, the server restarts and its disk is full',
  {timeout: 240_000},
  async () => {
    const lines: string[] = [];
    const report = await runCluster({
      seconds: 30,
      runs: 24,
      seed: 3,
      print: (line) => lines.push(line),
    });
    expect(report.violations).toEqual([]);
    expect(Object.values(report.faults).reduce((sum, count) => sum + count)).toBeGreaterThan(5);
  },
);
