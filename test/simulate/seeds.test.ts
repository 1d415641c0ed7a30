/** 5,000 simulated worlds, in a deep search. */

import {writeSync} from 'node:fs';

import {expect, test} from 'vitest';

import {isDeep} from '../support/depth.ts';
import {planFor, planText} from './plan.ts';
import {figureLines, liveThrough} from './threads.ts';

const count = isDeep ? 5_000 : 12;

test(`no law is broken in ${count} worlds`, {timeout: 600_000}, async () => {
  const began = performance.now();
  const lived = await liveThrough(Array.from({length: count}, (_, at) => planFor(1_000 + at)));
  const lines = figureLines(lived, (performance.now() - began) / 1_000);
  if (isDeep) writeSync(1, `${lines.join('\n')}\n`);
  const broken = lived.filter(({outcome}) => outcome.violations.length > 0);
  expect(lived).toHaveLength(count);
  expect(
    broken.map(({outcome: {plan, violations}, smallest = plan}) => ({
      seed: plan.seed,
      smallest: planText(smallest),
      violations,
    })),
  ).toEqual([]);
});
