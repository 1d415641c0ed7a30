/** Statistics over many runs. Order: `file`, `kept` (runs with figures), `missing` (runs without). */

import {createMemoryJournal, createRuntime, createSqliteJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {file, kept, missing} = order;
const memory = createMemoryJournal();
const world = createWorld({tasks: 2, turns: 10, journal: memory});
const id = await world.run();
await world.runtime.stats();
const [{figures}] = memory.metrics.list();
const placed = new Set(['seq', 'at', 'hash']);
const bodies = memory.log
  .read(id)
  .map((entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => !placed.has(name))));

const journal = createSqliteJournal(file);
const copies = (count, name) => Array.from({length: count}, (_, index) => `${name}${index}`);
const append = async (ids, own) => {
  for (let from = 0; from < ids.length; from += 1_000) {
    const some = ids.slice(from, from + 1_000);
    await journal.log.append(
      some.map((interaction) => ({interaction, bodies: own, at: Date.now()})),
    );
  }
};
await append(copies(kept, 'kept'), [bodies[0], bodies.at(-1)]);
await journal.metrics.keep(copies(kept, 'kept').map((interaction) => ({interaction, figures})));
await journal.close();

const [began, usedBefore] = [performance.now(), process.cpuUsage()];
const again = createSqliteJournal(file);
const {total} = await createRuntime({journal: again}).stats({by: 'form'});
const ms = performance.now() - began;
const {user, system} = process.cpuUsage(usedBefore);
if (total.runs !== kept) throw new Error(`${total.runs} runs were counted`);
await again.close();

const other = createMemoryJournal();
for (const interaction of copies(missing, 'run'))
  other.log.append([{interaction, bodies, at: Date.now()}]);
const computing = process.cpuUsage();
await createRuntime({journal: other}).stats();
const spent = process.cpuUsage(computing);
const computedMs = (spent.user + spent.system) / 1_000 / missing;
tell({
  ms,
  cpuMs: (user + system) / 1_000,
  bytes: JSON.stringify(figures).length,
  computedMs,
  entries: bodies.length,
});
