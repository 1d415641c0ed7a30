/** The contract of every repository of submissions, in memory and on disk; and properties of the file. */

import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createToken, hashToken, isSameHash} from '../../../actors/journal/node-crypto.ts';
import type {SubmissionRepository} from '../../../actors/submissions/repository.ts';
import {
  createMemoryRepository,
  createSqliteRepository,
} from '../../../actors/submissions/sqlite.ts';
import {folderWith} from '../../support/stage.ts';

let folder: string;
beforeEach(() => {
  folder = folderWith();
});
const file = () => join(folder, 'data', 'submissions.db');

function record(id: string, form = 'job') {
  const tokenHash = hashToken(`token of ${id}`);
  return {id, form, tokenHash, createdAt: 1, updatedAt: 1, state: 'greeting'};
}

describe.each<[string, () => SubmissionRepository]>([
  ['in memory', createMemoryRepository],
  ['on disk', () => createSqliteRepository(file())],
])('a repository %s', (_, create) => {
  let repository: SubmissionRepository;
  beforeEach(() => {
    repository = create();
  });
  afterEach(async () => await repository.close());

  test('finds a submission by its id and by its token, in its latest state', async () => {
    await repository.create(record('a'));
    await repository.create(record('b'));
    await repository.update('a', {state: 'submitted', updatedAt: 7});
    await repository.update('nobody', {state: 'submitted', updatedAt: 7});

    const seen = {...record('a'), state: 'submitted', updatedAt: 7};
    expect(await repository.find('a')).toEqual(seen);
    expect(await repository.findByToken(hashToken('token of a'))).toEqual(seen);
    expect(await repository.find('c')).toBeUndefined();
    expect(await repository.findByToken(hashToken('token of c'))).toBeUndefined();
  });

  test('refuses a second submission with the same id, or with a token in use', async () => {
    await repository.create(record('a'));
    const createWith = async (id: string, owner: string): Promise<void> =>
      await repository.create({...record(id), tokenHash: hashToken(`token of ${owner}`)});

    await expect(createWith('a', 'b')).rejects.toMatchObject({code: 'usage'});
    await expect(createWith('b', 'a')).rejects.toMatchObject({code: 'usage'});
    expect(await repository.find('b')).toBeUndefined();
  });

  test('lists the submissions of a form in pages, the oldest first', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await repository.create(record(id));
    await repository.create(record('x', 'other'));

    const ids = async (after?: string) =>
      (await repository.list('job', {after, limit: 2})).map(({id}) => id);
    expect([await ids(), await ids('b'), await ids('d')]).toEqual([['a', 'b'], ['c', 'd'], []]);
  });

  test('keeps receipts until they are old, and the latest of each key', async () => {
    await repository.create(record('a'));
    const receipt = {key: 'k', digest: 'd', before: 1, at: 10};
    await repository.keepReceipt('a', receipt, 0);
    await repository.keepReceipt('a', {...receipt, after: 3}, 0);
    expect(await repository.findReceipt('a', 'k')).toEqual({...receipt, after: 3});
    expect(await repository.findReceipt('b', 'k')).toBeUndefined();

    await repository.keepReceipt('a', {...receipt, key: 'later', at: 20}, 11);
    expect(await repository.findReceipt('a', 'k')).toBeUndefined();
    expect(await repository.findReceipt('a', 'later')).toMatchObject({before: 1});
  });

  test('removes a submission with all its data', async () => {
    await repository.create(record('a'));
    await repository.keepReceipt('a', {key: 'k', digest: 'd', before: 1, at: 10}, 0);
    await repository.remove('a');
    await repository.remove('never-there');

    expect(await repository.find('a')).toBeUndefined();
    expect(await repository.findByToken(hashToken('token of a'))).toBeUndefined();
    await repository.create(record('a'));
    expect(await repository.findReceipt('a', 'k')).toBeUndefined();
  });

  test('knows the other interactions that were begun, the newest first and each once', async () => {
    for (const id of ['a', 'b', 'a']) await repository.addInteraction(id, 1);
    expect(await repository.interactions()).toEqual(['b', 'a']);
  });
});

test('submissions that are created at once are written by one commit, and a taken id fails alone', async () => {
  const repository = createSqliteRepository(file());
  await repository.create(record('5'));
  const pages = (): number => Math.floor(statSync(`${file()}-wal`).size / 4096);
  const before = pages();
  const ids = Array.from({length: 100}, (_, at) => String(at));
  const created = await Promise.allSettled(
    ids.map(async (id) => await repository.create(record(id))),
  );

  expect(created.flatMap(({status}, at) => (status === 'rejected' ? [at] : []))).toEqual([5]);
  expect((await repository.list('job', {limit: 200})).length).toBe(100);
  // A commit of its own would write at least its page, and two of indexes.
  expect(pages() - before).toBeLessThan(100);
  const late = repository.create(record('late'));
  await repository.close();
  await late;
  const second = createSqliteRepository(file());
  expect(await second.find('late')).toEqual(record('late'));
  await second.close();
});

test('the file keeps its records, is readable by its owner only, and erases to the last byte', async () => {
  const first = createSqliteRepository(file());
  await first.create(record('abcdefabcdef'));
  await first.keepReceipt('abcdefabcdef', {key: 'key-of-a', digest: 'd', before: 1, at: 10}, 0);
  await first.close();
  expect(statSync(file()).mode & 0o777).toBe(0o600);

  const second = createSqliteRepository(file());
  expect(await second.find('abcdefabcdef')).toEqual(record('abcdefabcdef'));
  await second.remove('abcdefabcdef');
  const bytes = readdirSync(join(folder, 'data')).map((name) =>
    readFileSync(join(folder, 'data', name), 'latin1'),
  );
  await second.close();
  expect(bytes.join('')).not.toMatch(/abcdefabcdef|key-of-a/);
});

test('a file of another program, or of a later version, is left unchanged', () => {
  createSqliteRepository(file());
  const db = new DatabaseSync(file());
  db.exec('PRAGMA user_version = 9');
  db.close();
  expect(() => createSqliteRepository(file())).toThrow(
    expect.objectContaining({code: 'newer_schema'}),
  );
  const diary = join(folder, 'diary.db');
  writeFileSync(diary, 'Dear diary, '.repeat(500));
  expect(() => createSqliteRepository(diary)).toThrow(
    expect.objectContaining({code: 'journal_corrupt'}),
  );
  expect(readFileSync(diary, 'utf8')).toMatch(/^Dear diary/);
});

test('tokens are random, and compared by their hashes', () => {
  const [one, other] = [createToken(), createToken()];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(isSameHash(hashToken(one), hashToken(one))).toBe(true);
  expect(isSameHash(hashToken(one), hashToken(other))).toBe(false);
  expect(isSameHash(hashToken(one), 'ab')).toBe(false);
});
