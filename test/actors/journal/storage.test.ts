/** The journal's storage: its dictionary, damaged pages, backups, and runs that have ended. */

import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import * as fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';

import type {Backup, Journal} from '../../../actors/journal/journal.ts';
import {lengthen, shorten} from '../../../actors/journal/sqlite-log.ts';
import {createMemoryJournal, createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {checkJournal} from '../../../cli/doctor/doctor.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {laterJournal} from '../../support/scenario.ts';
import {folderWith} from '../../support/stage.ts';
import {describeJournal} from './conformance.ts';
import {append, closed, messagesFor, opened, settled} from './entries.ts';

const modelCall = {
  type: 'settled',
  key: 'i/interaction/form/execution/task:t0/turns/model#2',
  request: 'dzuyxiiv60',
  outcome: {
    kind: 'ok',
    text: '',
    usage: {inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0},
    calls: [{id: 'c0', name: 'tick', args: {turn: 1}}],
  },
  ms: 0,
  digest: 'h5vqg64wxl',
  ran: 331,
};

describe('the body of an entry as it is stored on disk', () => {
  test('takes less than half its length for common content', () => {
    const body = JSON.stringify(modelCall);
    expect(shorten(body).length).toBeLessThan(body.length / 2);
    expect(lengthen(shorten(body))).toBe(body);
  });

  test('is restored exactly, for any content', () => {
    const piece = fc.constantFrom(
      ...Array.from({length: 32}, (_, code) => String.fromCodePoint(code)),
      ...(JSON.stringify(modelCall).match(/.{1,7}/g) ?? []),
    );
    const text = fc.array(fc.oneof(piece, fc.string({unit: 'binary'}))).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.dictionary(text, text), (body) => {
        const written = JSON.stringify(body);
        expect(lengthen(shorten(written))).toBe(written);
      }),
    );
  });
});

describeJournal('the memory journal', createMemoryJournal);
describeJournal('a journal that always answers later', (options) =>
  laterJournal(createMemoryJournal(options)),
);

async function journalWithDamaged(table: string): Promise<{path: string; home: string}> {
  const home = folderWith();
  const path = journalFile({QUORATE_HOME: home});
  mkdirSync(home, {recursive: true});
  await createSqliteJournal(path).close();
  const db = new DatabaseSync(path);
  const {page} =
    db.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(table) ?? {};
  const {page_size: size} = db.prepare('PRAGMA page_size').get() ?? {};
  db.close();
  const file = openSync(path, 'r+');
  writeSync(
    file,
    Buffer.alloc(Number(size), 0xa5),
    0,
    Number(size),
    (Number(page) - 1) * Number(size),
  );
  closeSync(file);
  return {path, home};
}

test.each(['owners', 'inbox', 'children'])(
  'the doctor finds a damaged page of %s',
  async (table) => {
    const {home} = await journalWithDamaged(table);
    expect(await checkJournal({QUORATE_HOME: home})).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/not a sound journal: .*page/),
    });
  },
);

test('a run that can not begin because of it says that recorded runs are not lost', async () => {
  const {path} = await journalWithDamaged('owners');
  const journal = createSqliteJournal(path);
  await expect(async () => await journal.owners.own('a')).rejects.toMatchObject({
    code: 'journal_corrupt',
    message: expect.stringMatching(/live processes.*recorded runs are not lost.*quorate export/),
  });
  await journal.close();
});

function newFolder(): string {
  const folder = folderWith();
  return folder;
}

function open(roomBytes: number, folder = newFolder()): Journal {
  const journal = createSqliteJournal(join(folder, 'journal.db'), {roomBytes});
  onTestFinished(async () => await journal.close());
  return journal;
}

/** Of a file whose content is its name. */
function backupOf(name: string): Backup {
  const before = {hash: name, mode: 0o644, content: Buffer.from(name)};
  return {path: name, before, after: 'x'};
}

async function contents({backups}: Journal, id: string): Promise<readonly string[]> {
  const kept = (await backups?.list(id)) ?? [];
  return kept.map(({before}) => Buffer.from(before?.content ?? '').toString());
}

test('the backups of the oldest writes are dropped when there is no room for more', async () => {
  const journal = open(10);
  for (const name of ['first', 'second', 'last'])
    await journal.backups?.keep('a', [backupOf(name)]);
  expect(await contents(journal, 'a')).toEqual(['old', 'second', 'last']);
});

test('a write costs about the same in a journal with many backups as in a new one', async () => {
  const journal = open(100_000_000);
  const many = Array.from({length: 20_000}, (_, at) => backupOf(`${at} ${'x'.repeat(500)}`));
  const costOfWrites = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let times = 0; times < 30; times += 1) await journal.backups?.keep('b', [backupOf('y')]);
    const {user, system} = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  await costOfWrites();
  const small = await costOfWrites();
  await journal.backups?.keep('a', many);
  expect(await costOfWrites()).toBeLessThan(5 * small + 100);
});

test('contents that were kept, dropped and erased by several processes count once', async () => {
  const folder = newFolder();
  const [one, other] = [open(20, folder), open(20, folder)];
  await one.backups?.keep('a', [backupOf('12345678'), backupOf('12345678')]);
  await other.backups?.keep('b', [backupOf('1234')]);
  expect(await contents(one, 'a')).toEqual(['12345678', '12345678']);
  await other.backups?.keep('b', [backupOf('5')]);
  expect(await contents(one, 'a')).toEqual(['old', '12345678']);
  await one.erase('a');
  await one.backups?.keep('c', [backupOf('123456789012345')]);
  expect(await contents(other, 'b')).toEqual(['1234', '5']);
});

let endedFolder: string;

let endedPath: string;

const journals: Journal[] = [];

function create(file = endedPath): Journal {
  const journal = createSqliteJournal(file);
  journals.push(journal);
  return journal;
}

function witnesses(file = endedPath): readonly string[] {
  return readdirSync(join(dirname(file), 'heads'));
}

async function run(journal: Journal, id: string): Promise<void> {
  const begun = {type: 'requested', key: 'i/run#1', request: 'r'} as const;
  await append(journal, id, [opened, begun], 1);
  await append(journal, id, [settled('i/run#1'), closed], 2);
}

/** Copies the journal without its write-ahead log, or with the log in its earlier state. */
function copyWithout(log: boolean): string {
  const copy = join(endedFolder, `copy-${log}`, 'journal.db');
  cpSync(join(endedFolder, 'heads'), join(dirname(copy), 'heads'), {recursive: true});
  copyFileSync(endedPath, copy);
  if (!log) copyFileSync(`${endedPath}-wal`, `${copy}-wal`);
  return copy;
}

describe('runs that have ended', () => {
  // Each commit waits for the disk, which may be busy.
  vi.setConfig({testTimeout: 60_000});

  beforeEach(() => {
    endedFolder = mkdtempSync(join(tmpdir(), 'journal-'));
    endedPath = join(endedFolder, 'journal.db');
  });

  afterEach(async () => {
    for (const journal of journals.splice(0)) await journal.close();
    rmSync(endedFolder, {recursive: true});
  });

  test('an interaction that ended is damaged when its end is lost, and cannot be resumed', async () => {
    const journal = create();
    await append(journal, 'a', [opened], 0);
    await journal.close();
    const reopened = create();
    await append(reopened, 'a', [settled('x')], 1);
    await append(reopened, 'a', [closed], 2);
    const copy = create(copyWithout(true));

    expect(await copy.log.list()).toMatchObject([{id: 'a', status: undefined}]);
    expect(await copy.log.salvage('a')).toEqual({
      entries: [expect.objectContaining({type: 'opened'})],
      damage: expect.objectContaining({
        code: 'journal_corrupt',
        message: expect.stringMatching(/journal of a, entry 1: it had ended/),
      }),
      isEndMissing: true,
    });
  });

  test('a status beside the entries that says the opposite changes neither messages nor witnesses', async () => {
    const journal = create();
    await append(journal, 'a', [opened, {type: 'requested', key: 'k', request: 'r'}], 1);
    await journal.close();
    const db = new DatabaseSync(endedPath);
    db.exec("UPDATE interactions SET status = 'completed'");
    db.close();
    const reopened = create();

    expect(await reopened.log.list()).toMatchObject([{id: 'a', status: undefined}]);
    expect(witnesses()).toEqual(['a']);
    await reopened.inbox.post('a', {type: 'user.cancel'});
    expect(await messagesFor(reopened, 'a')).toEqual([{type: 'user.cancel'}]);
  });

  test('the witness of an ended interaction is kept while the log holds its end', async () => {
    const journal = create();
    await run(journal, 'a');
    const copy = copyWithout(false);
    create(copy);

    expect(witnesses()).toEqual(['a']);
    expect(witnesses(copy)).toEqual(['a']);
  });

  test('opening a journal whose file holds the end removes the witness; witnesses of open interactions stay', async () => {
    const journal = create();
    await run(journal, 'a');
    await append(journal, 'b', [opened, {type: 'requested', key: 'k', request: 'r'}], 1);
    await journal.close();
    create();

    expect(witnesses()).toEqual(['b']);
  });

  test('a process that ends thousands of interactions keeps a few hundred witnesses at most', async () => {
    const journal = create();
    const ids = Array.from({length: 1_000}, (_, index) => `r${index}`);
    for (const id of ids) await append(journal, id, [opened, closed], 1);

    expect(witnesses().length).toBeLessThan(256);
    expect(await journal.log.list()).toHaveLength(1_000);
  });

  test('while a reader holds the log, the witnesses stay; later appends remove them', async () => {
    const journal = create();
    const reader = new DatabaseSync(endedPath);
    reader.exec('BEGIN; SELECT count(*) FROM entries');
    for (let index = 0; index < 300; index += 1)
      await append(journal, `r${index}`, [opened, closed], 1);
    expect(witnesses()).toHaveLength(300);
    reader.close();
    for (let index = 300; index < 520; index += 1)
      await append(journal, `r${index}`, [opened, closed], 1);

    expect(witnesses().length).toBeLessThan(256);
  });

  test('a journal whose file was removed refuses appends and names the reason', async () => {
    const journal = create();
    await append(journal, 'a', [opened], 0);
    rmSync(endedPath);

    await expect(append(journal, 'a', [closed], 1)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/journal was removed .* continues them$/),
    });
  });

  test('an owner whose lock was removed writes nothing more and names the reason', async () => {
    const journal = create();
    await journal.owners.own('a');
    await append(journal, 'a', [opened], 0);
    rmSync(join(endedFolder, 'locks'), {recursive: true});

    await expect(append(journal, 'a', [closed], 1)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/lock was removed .* quorate resume a/),
    });
  });
});
