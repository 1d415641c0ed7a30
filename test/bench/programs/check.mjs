/**
 * CPU of one part of the work as a ratio to a bare loop, measured in turn in this process. Order: `part`, `folder`, `url`.
 */

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {createWorld as createBare} from './bare.mjs';
import {cpuUsOf, median, order, tell} from './measure.mjs';
import {createWorld, cut} from './ours.mjs';

const {part, folder, url} = order;

let files = 0;
const nextFile = () => join(folder, `${part}-${process.pid}-${(files += 1)}.db`);

const bareTurns = async (turns) => await createBare({turns}).run();

/** One durable transaction with a row of a usual entry's size. */
function createBareAppend() {
  const database = new DatabaseSync(nextFile());
  database.exec('PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE e (n INTEGER PRIMARY KEY, t TEXT)');
  const insert = database.prepare('INSERT INTO e (t) VALUES (?)');
  return () => insert.run('x'.repeat(300));
}

async function bareFetches(count) {
  const body = JSON.stringify({messages: [], stream: true});
  for (let call = 0; call < count; call += 1)
    await (await fetch(`${url}/0/v1/chat/completions`, {method: 'POST', body})).text();
}

async function allAtOnce(count, run) {
  await Promise.all(Array.from({length: count}, run));
}

/** Each part: our work and a bare loop with as many turns, commits or requests; warm-ups and rounds of both. */
const parts = {
  turns: () => ({
    ours: async () => await createWorld({turns: 50}).run(),
    bare: async () => await bareTurns(50),
    rounds: [12, 12],
  }),
  durable: () => {
    const append = createBareAppend();
    return {
      ours: async () =>
        await createWorld({turns: 50, journal: createSqliteJournal(nextFile())}).run(),
      bare: async () => {
        for (let count = 0; count < 50; count += 1) append();
      },
      rounds: [6, 8],
    };
  },
  resume: async () => {
    const journal = createMemoryJournal();
    const id = await createWorld({turns: 100, journal}).run();
    const entries = cut(id, journal.log.read(id));
    return {
      ours: async () => {
        const open = createMemoryJournal();
        open.log.append(entries);
        const {runtime} = createWorld({turns: 100, journal: open});
        await (
          await runtime.resume(id)
        ).result;
      },
      bare: async () => await bareTurns(100),
      rounds: [6, 10],
    };
  },
  http: () => ({
    ours: async () => await createWorld({turns: 20, url}).run(),
    bare: async () => await bareFetches(20),
    rounds: [8, 10],
  }),
  panel: () => ({
    ours: async () => await createWorld({turns: 0, seats: 5}).run(),
    bare: async () => await bareTurns(5),
    rounds: [40, 40],
  }),
  crowd: () => ({
    ours: async () => {
      const world = createWorld({turns: 5});
      await allAtOnce(200, world.run);
    },
    bare: async () => await allAtOnce(200, async () => await bareTurns(5)),
    rounds: [0, 1],
  }),
};

const {ours, bare, rounds} = await parts[part]();
const [warmUps, times] = rounds;
const spent = {ours: [], bare: []};
for (let round = 0; round < warmUps + times; round += 1) {
  const [our, bares] = [await cpuUsOf(ours), await cpuUsOf(bare)];
  if (round < warmUps) continue;
  spent.ours.push(our);
  spent.bare.push(bares);
}
tell({ratio: median(spent.ours) / median(spent.bare)});
