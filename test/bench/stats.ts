/** The cost of statistics: over kept figures, and over runs whose figures must be computed first. */

import {join} from 'node:path';

import type {Place} from './place.ts';
import type {Row} from './table.ts';

/** In a fresh process; copies of one run of an agent with votes, a revision and tools. */
export async function measureStats({folder, run}: Place): Promise<Row[]> {
  const order = {file: join(folder, 'stats.db'), kept: 20_000, missing: 200};
  const {
    ms = NaN,
    cpuMs = NaN,
    bytes = NaN,
    computedMs = NaN,
    entries = NaN,
  } = await run('stats', order);
  return [
    {label: 'stats over 20,000 runs, from opening the journal', ours: ms, unit: 'ms', aim: 2_000},
    {label: 'the same, CPU', ours: cpuMs, unit: 'ms'},
    {label: 'figures a run, as stored', ours: bytes, unit: 'bytes'},
    {
      label: `figures of a run of ${entries} entries, computed once, CPU`,
      ours: computedMs,
      unit: 'ms',
    },
  ];
}
