/** The journal on disk: the contract, and what may be wrong with a file. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {requireSqlite} from '../../../actors/journal/sqlite-store.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {describeJournal} from './conformance.ts';
import {append, attempt, closed, opened, settled} from './entries.ts';

let folder: string;
let path: string;
const journals: Journal[] = [];

// Each commit waits for the disk, which may be busy.
vi.setConfig({testTimeout: 60_000});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'data', 'journal.db');
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

describeJournal('the SQLite journal', () => create());

describe('a journal file', () => {
  test('is found again with all entries, and the chain goes on', async () => {
    await write();
    const journal = create();
    await append(journal, 'a', [closed], 9);

    expect((await journal.log.read('a')).map(({seq}) => seq)).toEqual([0, 1, 2, 3]);
    expect(await journal.log.list()).toMatchObject([{id: 'a', entries: 4, status: 'completed'}]);
  });

  test('is for its user only, and so is its folder', async () => {
    const journal = create();
    await append(journal, 'a', [opened], 1);
    await journal.owners.own('a');
    const modeOf = (file: string) => (statSync(join(dirname(path), file)).mode & 0o777).toString(8);
    const [lock = ''] = readdirSync(join(dirname(path), 'locks'));

    expect(modeOf('.')).toBe('700');
    expect(modeOf('locks')).toBe('700');
    expect(modeOf(join('locks', lock))).toBe('600');
    for (const file of ['journal.db', 'journal.db-wal', 'journal.db-shm']) {
      expect(modeOf(file)).toBe('600');
    }
  });

  test('leaves one file and an empty folder of locks when it is closed', async () => {
    const journal = create();
    await journal.owners.own('a');
    await append(journal, 'a', [opened], 1);
    await journal.close();

    expect(readdirSync(dirname(path)).toSorted()).toEqual(['journal.db', 'locks']);
    expect(readdirSync(join(dirname(path), 'locks'))).toEqual([]);
  });

  test('says that it is closed when it is used after that', async () => {
    const journal = create();
    await journal.close();

    await expect(append(journal, 'a', [opened], 1)).rejects.toThrow(
      failure('io', /journal is closed/),
    );
    await expect(attempt<unknown>(() => journal.log.read('a'))).rejects.toThrow(
      failure('io', /journal is closed/),
    );
    await expect(attempt<unknown>(() => journal.owners.own('a'))).rejects.toThrow(
      failure('io', /journal is closed/),
    );
  });
});

describe('an entry that was tampered with is named:', () => {
  test.for([
    ['a changed body', `UPDATE entries SET body = replace(body, '"ok"', '"no"') WHERE seq = 1`, 1],
    ['a changed time', 'UPDATE entries SET at = at + 1 WHERE seq = 2', 2],
    ['a missing entry', 'DELETE FROM entries WHERE seq = 1', 1],
    ['a missing beginning', 'DELETE FROM entries WHERE seq = 0', 0],
    [
      "two entries in each other's place",
      'UPDATE entries SET seq = -seq; UPDATE entries SET seq = 3 + seq WHERE seq < 0',
      1,
    ],
    ['entries of another interaction', `UPDATE entries SET interaction = 'b'`, 0],
  ] as const)('%s', async ([, tampering, seq]) => {
    await write();
    change(tampering);
    const journal = create();
    const id = tampering.includes(`'b'`) ? 'b' : 'a';

    await expect(attempt<unknown>(() => journal.log.read(id))).rejects.toThrow(
      failure('journal_corrupt', new RegExp(`journal of ${id}, entry ${seq}`)),
    );
    expect((await journal.log.salvage(id)).entries).toHaveLength(seq);
  });

  test('a message that is not JSON', async () => {
    await create().inbox.post('a', {});
    change(`UPDATE inbox SET event = '{'`);

    await expect(attempt(() => create().inbox.take('a'))).rejects.toThrow(
      failure('journal_corrupt', /message is not JSON/),
    );
  });
});

describe('a file that is not usable is refused and left as it is:', () => {
  test.for([
    [
      'a newer schema',
      () => change('PRAGMA user_version = 2'),
      'newer_schema',
      /schema 2.*upgrade/,
    ],
    ["another program's database", replaceByAnother, 'journal_corrupt', /another program/],
    ['a text file', replaceByText, 'journal_corrupt', /not a database.*backup/],
    [
      'a table that is gone',
      () => change('DROP TABLE entries'),
      'journal_corrupt',
      /no such table/,
    ],
    ['an empty file', () => truncateSync(path), 'journal_corrupt', /only 0 bytes.*backup/],
    ['half a header', () => truncateSync(path, 50), 'journal_corrupt', /only 50 bytes/],
    ['one page left', () => truncateSync(path, 4096), 'journal_corrupt', /malformed/],
    ['a page and a half', () => truncateSync(path, 6000), 'journal_corrupt', /malformed/],
  ] as const)('%s', async ([, spoil, code, message]) => {
    await write();
    spoil();
    const before = readFileSync(path);

    expect(() => create()).toThrow(failure(code, message));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a write-ahead log without its database', async () => {
    const journal = create();
    await append(journal, 'a', [opened], 1);
    const wal = `${join(folder, 'journal.db')}-wal`;
    copyFileSync(`${path}-wal`, wal);
    path = join(folder, 'journal.db');

    expect(() => create()).toThrow(failure('journal_corrupt', /write-ahead log/));
    expect(existsSync(path)).toBe(false);
    expect(statSync(wal).size).toBeGreaterThan(0);
  });

  test('a folder in its place, or a file in the place of its folder', async () => {
    mkdirSync(path, {recursive: true});
    expect(() => create()).toThrow(failure('io', /journal\.db/));
    path = join(folder, 'file', 'journal.db');
    writeFileSync(dirname(path), '');
    expect(() => create()).toThrow(failure('io', /journal\.db/));
  });

  test('any file, when SQLite is too old', async () => {
    expect(() => requireSqlite('3.51.2')).toThrow(failure('io', /3\.51\.2.*3\.51\.3/));
    expect(() => requireSqlite('3.51.3')).not.toThrow();
    expect(() => requireSqlite('4.0.0')).not.toThrow();
  });
});

test('a torn write-ahead log gives a prefix of what was appended, and the journal goes on', async () => {
  const journal = create();
  for (let i = 0; i < 50; i += 1) await append(journal, 'a', [settled(String(i))], i);
  const copy = join(folder, 'journal.db');
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  truncateSync(`${copy}-wal`, Math.floor(statSync(`${copy}-wal`).size / 2));
  path = copy;
  const torn = create();
  const entries = await torn.log.read('a');

  expect(entries.length).toBeGreaterThan(5);
  expect(entries.length).toBeLessThan(50);
  expect(entries).toEqual((await journal.log.read('a')).slice(0, entries.length));
  await append(torn, 'a', [closed], 99);
  expect((await torn.log.read('a')).at(-1)).toMatchObject({seq: entries.length, type: 'closed'});
});

test('two writers of one interaction: the one with the older view is refused and can look again', async () => {
  const [one, other] = [create(), create()];
  await append(one, 'a', [opened], 1);
  await append(other, 'a', [settled('other')], 2);

  await expect(append(one, 'a', [settled('late')], 3)).rejects.toThrow(
    failure('busy', /interaction a/),
  );
  expect(await one.log.read('a')).toHaveLength(2);
  await append(one, 'a', [settled('after')], 4);
  expect((await one.log.read('a')).at(-1)).toMatchObject({seq: 2, key: 'after'});
});

test('a whole batch is undone when one interaction of it cannot be written', async () => {
  const [one, other] = [create(), create()];
  await append(one, 'a', [opened], 1);
  await append(other, 'a', [closed], 2);

  await expect(
    attempt(() =>
      one.log.append([
        {interaction: 'b', bodies: [opened], at: 3},
        {interaction: 'a', bodies: [settled('late')], at: 3},
      ]),
    ),
  ).rejects.toThrow(failure('busy', /interaction a/));
  expect(await other.log.read('b')).toEqual([]);
  expect(await other.log.list()).toMatchObject([{id: 'a'}]);
});

test('two journals in one process exclude each other as two processes do', async () => {
  const [one, other] = [create(), create()];
  const ownership = await one.owners.own('a');

  await expect(attempt<unknown>(() => other.owners.own('a'))).rejects.toThrow(
    failure('busy', /this process/),
  );
  await ownership.release();
  await expect(attempt(() => other.owners.own('a'))).resolves.toBeDefined();
  await other.close();
  await expect(attempt(() => one.owners.own('a'))).resolves.toBeDefined();
});

function create(): Journal {
  const journal = createSqliteJournal(path);
  journals.push(journal);
  return journal;
}

/** Three entries for `a`, in a file that nobody has open. */
async function write(): Promise<void> {
  const journal = createSqliteJournal(path);
  await append(journal, 'a', [opened, settled('x'), settled('y')], 1);
  await journal.close();
}

function change(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function failure(code: string, message: RegExp): unknown {
  return expect.objectContaining({code, message: expect.stringMatching(message)});
}

function replaceByAnother(): void {
  rmSync(path);
  change('CREATE TABLE precious (x)');
}

function replaceByText(): void {
  writeFileSync(path, 'Dear diary, '.repeat(500));
}
