/** Journals of earlier schemas. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';

import {afterEach, beforeEach, expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {
  schema1Runs,
  schema2Runs,
  schema3Runs,
  schema5Forms,
  unpackForms,
  unpackLast,
  unpackSchema1,
  unpackSchema2,
  unpackSchema3,
  unpackSchema5,
} from '../../fixtures/journals/recorded.ts';
import {append, closed} from './entries.ts';

let folder: string;
let path: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'data', 'journal.db');
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

const earlier = [
  {schema: 1, unpack: unpackSchema1, runs: schema1Runs},
  {schema: 2, unpack: unpackSchema2, runs: schema2Runs},
  {schema: 3, unpack: unpackSchema3, runs: schema3Runs},
];

test.each(earlier)(
  'a journal of schema $schema is listed, each run as a session of its own, and read',
  async ({unpack, runs}) => {
    unpack(path);
    const journal = create();
    const {completed, killed, waiting, answered} = runs;

    expect(await journal.log.list()).toMatchObject([
      {...answered, form: 'ask', request: 'How much is 2 * 21?', answer: '2 * 21 = 42'},
      {...waiting, form: 'agent', status: undefined, answer: undefined},
      {...killed, form: 'agent', status: undefined, session: killed.id},
      {
        ...completed,
        status: 'completed',
        session: completed.id,
        answer: expect.stringContaining('tasks succeeded'),
      },
    ]);
    for (const {id, entries} of Object.values(runs)) {
      const read = await journal.log.read(id);
      expect(read).toHaveLength(entries);
      expect(read[0]).toMatchObject({type: 'opened', input: {id}});
    }
  },
);

test.each(earlier)(
  'an open run of schema $schema is taken over, continued and closed',
  async ({unpack, runs}) => {
    unpack(path);
    const journal = create();
    const {id, entries} = runs.killed;
    await journal.owners.own(id);
    await journal.log.read(id);
    await append(journal, id, [closed], 1);

    const again = create();
    expect((await again.log.read(id)).at(-1)).toMatchObject({type: 'closed', seq: entries});
    expect((await again.log.list()).find((row) => row.id === id)).toMatchObject({answer: '42'});
  },
);

test.each(earlier)(
  'an interaction erased from a journal of schema $schema is gone from its bytes, also from its former place',
  async ({unpack, runs}) => {
    unpack(path);
    const {id} = runs.waiting;
    const isKept = (): boolean =>
      [path, `${path}-wal`].some((file) => readFileSync(file).includes(id));
    expect(isKept()).toBe(true);

    await create().erase(id);
    expect(isKept()).toBe(false);
  },
);

test('a journal of schema 5 keeps its runs, and takes figures and ratings', async () => {
  unpackSchema5(path);
  const {log, metrics} = create();
  expect(await log.list()).toHaveLength(Object.keys(schema5Forms).length);
  for (const {id, entries} of Object.values(schema5Forms)) {
    expect(await log.read(id)).toHaveLength(entries);
    await metrics?.keep([{interaction: id, figures: {calls: entries}}]);
    await metrics?.react(id, {kind: 'up', at: 1});
  }

  const again = create();
  const ended = (await again.log.list()).filter(({status}) => status !== undefined);
  expect(await again.metrics?.list()).toHaveLength(ended.length);
  expect(await again.metrics?.reactions()).toHaveLength(Object.keys(schema5Forms).length);
});

test.each([
  ['schema 1', unpackSchema1],
  ['schema 2', unpackSchema2],
  ['schema 3', unpackSchema3],
  ['schema 4', unpackForms],
  ['the last schema 4', unpackLast],
  ['schema 5', unpackSchema5],
])('a journal of %s has the tables and columns of a new one', (_, unpack) => {
  unpack(path);
  create();
  const fresh = join(folder, 'fresh', 'journal.db');
  journals.push(createSqliteJournal(fresh));

  const made = tablesIn(fresh);
  const migrated = tablesIn(path).filter(([table]) => table !== 'backups');
  expect(migrated).toEqual(made);
  expect(made.map(([table]) => table)).toEqual(expect.arrayContaining(['metrics', 'reactions']));
});

function tablesIn(file: string): (readonly [table: string, columns: unknown])[] {
  const db = new DatabaseSync(file);
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`);
  const found = tables
    .all()
    .map(
      ({name}) => [String(name), db.prepare(`PRAGMA table_info(${String(name)})`).all()] as const,
    );
  db.close();
  return found;
}

test('a run whose end is damaged is migrated without its answer', async () => {
  unpackSchema2(path);
  const {id} = schema2Runs.answered;
  change(
    `UPDATE entries SET body = 'torn' WHERE seq = 6
     AND interaction = (SELECT number FROM interactions WHERE id = '${id}')`,
  );
  const {log} = create();

  expect((await log.list())[0]).toMatchObject({id, status: undefined, answer: undefined});
  expect(await log.salvage(id)).toMatchObject({damage: {code: 'journal_corrupt'}});
});

test('migration drops the rows of ended runs and keeps those of open runs', async () => {
  unpackSchema1(path);
  const {completed, killed} = schema1Runs;
  change(`INSERT INTO children VALUES ('${killed.id}', 4711, 'Mon')`);
  change(`INSERT INTO inbox (interaction, event) VALUES ('${killed.id}', '{"n":1}')`);
  const journal = create();

  expect(await journal.children.list(completed.id)).toEqual([]);
  expect(await journal.children.list(killed.id)).toMatchObject([{processGroup: 4711}]);
  expect(await journal.inbox.take(killed.id)).toEqual([{n: 1}]);
});

test('damage in a journal of schema 1 is named after the migration', async () => {
  unpackSchema1(path);
  const {id} = schema1Runs.waiting;
  change(`UPDATE entries SET body = body || ' ' WHERE interaction = '${id}' AND seq = 5`);
  const {log} = create();

  expect(await log.salvage(id)).toMatchObject({
    entries: {length: 5},
    damage: {code: 'journal_corrupt', message: expect.stringContaining('entry 5')},
  });
});

test('several processes that migrate the same journal at once keep all of it', async () => {
  unpackSchema1(path);
  const script = fileURLToPath(new URL('journal-child.ts', import.meta.url));
  const codes = await Promise.all(
    ['p', 'q', 'r'].map(async (id) => {
      const child = spawn(process.execPath, [script, 'append', path, id, '3'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = await once(child, 'exit');
      return Number(code);
    }),
  );
  const {log} = create();

  expect(codes).toEqual([0, 0, 0]);
  expect(await log.list()).toHaveLength(7);
  for (const id of ['p', 'q', 'r']) expect(await log.read(id)).toHaveLength(4);
  for (const {id, entries} of Object.values(schema1Runs))
    expect(await log.read(id)).toHaveLength(entries);
});

test('a journal that an earlier version still writes to is left unchanged', () => {
  unpackSchema1(path);
  const before = readFileSync(path);
  const locks = join(folder, 'data', 'locks');
  mkdirSync(locks);
  const holder = '3b43fe92-c1ab-4f5b-8436-8767ae48e78a.lock';
  const lock = new DatabaseSync(join(locks, holder));
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');

  expect(() => create()).toThrow(
    expect.objectContaining({
      code: 'busy',
      message: expect.stringContaining(`earlier version still runs ${schema1Runs.killed.id}`),
    }),
  );
  lock.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(() => create()).not.toThrow();
});

function change(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function create(): Journal {
  const journal = createSqliteJournal(path);
  journals.push(journal);
  return journal;
}
