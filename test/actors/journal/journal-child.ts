/** A process that uses a journal as a test tells it: `journal-child.ts VERB PATH ID [COUNT]`. */

import {writeSync} from 'node:fs';

import type {Journal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {opened, settled} from './entries.ts';

const [verb = '', path = '', id = '', count = '0'] = process.argv.slice(2);
const journal = createSqliteJournal(path);
const verbs = new Map<string, (journal: Journal) => void>([
  ['own', own],
  ['append', append],
  ['overflow', overflow],
  ['post', (target) => target.post(id, {from: 'child'})],
]);
verbs.get(verb)?.(journal);

/** A line at once, past any buffer: it is out before the next thing happens. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Owns until it is killed, or until its input ends. */
function own(target: Journal): void {
  target.own(id);
  say('owned');
  process.stdin.resume().on('end', () => target.close());
}

function append(target: Journal): void {
  target.own(id);
  target.append(id, [opened], 0);
  for (let i = 1; i <= Number(count); i += 1) {
    for (const {seq} of target.append(id, [settled(String(i))], i)) say(String(seq));
  }
}

/** More than the file may hold, then a little. */
function overflow(target: Journal): void {
  target.append(id, [opened], 0);
  try {
    target.appendMany([
      {interaction: id, bodies: [settled('small')], at: 1},
      {interaction: id, bodies: [settled('big', 'x'.repeat(Number(count)))], at: 1},
    ]);
  } catch (error) {
    say(String(error));
  }
  target.append(id, [settled('after')], 2);
  say(JSON.stringify(target.read(id).map(({seq}) => seq)));
}
