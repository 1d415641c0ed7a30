/** Replays a run, recomputes a moment in its middle, and forks it there. Order: `tasks`, `turns`. */

import {createMemoryJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {tasks, turns} = order;
const journal = createMemoryJournal();
const world = createWorld({tasks, turns, journal});
const id = await world.run();
const {length: entries} = await world.runtime.entries(id);
const middle = Math.floor(entries / 2);
await world.runtime.replay(id);

async function msOf(work) {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const replayMs = await msOf(async () => await world.runtime.replay(id));
const atMs = await msOf(async () => await world.runtime.at(id, middle));
const forkMs = await msOf(async () => {
  const run = await world.runtime.fork(id, {at: middle, workspace: '.'});
  await run.opened;
});
tell({entries, replayUs: (replayMs * 1_000) / entries, atMs, forkMs});
