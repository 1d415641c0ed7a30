/** Traces a run, sends it, and moves through its moments. Order: `tasks`, `turns`, `sources` of traces. */

import {createMemoryJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {tasks, turns, sources} = order;
const {Moments} = await import(`${sources}/moments.ts`);
const {Packer, Unpacker} = await import(`${sources}/packing.ts`);
const world = createWorld({tasks, turns, journal: createMemoryJournal()});
const id = await world.run();

const began = performance.now();
const batches = [];
for await (const batch of world.runtime.trace(id)) batches.push(batch);
const traceMs = performance.now() - began;

const packing = performance.now();
const packer = new Packer();
const sent = batches.map((batch) => JSON.stringify(packer.pack(batch)));
const packMs = performance.now() - packing;

const folding = performance.now();
const [unpacker, moments] = [new Unpacker(), new Moments()];
for (const text of sent) moments.add(unpacker.unpack(JSON.parse(text)).steps);
const foldMs = performance.now() - folding;

const entries = moments.steps.length;
const times = Array.from({length: 1_000}, (_, count) => {
  const before = performance.now();
  moments.at((count * 7_919) % entries);
  return performance.now() - before;
});
tell({
  entries,
  traceMs,
  packMs,
  megabytes: sent.reduce((sum, {length}) => sum + length, 0) / 1e6,
  foldMs,
  momentMs: times.reduce((sum, ms) => sum + ms, 0) / times.length,
  slowestMs: Math.max(...times),
});
