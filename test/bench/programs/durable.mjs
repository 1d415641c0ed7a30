/** CPU a turn on SQLite, with one bare append beside it. Order: `folder`, `turns`, `warmUps`, `rounds`. */

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {cpuUsATurn, cpuUsOf, median, order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

let files = 0;

async function durably(turns) {
  files += 1;
  await createWorld({turns, journal: createSqliteJournal(join(order.folder, `${files}.db`))}).run();
}

/** A transaction with one row of a usual entry's size, as durable as the journal's. */
async function bareAppendUs() {
  const database = new DatabaseSync(join(order.folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE e (n INTEGER PRIMARY KEY, t TEXT)');
  const insert = database.prepare('INSERT INTO e (t) VALUES (?)');
  const text = 'x'.repeat(300);
  const append = () => {
    for (let count = 0; count < 100; count += 1) {
      database.exec('BEGIN');
      insert.run(text);
      database.exec('COMMIT');
    }
  };
  const times = [];
  for (let round = 0; round < 10; round += 1) times.push(await cpuUsOf(async () => append()));
  return median(times) / 100;
}

const memoryUs = await cpuUsATurn(
  async (turns) => await createWorld({turns, journal: createMemoryJournal()}).run(),
);
tell({memoryUs, sqliteUs: await cpuUsATurn(durably), appendUs: await bareAppendUs()});
