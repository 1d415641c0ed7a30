/** The limited room for the earlier contents of files in a journal on disk. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import type {Backup, Journal} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {append, closed, opened} from './entries.ts';

function open(roomBytes: number): Journal {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const journal = createSqliteJournal(join(folder, 'journal.db'), {roomBytes});
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, {recursive: true});
  });
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
