/** The limited room for the earlier contents of files in a journal on disk. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import type {Backup, Journal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
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
  for (const name of ['first', 'second', 'last']) {
    await journal.backups?.keep('a', [backupOf(name)]);
  }
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
