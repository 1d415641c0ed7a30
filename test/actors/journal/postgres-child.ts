/** A process that owns a run of a journal on PostgreSQL, and writes to it when it is told. */

import {createInterface} from 'node:readline';

import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {append, opened, settled} from './entries.ts';

const [, , url = '', schema = '', run = ''] = process.argv;
const journal = await createPostgresJournal({url, schema});
const owned = await journal.owners.own(run);
await append(journal, run, [opened], 1);
process.stdout.write('owned\n');

for await (const key of createInterface({input: process.stdin})) {
  const isHeld = owned.isHeld?.();
  const outcome = await Promise.resolve(append(journal, run, [settled(key)], 2)).then(
    () => 'written',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  process.stdout.write(`${JSON.stringify({isHeld, outcome, isLost: owned.lost.aborted})}\n`);
}
