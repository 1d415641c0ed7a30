/** The cost of checking, before each durable transaction, that the journal is still the opened file. */

import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {openStore, type Store} from '../../actors/journal/sqlite-store.ts';
import {median, type Row} from './table.ts';

const rounds = 60;
const transactions = 20;
const entry = 'x'.repeat(300);

/** Measures each kind in turn in one process, on one file. The wall time includes waiting for the disk. */
export function measureInPlace(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-bench-'));
  const store = openStore(join(folder, 'journal.db'));
  try {
    const kinds = kindsOf(store);
    for (const {work} of kinds) timesOf(work);
    const taken = Array.from({length: rounds}, (_, round) => inTurn(kinds, round));
    return kinds.flatMap(({label}, at) => {
      const times = taken.flatMap((round) => round[at] ?? []);
      return [
        {label: `${label}: CPU`, ours: median(times.map(({cpuUs}) => cpuUs)), unit: 'µs'},
        {label: `${label}: wall`, ours: median(times.map(({wallUs}) => wallUs)), unit: 'µs'},
      ];
    });
  } finally {
    store.db.close();
    rmSync(folder, {recursive: true});
  }
}

/** Reverses the order in each second round, so that no kind always follows the same other one. */
function inTurn(kinds: readonly Kind[], round: number): Times[] {
  if (round % 2 === 0) return kinds.map(({work}) => timesOf(work));
  return kinds
    .toReversed()
    .map(({work}) => timesOf(work))
    .toReversed();
}

interface Kind {
  readonly label: string;
  readonly work: () => void;
}

function kindsOf({path, db, durably, attempt}: Store): readonly Kind[] {
  // A checkpoint would affect one kind more than another.
  db.exec('PRAGMA wal_autocheckpoint = 0');
  db.exec('CREATE TABLE bench (n INTEGER PRIMARY KEY, t TEXT)');
  const insert = db.prepare('INSERT INTO bench (t) VALUES (?)');
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  const append = (): void => void insert.run(entry);
  return [
    {label: 'a durable transaction with the check', work: () => durably(append)},
    {
      label: 'a durable transaction without the check',
      work: () =>
        attempt(() => {
          begin.run();
          append();
          commit.run();
        }),
    },
    {label: 'the check alone', work: () => void statSync(path, {throwIfNoEntry: false})},
  ];
}

interface Times {
  readonly cpuUs: number;
  readonly wallUs: number;
}

/** The mean of one call in a round. */
function timesOf(work: () => void): Times {
  const [started, before] = [performance.now(), process.cpuUsage()];
  for (let count = 0; count < transactions; count += 1) work();
  const {user, system} = process.cpuUsage(before);
  const wallMs = performance.now() - started;
  return {cpuUs: (user + system) / transactions, wallUs: (wallMs * 1_000) / transactions};
}
