/** Witnesses of ended interactions: kept as long as only a write-ahead log holds the end. */

import {copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, expect, test, vi} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {append, closed, opened, settled} from './entries.ts';

let folder: string;
let path: string;
const journals: Journal[] = [];

// Each commit waits for the disk, which may be busy.
vi.setConfig({testTimeout: 60_000});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'journal.db');
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

function create(file = path): Journal {
  const journal = createSqliteJournal(file);
  journals.push(journal);
  return journal;
}

function witnesses(file = path): readonly string[] {
  return readdirSync(join(dirname(file), 'heads'));
}

async function run(journal: Journal, id: string): Promise<void> {
  const begun = {type: 'requested', key: 'i/run#1', request: 'r'} as const;
  await append(journal, id, [opened, begun], 1);
  await append(journal, id, [settled('i/run#1'), closed], 2);
}

/** Copies the journal without its write-ahead log, or with the log in its earlier state. */
function copyWithout(log: boolean): string {
  const copy = join(folder, `copy-${log}`, 'journal.db');
  cpSync(join(folder, 'heads'), join(dirname(copy), 'heads'), {recursive: true});
  copyFileSync(path, copy);
  if (!log) copyFileSync(`${path}-wal`, `${copy}-wal`);
  return copy;
}

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
  const db = new DatabaseSync(path);
  db.exec("UPDATE interactions SET status = 'completed'");
  db.close();
  const reopened = create();

  expect(await reopened.log.list()).toMatchObject([{id: 'a', status: undefined}]);
  expect(witnesses()).toEqual(['a']);
  await reopened.inbox.post('a', {type: 'user.cancel'});
  expect(await reopened.inbox.take('a')).toEqual([{type: 'user.cancel'}]);
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
  const reader = new DatabaseSync(path);
  reader.exec('BEGIN; SELECT count(*) FROM entries');
  for (let index = 0; index < 300; index += 1) {
    await append(journal, `r${index}`, [opened, closed], 1);
  }
  expect(witnesses()).toHaveLength(300);
  reader.close();
  for (let index = 300; index < 520; index += 1) {
    await append(journal, `r${index}`, [opened, closed], 1);
  }

  expect(witnesses().length).toBeLessThan(256);
});

test('a journal whose file was removed refuses appends and names the reason', async () => {
  const journal = create();
  await append(journal, 'a', [opened], 0);
  rmSync(path);

  await expect(append(journal, 'a', [closed], 1)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/journal was removed .* continues them$/),
  });
});

test('an owner whose lock was removed writes nothing more and names the reason', async () => {
  const journal = create();
  await journal.owners.own('a');
  await append(journal, 'a', [opened], 0);
  rmSync(join(folder, 'locks'), {recursive: true});

  await expect(append(journal, 'a', [closed], 1)).rejects.toMatchObject({
    code: 'io',
    message: expect.stringMatching(/lock was removed .* quorate resume a/),
  });
});
