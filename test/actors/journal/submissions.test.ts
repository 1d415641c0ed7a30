/** The records of submissions in a SQLite journal: its files, and those of the version before. */

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {beforeEach, expect, test} from 'vitest';

import {createToken, hashToken, isSameHash} from '../../../actors/journal/node-crypto.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {folderWith} from '../../support/stage.ts';
import {opened} from './entries.ts';

let folder: string;
beforeEach(() => {
  folder = folderWith();
});
const file = () => join(folder, 'journal.db');

test('a submission is erased to the last byte', async () => {
  const journal = createSqliteJournal(file());
  const submission = {form: 'job', tokenHash: hashToken('token')};
  await journal.log.append([{interaction: 'abcdefabcdef', bodies: [opened], at: 1, submission}]);
  const receipt = {key: 'key-of-a', digest: 'd', before: 1, at: 10};
  await journal.submissions?.keepReceipt('abcdefabcdef', receipt, 0);
  await journal.erase('abcdefabcdef');
  const bytes = readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({name}) => readFileSync(join(folder, name), 'latin1'));
  await journal.close();
  expect(bytes.join('')).not.toMatch(/abcdefabcdef|key-of-a/);
});

test('the file of submissions of the version before is taken over, once', async () => {
  const old = new DatabaseSync(join(folder, 'submissions.db'));
  old.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE submissions (number INTEGER PRIMARY KEY, id TEXT, form TEXT, token_hash TEXT, created_at REAL, updated_at REAL, state TEXT);
    CREATE TABLE receipts (submission TEXT, key TEXT, digest TEXT, before INTEGER, at REAL, after INTEGER, PRIMARY KEY (submission, key));
    CREATE TABLE begun (number INTEGER PRIMARY KEY, id TEXT, at REAL);
    INSERT INTO submissions VALUES (7, 'b', 'job', 'hash of b', 1, 2, 'paused'), (8, 'a', 'job', 'hash of a', 3, 4, 'greeting');
    INSERT INTO receipts VALUES ('b', 'k', 'd', 1, 10, NULL);
    INSERT INTO begun VALUES (3, 'x', 5);
  `);
  old.close();
  for (const _ of ['first', 'again']) {
    const journal = createSqliteJournal(file());
    const {submissions} = journal;
    expect((await submissions?.list('job', {limit: 9}))?.map(({id}) => id)).toEqual(['b', 'a']);
    expect(await submissions?.find('b')).toMatchObject({tokenHash: 'hash of b', state: 'paused'});
    expect(await submissions?.findReceipt('b', 'k')).toMatchObject({before: 1});
    expect(await submissions?.interactions()).toEqual(['x']);
    await journal.close();
    expect(existsSync(join(folder, 'submissions.db'))).toBe(false);
  }
});

test('tokens are random, and compared by their hashes', () => {
  const [one, other] = [createToken(), createToken()];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(isSameHash(hashToken(one), hashToken(one))).toBe(true);
  expect(isSameHash(hashToken(one), hashToken(other))).toBe(false);
  expect(isSameHash(hashToken(one), 'ab')).toBe(false);
});
