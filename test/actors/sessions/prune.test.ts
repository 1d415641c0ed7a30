/** Pruning runs of a real journal: which are removed, which are kept and why, and what the disk gets back. */

import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {
  createRuntime,
  createSqliteJournal,
  type Journal,
  type PruneOptions,
  type PruneReport,
} from '../../../actors/index.ts';
import type {EntryBody} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {append, closed, opened, settled} from '../journal/entries.ts';

const dayMs = 86_400_000;
let folder: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-prune-'));
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

const path = (): string => join(folder, 'journal.db');

function open(patienceMs = 20_000): Journal {
  const journal = createSqliteJournal(path(), {patienceMs});
  journals.push(journal);
  return journal;
}

async function prune(journal: Journal, options: PruneOptions): Promise<PruneReport> {
  return await createRuntime({journal, env: {}}).prune(options);
}

/** A run whose last entry is so many days old. */
async function put(
  journal: Journal,
  id: string,
  days: number,
  ...bodies: readonly EntryBody[]
): Promise<void> {
  await append(journal, id, [opened, ...bodies], Date.now() - days * dayMs);
}

const begun = {type: 'requested', key: 'k', request: 'r'} as const;
const long = settled('x', 'word '.repeat(40_000));
const ids = (runs: readonly {readonly id: string}[]) => runs.map(({id}) => id);

async function left(journal: Journal): Promise<string[]> {
  return ids(await journal.log.list()).toSorted();
}

describe('a run is removed when it meets all criteria', () => {
  beforeEach(async () => {
    const journal = open();
    await put(journal, 'old-large', 40, long, closed);
    await put(journal, 'old-small', 35, closed);
    await put(journal, 'new-large', 1, long, closed);
    const ask = {...opened, input: {...opened.input, form: 'ask'}};
    await append(journal, 'old-ask', [ask, closed], Date.now() - 50 * dayMs);
  });

  test.each<[PruneOptions, string[]]>([
    [{olderThanMs: 30 * dayMs}, ['old-ask', 'old-large', 'old-small']],
    [{largerThanBytes: 100_000}, ['old-large', 'new-large']],
    [{olderThanMs: 30 * dayMs, largerThanBytes: 100_000}, ['old-large']],
    [{form: 'ask'}, ['old-ask']],
    [{form: 'ask', largerThanBytes: 100_000}, []],
  ])('%j', async (options, removed) => {
    const journal = open();
    const dry = await prune(journal, {...options, dryRun: true});
    expect(await left(journal)).toHaveLength(4);
    const report = await prune(journal, options);

    expect(ids(report.removed)).toEqual(removed);
    expect(report).toMatchObject({kept: [], others: 4 - removed.length});
    expect(dry).toEqual({removed: report.removed, kept: [], others: report.others});
    expect(await left(journal)).toHaveLength(4 - removed.length);
  });

  test('without a criterion nothing is removed', async () => {
    const journal = open();
    await expect(prune(journal, {keepOpen: true})).rejects.toMatchObject({code: 'usage'});
    expect(await left(journal)).toHaveLength(4);
  });
});

describe('of the runs that were shown', () => {
  const all = {olderThanMs: 0};

  test('only those are removed that have not changed since', async () => {
    const journal = open();
    for (const id of ['shown', 'continued']) await put(journal, id, 9);
    const {removed: only} = await prune(journal, {...all, dryRun: true});
    await put(journal, 'continued', 1, closed);
    await put(journal, 'new', 1, closed);

    const report = await prune(journal, {...all, only});
    expect(ids(report.removed)).toEqual(['shown']);
    expect(report.kept).toMatchObject([
      {id: 'continued', why: 'changed'},
      {id: 'new', why: 'changed'},
    ]);
    expect(await left(journal)).toEqual(['continued', 'new']);
    expect(ids((await prune(journal, {...all, only: []})).removed)).toEqual([]);
    expect(await left(journal)).toEqual(['continued', 'new']);
  });

  test('one that changes just before it would be removed is kept', async () => {
    const journal = open();
    await put(journal, 'a', 9);
    const own: Journal['owners']['own'] = async (id) => {
      await put(journal, id, 1, closed);
      return await journal.owners.own(id);
    };

    const late = {...journal, owners: {...journal.owners, own}};
    expect(await prune(late, all)).toMatchObject({removed: [], kept: [{id: 'a', why: 'changed'}]});
    expect(await left(journal)).toEqual(['a']);
  });
});

test('the earlier contents of its files count as the size of a run', async () => {
  const journal = open();
  await put(journal, 'writer', 1, closed);
  await put(journal, 'reader', 1, closed);
  const before = {hash: 'h', mode: 0o644, content: new Uint8Array(50_000)};
  await journal.backups?.keep('writer', [{path: 'a', before}]);

  const {removed} = await prune(journal, {largerThanBytes: 50_000});
  expect(removed).toMatchObject([{id: 'writer', bytes: expect.any(Number)}]);
  expect(await left(journal)).toEqual(['reader']);
});

test('open runs are removed or kept as asked, but never one at work, or one with an effect in doubt', async () => {
  const [journal, other] = [open(), open()];
  await put(journal, 'ended', 9, begun, closed);
  await put(journal, 'suspended', 8, begun, settled('k'));
  await put(journal, 'doubtful', 7, begun);
  await put(journal, 'running', 6);
  const owned = await other.owners.own('running');

  const kept = await prune(journal, {olderThanMs: dayMs, keepOpen: true});
  expect(ids(kept.removed)).toEqual(['ended']);
  expect(kept.kept).toMatchObject([
    {id: 'suspended', why: 'open'},
    {id: 'doubtful', why: 'open'},
    {id: 'running', why: 'running'},
  ]);
  const report = await prune(journal, {olderThanMs: dayMs});
  expect(ids(report.removed)).toEqual(['suspended']);
  expect(report.kept).toMatchObject([
    {id: 'doubtful', why: 'inDoubt'},
    {id: 'running', why: 'running'},
  ]);
  expect(await left(journal)).toEqual(['doubtful', 'running']);
  await owned.release();
});

test('the files of the journal get smaller by what was removed, and the other runs stay whole', async () => {
  const journal = open();
  for (const id of ['a', 'b', 'c', 'd']) await put(journal, id, 9, long, closed);
  await put(journal, 'new', 0, long, closed);
  const entries = await journal.log.read('new');

  const {files, removed} = await prune(journal, {olderThanMs: dayMs});
  expect(removed).toHaveLength(4);
  expect(files?.after).toBe(statSync(path()).size);
  expect((files?.before ?? 0) - (files?.after ?? 0)).toBeGreaterThan(4 * 190_000);
  expect(await journal.log.read('new')).toEqual(entries);
  expect(await open().log.read('new')).toEqual(entries);
});

test('a run that can not be removed is kept with the reason, and pruning again removes it', async () => {
  const journal = open(100);
  await put(journal, 'a', 9, closed);
  const reader = new DatabaseSync(path());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM entries').get();

  const report = await prune(journal, {olderThanMs: dayMs});
  expect(report.removed).toEqual([]);
  expect(report.kept).toMatchObject([{id: 'a', why: 'failed', error: {code: 'io'}}]);
  reader.close();
  await prune(journal, {olderThanMs: dayMs});
  expect(await left(journal)).toEqual([]);
});

test('a journal in memory is pruned, and has no files to make smaller', async () => {
  const journal = createMemoryJournal();
  await put(journal, 'a', 9, closed);
  await put(journal, 'b', 0, closed);

  expect(await prune(journal, {olderThanMs: dayMs})).toMatchObject({removed: [{id: 'a'}]});
  expect(await left(journal)).toEqual(['b']);
});
