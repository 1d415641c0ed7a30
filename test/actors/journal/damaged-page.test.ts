/** A damaged page of the tables of live processes: recorded runs are sound, and new ones can't begin. */

import {closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {expect, onTestFinished, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {checkJournal} from '../../../cli/doctor/system.ts';
import {doctorTexts} from '../../../cli/doctor/texts.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';

async function journalWithDamaged(table: string): Promise<{path: string; home: string}> {
  const home = mkdtempSync(join(tmpdir(), 'quorate-page-'));
  onTestFinished(() => rmSync(home, {recursive: true}));
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
    expect(await checkJournal({QUORATE_HOME: home}, doctorTexts({}))).toMatchObject({
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
