/** Bytes of a journal after a checkpoint, once with and once without turns. Order: `folder`, `turns`. */

import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createSqliteJournal} from 'quorate';

import {order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

async function bytesOf(turns) {
  const file = join(order.folder, `${turns}.db`);
  const journal = createSqliteJournal(file);
  await createWorld({turns, journal}).run();
  await journal.close();
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(file).size;
}

tell({bytes: ((await bytesOf(order.turns)) - (await bytesOf(0))) / order.turns});
