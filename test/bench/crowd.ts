/** Ten thousand agents at once. */

import {join} from 'node:path';

import {compare, middlesOf, type Place} from './place.ts';
import type {Row} from './table.ts';

const agents = 10_000;

/** Compared with the AI SDK: in memory, five turns each. */
export async function measureCrowd(place: Place): Promise<Row[]> {
  const compared = await compare(place, 3, (side) => ({
    program: 'crowd',
    order: {side, agents, turns: 5, latencyMs: 20},
  }));
  const row = (label: string, name: string, unit: string): Row => ({
    label: `10,000 agents of five turns at once: ${label}`,
    unit,
    ...middlesOf(compared, name),
  });
  return [
    {...row('peak memory', 'peakMb', 'MB'), aim: 0.7},
    {...row('CPU a call', 'cpuUsACall', 'µs'), aim: 1},
  ];
}

/** On a journal that survives a loss of power: twelve calls of 20 ms each. */
export async function measureDurableCrowd({folder, run}: Place): Promise<Row[]> {
  const order = {side: 'ours', agents, turns: 8, latencyMs: 20, file: join(folder, 'crowd.db')};
  const {lagP99Ms = NaN, lagMaxMs = NaN, peakMb = NaN, wallMs = NaN} = await run('crowd', order);
  const label = '10,000 runs on SQLite';
  return [
    {label: `${label}: lag of the event loop, p99`, ours: lagP99Ms, unit: 'ms', aim: 100},
    {label: `${label}: lag of the event loop, longest`, ours: lagMaxMs, unit: 'ms'},
    {label: `${label}: peak memory`, ours: peakMb, unit: 'MB', aim: 1_024},
    {label: `${label}: until all have ended`, ours: wallMs / 1_000, unit: 's'},
  ];
}
