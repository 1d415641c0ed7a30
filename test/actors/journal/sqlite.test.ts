/** The journal on disk: the contract, and damaged or unusable files. */

import {spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {
  copyFileSync,
  cpSync,
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

import type {EntryBody, Journal, LocalJournal} from '../../../actors/journal/journal.ts';
import {requireSqlite} from '../../../actors/journal/sqlite-store.ts';
import {createSqliteJournal, type SqliteOptions} from '../../../actors/journal/sqlite.ts';
import {createDice} from '../../support/dice.ts';
import {describeJournal} from './conformance.ts';
import {append, attempt, closed, messagesFor, opened, settled} from './entries.ts';

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

describeJournal('the SQLite journal', create);

describe('a journal file', () => {
  test('takes at most 50 bytes per entry besides its body', async () => {
    const journal = create();
    const bodies = ['requested', 'settled'].map((type) =>
      JSON.parse(JSON.stringify({...settled(`i/form/task:work/call:1.0/run#1`), type})),
    );
    await append(journal, 'a', [opened], 1);
    for (let at = 0; at < 1000; at += 1) await append(journal, 'a', bodies, 1_795_000_000_000 + at);
    expect((await journal.log.read('a')).slice(-2)).toMatchObject(bodies);
    await journal.close();

    const bytes = bodies.reduce((sum, body) => sum + JSON.stringify(body).length, 0);
    expect(statSync(path).size / 1000 - bytes).toBeLessThan(100);
  });

  test('is reopened with all entries, and the chain continues', async () => {
    await write();
    const journal = create();
    await append(journal, 'a', [closed], 9);

    expect((await journal.log.read('a')).map(({seq}) => seq)).toEqual([0, 1, 2, 3]);
    expect(await journal.log.list()).toMatchObject([{id: 'a', entries: 4, status: 'completed'}]);
  });

  test('is readable by its user only, and so is its folder', async () => {
    const journal = create();
    await append(journal, 'a', [opened], 1);
    await journal.owners.own('a');
    const modeOf = (file: string) => (statSync(join(dirname(path), file)).mode & 0o777).toString(8);
    const [lock = ''] = readdirSync(join(dirname(path), 'locks'));

    expect(modeOf('.')).toBe('700');
    expect(modeOf('locks')).toBe('700');
    expect(modeOf(join('locks', lock))).toBe('600');
    for (const file of ['journal.db', 'journal.db-wal', 'journal.db-shm'])
      expect(modeOf(file)).toBe('600');
  });

  test('leaves one file and an empty folder of locks when it is closed', async () => {
    const journal = create();
    await journal.owners.own('a');
    await append(journal, 'a', [opened], 1);
    await journal.close();

    expect(readdirSync(dirname(path)).toSorted()).toEqual(['journal.db', 'locks']);
    expect(readdirSync(join(dirname(path), 'locks'))).toEqual([]);
  });

  test('refuses use after it was closed', async () => {
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

test.each([
  ['below a file', () => join(folder, 'file/home'), /a file is in the place of its folder/],
  ['of a name that is too long', () => join(folder, 'n'.repeat(300)), /the path is too long/],
  ['below a folder that takes no others', () => '/proc/none/home', /name another folder/],
])('a folder %s cannot be created, and the error names the reason', (_, place, message) => {
  writeFileSync(join(folder, 'file'), '');

  expect(() => createSqliteJournal(join(place(), 'journal.db'))).toThrow(
    expect.objectContaining({code: 'io', message: expect.stringMatching(message)}),
  );
});

test('temporary journals of dead processes are removed, and nothing else', () => {
  mkdirSync(dirname(path), {recursive: true});
  const {pid} = spawnSync(process.execPath, ['-e', '0']);
  const names = [`${pid}-`, `${process.pid}-`, ''].map(
    (by) => `journal.db.${by}${randomUUID()}.new`,
  );
  for (const name of [...names, 'mine.new']) writeFileSync(join(dirname(path), name), '');
  create();

  const left = readdirSync(dirname(path)).filter((name) => name.endsWith('.new'));
  expect(new Set(left)).toEqual(new Set([...names.slice(1), 'mine.new']));
});

test('a flipped bit anywhere in the file is detected, or changes nothing that is read', async () => {
  const sound = create();
  const texts = Array.from({length: 60}, (_, index) => settled('x'.repeat(300) + index));
  await append(sound, 'a', [opened, ...texts], 1);
  const entries = await sound.log.read('a');
  await sound.close();
  const bytes = readFileSync(path);
  const roll = createDice(7);
  const readings: PromiseSettledResult<unknown>[] = [];
  for (let flip = 0; flip < 100; flip += 1) {
    const damaged = Buffer.from(bytes);
    const at = roll(bytes.length);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << roll(8)), at);
    path = join(folder, `${flip}`, 'journal.db');
    mkdirSync(dirname(path));
    writeFileSync(path, damaged);
    const [reading] = await Promise.allSettled([attempt(() => create().log.read('a'))]);
    readings.push(reading);
  }
  const noticed = readings.filter(({status}) => status === 'rejected');
  expect(noticed.length).toBeGreaterThan(10);
  for (const reading of readings) {
    expect([
      {status: 'fulfilled', value: entries},
      {status: 'rejected', reason: expect.objectContaining({code: 'journal_corrupt'})},
    ]).toContainEqual(reading);
  }
});

describe('an entry that was tampered with is named:', () => {
  test.for([
    [
      'a changed body',
      `UPDATE entries SET body = replace(body, '[1,null]', '[2,null]') WHERE seq = 1`,
      1,
    ],
    ['a changed time', 'UPDATE entries SET at = at + 1 WHERE seq = 2', 2],
    ['a missing entry', 'DELETE FROM entries WHERE seq = 1', 1],
    ['a missing beginning', 'DELETE FROM entries WHERE seq = 0', 0],
    [
      'two swapped entries',
      'UPDATE entries SET seq = -seq; UPDATE entries SET seq = 3 + seq WHERE seq < 0',
      1,
    ],
    ['entries of another interaction', `UPDATE interactions SET id = 'b'`, 0],
    ['a missing end', 'DELETE FROM entries WHERE seq > 0', 1],
    ['no entry at all', 'DELETE FROM entries', 0],
    ['a recomputed hash', `UPDATE interactions SET hash = '${'0'.repeat(64)}'`, 2],
    ['an entry too many', 'UPDATE interactions SET entries = 2', 1],
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
});

test('a message that is not JSON is returned as its text', async () => {
  await create().inbox.post('a', {});
  change(`UPDATE inbox SET event = '{'`);

  expect(await messagesFor(create(), 'a')).toEqual(['{']);
});

describe('an unusable file is refused and left unchanged:', () => {
  test.for([
    [
      'a newer schema',
      () => change('PRAGMA user_version = 99'),
      'newer_schema',
      /schema 99.*upgrade/,
    ],
    [
      'an older schema',
      () => change('PRAGMA user_version = 5'),
      'older_schema',
      /journal\.db was written by an earlier version \(schema 5.*move it.*away/,
    ],
    ["another program's database", replaceByAnother, 'journal_corrupt', /another program/],
    ['a text file', replaceByText, 'journal_corrupt', /not a database.*backup/],
    ['a missing table', () => change('DROP TABLE entries'), 'journal_corrupt', /no such table/],
    ['an empty file', () => truncateSync(path), 'journal_corrupt', /only 0 bytes.*backup/],
    ['half a header', () => truncateSync(path, 50), 'journal_corrupt', /only 50 bytes/],
    ['one page left', () => truncateSync(path, 1024), 'journal_corrupt', /malformed/],
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

test('a torn write-ahead log yields a prefix of the entries, and the journal continues', async () => {
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

describe('a lost write-ahead log', () => {
  const requested = {type: 'requested', key: 'i/run#1', request: 'r'} as const;

  test('is detected when an effect had begun that must not happen twice', async () => {
    const journal = await lose(requested);

    await expect(attempt(() => journal.log.read('a'))).rejects.toThrow(
      failure('journal_corrupt', /journal of a, entry 3: the entry is missing/),
    );
    await journal.owners.own('a');
    const {entries, lost} = await journal.log.salvage('a');
    expect(entries).toHaveLength(3);
    expect(lost).toEqual([{...requested, seq: 3}]);
    await append(journal, 'a', [{...requested, isLost: true}, settled('other')], 4);
    expect(await journal.log.read('a')).toHaveLength(5);
    await append(journal, 'a', [closed], 5);
    expect(await journal.log.list()).toMatchObject([{id: 'a', status: 'completed'}]);
  });

  test('is detected when other entries were written in its place', async () => {
    const journal = await lose(requested);
    await append(journal, 'a', [settled('other'), settled('more')], 4);

    await expect(attempt(() => journal.log.read('a'))).rejects.toThrow(
      failure('journal_corrupt', /journal of a, entry 3/),
    );
    expect((await journal.log.salvage('a')).lost).toBeUndefined();
  });

  test('is detected when it held all of an interaction, which cannot be resumed', async () => {
    const journal = await lose(requested, 'b');

    const {entries, damage, lost} = await journal.log.salvage('b');
    expect({entries, damage, lost}).toEqual({
      entries: [],
      damage: failure('journal_corrupt', /journal of b, entry 0.*start the request anew/),
    });
  });

  test('costs nothing when the begun effect in it was taken back', async () => {
    const journal = await lose(requested, 'a', {...requested, isTakenBack: true});

    expect(await journal.log.read('a')).toHaveLength(3);
  });

  test('costs nothing when it held only repeatable effects', async () => {
    const journal = await lose(settled('x'));

    expect(await journal.log.read('a')).toHaveLength(3);
  });
});

describe('with the locks deleted under a live owner,', () => {
  test('the first learns of the takeover before the second has written anything', async () => {
    const [first, second, lost] = await ownTwice();
    expect(lost.aborted).toBe(false);

    for (const key of ['first', 'first, once more']) {
      await expect(append(first, 'a', [settled(key)], 3)).rejects.toThrow(
        failure('busy', /interaction a has been taken over by another process/),
      );
    }
    expect(lost.reason).toEqual(failure('busy', /has been taken over by another process/));
    await append(second, 'a', [settled('second')], 4);
    expect(await create().log.read('a')).toMatchObject([{seq: 0}, {key: 'second'}]);
  });

  test('reading again does not let an owner continue: it has not replayed the entries of the other', async () => {
    const [, second] = await ownTwice();
    await append(create(), 'a', [settled('unasked')], 2);
    await second.log.read('a');

    await expect(append(second, 'a', [settled('second')], 3)).rejects.toThrow(failure('busy', /a/));
  });

  test('a whole batch is undone when one of its interactions cannot be written', async () => {
    const [first, second] = await ownTwice();
    const batch = [
      {interaction: 'b', bodies: [opened], at: 3},
      {interaction: 'a', bodies: [settled('late')], at: 3},
    ];

    await expect(attempt(() => first.log.append(batch))).rejects.toThrow(failure('busy', /a/));
    expect(await second.log.read('b')).toEqual([]);
    expect(await second.log.list()).toMatchObject([{id: 'a'}]);
  });

  test('a new interaction cannot begin under the id of another one', async () => {
    const [one, other] = [create(), create()];
    await append(one, 'a', [opened], 1);
    await other.owners.own('a');

    await expect(append(other, 'a', [opened], 2)).rejects.toThrow(failure('busy', /a/));
  });
});

test('inbox and child processes of an interaction are removed at its end', async () => {
  const journal = create();
  await journal.owners.own('a');
  await append(journal, 'a', [opened], 1);
  await journal.host.children.remember('a', 4711, 'Mon');
  await journal.host.children.remember('b', 4712, 'Mon');
  await journal.inbox.post('a', {n: 1});
  await append(journal, 'a', [closed], 2);
  await journal.inbox.post('a', {n: 2});

  expect(await journal.host.children.list('a')).toEqual([]);
  expect(await messagesFor(journal, 'a')).toEqual([]);
  expect(await journal.host.children.list('b')).toHaveLength(1);
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

/** The journal without the entries that were only in its log: `more` and an outcome, after the first three entries of `a`. */
async function lose(more: EntryBody, interaction = 'a', ...rest: EntryBody[]): Promise<Journal> {
  await write();
  const journal = create();
  await append(journal, interaction, [more], 2);
  await append(journal, interaction, [settled('z'), ...rest], 3);
  const data = join(folder, 'copy');
  cpSync(dirname(path), data, {recursive: true, filter: (file) => !/-(wal|shm)$/.test(file)});
  path = join(data, 'journal.db');
  return create();
}

/** Two journals that both regard themselves as owner of `a` and have read it. */
async function ownTwice(): Promise<readonly [Journal, Journal, lost: AbortSignal]> {
  const [one, other] = [create(), create()];
  const {lost} = await one.owners.own('a');
  await append(one, 'a', [opened], 1);
  rmSync(join(dirname(path), 'locks'), {recursive: true});
  await other.owners.own('a');
  expect(await other.log.read('a')).toHaveLength(1);
  return [one, other, lost];
}

function create(options?: SqliteOptions): LocalJournal {
  const journal = createSqliteJournal(path, options);
  journals.push(journal);
  return journal;
}

/** Three entries for `a`, in a file that no process has open. */
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
