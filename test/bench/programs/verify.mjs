/**
 * How long a signed run takes to be verified, and how much its signatures add to its entries as stored. Order: `folder`, `turns`,
 * `times`.
 */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {createSigner, createSqliteJournal} from 'quorate';

import {median, order, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {folder, turns, times} = order;

async function record(name, options) {
  const journal = createSqliteJournal(join(folder, `${name}.db`), options);
  const world = createWorld({turns, journal});
  const id = await world.run();
  const [{bytes, entries}] = await journal.log.list();
  return {...world, journal, id, bytes, entries};
}

const plain = await record('plain', {});
const signed = await record('signed', {sign: createSigner(join(folder, 'keys'))});
const key = readFileSync(join(folder, 'keys/signing.pub'), 'utf8');
const spent = [];
for (let time = 0; time < times; time += 1) {
  const before = performance.now();
  const {holds} = await signed.runtime.verify(signed.id, {key});
  spent.push(performance.now() - before);
  if (!holds) throw new Error('the run does not hold');
}
for (const {journal} of [plain, signed]) await journal.close();
tell({
  ms: median(spent),
  entries: signed.entries,
  plainBytes: plain.bytes / turns,
  signedBytes: signed.bytes / turns,
});
