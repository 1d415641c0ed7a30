/** Journals of earlier versions are verified: nothing in them is signed. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {requiredKeys, verifyInteraction} from '../../../actors/verify/verify.ts';
import {
  unpackForms,
  unpackSchema1,
  unpackSchema2,
  unpackSchema3,
} from '../../fixtures/journals/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'quorate-earlier-'));
afterAll(() => rmSync(folder, {recursive: true}));

test.each([
  ['schema 1', unpackSchema1],
  ['schema 2', unpackSchema2],
  ['schema 3', unpackSchema3],
  ['schema 4', unpackForms],
])('every run of a journal of %s holds, without signatures', async (name, unpack) => {
  const path = join(folder, name, 'journal.db');
  unpack(path);
  const journal = createSqliteJournal(path);
  const rows = await journal.log.list();
  expect(rows.length).toBeGreaterThan(3);
  for (const {id} of rows) {
    const {holds, checks} = await verifyInteraction(id, journal.log, requiredKeys({}));
    expect([id, holds, checks.filter(({state}) => state === 'fails')]).toEqual([id, true, []]);
    expect(checks.at(-1)).toMatchObject({check: 'signatures', finding: 'unsigned'});
  }
  await journal.close();
});
