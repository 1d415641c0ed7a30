/**
 * CPU a turn in memory, on SQLite, and in memory with a bare append in it: while the disk is waited for, the caches go
 * cold, and both cost more than each in a loop of its own. Order: `folder`, `turns`, `warmUps`, `rounds`.
 */

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {cpuUsATurn, cpuUsOf, median, order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

let files = 0;

function nextFile() {
  files += 1;
  return join(order.folder, `${files}.db`);
}

/** A transaction with one row of a usual entry's size, as durable as the journal's. */
function createBareAppend() {
  const database = new DatabaseSync(nextFile());
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE e (n INTEGER PRIMARY KEY, t TEXT)');
  const begin = database.prepare('BEGIN');
  const insert = database.prepare('INSERT INTO e (t) VALUES (?)');
  const commit = database.prepare('COMMIT');
  const text = 'x'.repeat(300);
  return () => {
    begin.run();
    insert.run(text);
    commit.run();
  };
}

async function bareAppendUs() {
  const append = createBareAppend();
  const appendAll = async () => {
    for (let count = 0; count < 100; count += 1) append();
  };
  const times = [];
  for (let round = 0; round < 10; round += 1) times.push(await cpuUsOf(appendAll));
  return median(times) / 100;
}

/** In memory, with a bare append wherever a journal on SQLite has a transaction. */
function createWaitingJournal() {
  const journal = createMemoryJournal();
  const append = createBareAppend();
  const log = {
    ...journal.log,
    append: (batch) => {
      append();
      journal.log.append(batch);
    },
  };
  return {...journal, log};
}

async function usATurn(createJournal) {
  const run = async (turns) => await createWorld({turns, journal: createJournal()}).run();
  return await cpuUsATurn(run);
}

const memoryUs = await usATurn(createMemoryJournal);
const waitingUs = await usATurn(createWaitingJournal);
const sqliteUs = await usATurn(() => createSqliteJournal(nextFile()));
tell({memoryUs, waitingUs, sqliteUs, appendUs: await bareAppendUs()});
