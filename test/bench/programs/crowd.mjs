/** Many agents at once. Order: `side`, `agents`, `turns`, `latencyMs`, `file` (absent: the journal is in memory). */

import {monitorEventLoopDelay} from 'node:perf_hooks';

import {cpuUsOf, order, peakMb, tell} from './measure.mjs';

const {createWorld} = await import(`./${order.side}.mjs`);
let calls = 0;
const {agents, turns, latencyMs} = order;
const world = createWorld({
  turns,
  latencyMs,
  journal: order.file && (await import('quorate')).createSqliteJournal(order.file),
  onCall: () => (calls += 1),
});
const delay = monitorEventLoopDelay({resolution: 5});
delay.enable();
const startedAt = performance.now();
const cpuUs = await cpuUsOf(
  async () => await Promise.all(Array.from({length: agents}, async () => await world.run())),
);
tell({
  cpuUsACall: cpuUs / calls,
  calls,
  peakMb: peakMb(),
  wallMs: performance.now() - startedAt,
  lagP99Ms: delay.percentile(99) / 1e6,
  lagMaxMs: delay.max / 1e6,
});
