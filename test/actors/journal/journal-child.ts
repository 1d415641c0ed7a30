/** A process that uses a journal on behalf of a test: `journal-child.ts VERB PATH ID [COUNT]`. */

import {writeSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {append, opened, settled} from './entries.ts';

const [verb = '', path = '', id = '', count = '0'] = process.argv.slice(2);
const journal = createSqliteJournal(path);
const verbs = new Map<string, () => void | Promise<void>>([
  ['own', own],
  ['append', appendAll],
  ['overflow', overflow],
  ['lock', lock],
  ['post', async () => await journal.inbox.post(id, {from: 'child'})],
]);
await verbs.get(verb)?.();

/** Writes a line synchronously, so that it is out before the next step. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Owns the interaction until the process is killed or its input ends. */
async function own(): Promise<void> {
  await journal.owners.own(id);
  say('owned');
  process.stdin.resume().on('end', () => void journal.close());
}

/** Keeps the database locked until its input ends. */
function lock(): void {
  const database = new DatabaseSync(path);
  database.exec('BEGIN EXCLUSIVE');
  say('locked');
  process.stdin.resume().on('end', () => database.close());
}

/** After each durable entry, prints the number of durable entries. */
async function appendAll(): Promise<void> {
  await journal.owners.own(id);
  await append(journal, id, [opened], 0);
  for (let i = 1; i <= Number(count); i += 1) {
    await append(journal, id, [settled(String(i))], i);
    say(String(i + 1));
  }
}

/** Appends more than the file may hold, then a little. */
async function overflow(): Promise<void> {
  await append(journal, id, [opened], 0);
  try {
    await journal.log.append([
      {interaction: id, bodies: [settled('small')], at: 1},
      {interaction: id, bodies: [settled('big', 'x'.repeat(Number(count)))], at: 1},
    ]);
  } catch (error) {
    say(String(error));
  }
  await append(journal, id, [settled('after')], 2);
  say(JSON.stringify((await journal.log.read(id)).map(({seq}) => seq)));
}
