/** CPU of one part of the work and of a bare loop, in µs, measured in turn in this process. Order: `part`, `folder`, `url`. */

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {createWorld as createBare} from './bare.mjs';
import {cpuUsOf, order, tell} from './measure.mjs';
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

/** Each part: our work and a bare loop with as many turns, commits and requests; warm-ups and rounds of both. */
const parts = {
  turns: () => ({
    ours: async () => await createWorld({turns: 50}).run(),
    bare: async () => await bareTurns(50),
    rounds: [8, 12],
  }),
  durable: () => {
    const append = createBareAppend();
    return {
      ours: async () =>
        await createWorld({turns: 50, journal: createSqliteJournal(nextFile())}).run(),
      bare: async () => {
        await bareTurns(50);
        for (let count = 0; count < 50; count += 1) append();
      },
      rounds: [4, 8],
    };
  },
  resume: async () => {
    const journal = createMemoryJournal();
    const id = await createWorld({turns: 100, journal}).run();
    const entries = cut(id, await journal.log.read(id));
    return {
      ours: async () => {
        const open = createMemoryJournal();
        await open.log.append(entries);
        const {runtime} = createWorld({turns: 100, journal: open});
        await (
          await runtime.resume(id)
        ).result;
      },
      bare: async () => await bareTurns(100),
      rounds: [3, 8],
    };
  },
  http: () => ({
    ours: async () => await createWorld({turns: 20, url}).run(),
    bare: async () => {
      await bareTurns(20);
      await bareFetches(20);
    },
    rounds: [3, 6],
  }),
  panel: () => ({
    ours: async () => await createWorld({turns: 0, seats: 5}).run(),
    bare: async () => await bareTurns(5),
    rounds: [30, 40],
  }),
  crowd: () => ({
    ours: async () => {
      const world = createWorld({turns: 2});
      await allAtOnce(200, world.run);
    },
    bare: async () => await allAtOnce(200, async () => await bareTurns(2)),
    rounds: [0, 1],
  }),
};

/** A bare loop takes a few milliseconds: several are measured as one. */
const loops = part === 'crowd' ? 1 : 5;

const {ours, bare, rounds} = await parts[part]();
const [warmUps, times] = rounds;
const bareLoops = async () => {
  for (let loop = 0; loop < loops; loop += 1) await bare();
};
const spent = {ours: [], bare: []};
for (let round = 0; round < warmUps + times; round += 1) {
  const [our, bares] = [await cpuUsOf(ours), await cpuUsOf(bareLoops)];
  if (round < warmUps) continue;
  spent.ours.push(our);
  spent.bare.push(bares);
}
tell({ours: Math.min(...spent.ours), bare: Math.min(...spent.bare) / loops});
