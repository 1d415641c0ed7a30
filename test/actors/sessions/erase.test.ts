/** What a journal forgets: erased and pruned runs; and the state of runs. */

import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {beforeEach, describe, expect, test, onTestFinished} from 'vitest';

import type {Journal, PruneOptions, PruneReport} from '../../../actors/index.ts';
import type {Entry, EntryBody} from '../../../actors/journal/journal.ts';
import {createMemoryJournal, createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {createRuntime} from '../../../actors/runtime.ts';
import {runStateOf} from '../../../actors/sessions/run-state.ts';
import {chartsVersion} from '../../../actors/version.ts';
import {createRunTraces} from '../../../cli/inspect/run-traces.ts';
import {findRow} from '../../../cli/past/find-run.ts';
import {createInteractions} from '../../../cli/serve/interactions.ts';
import {createScenario, cutJournal, work} from '../../support/scenario.ts';
import {recordsOf} from '../../support/serving.ts';
import {folderWith} from '../../support/stage.ts';
import {append, closed, opened, settled} from '../journal/entries.ts';

let folder: string;

const file = () => join(folder, 'data', 'journal.db');

function open(patienceMs = 20_000) {
  const journal = createSqliteJournal(file(), {patienceMs});
  const runtime = createRuntime({journal, config: {agent: {working_dir: join(folder, 'work')}}});
  const close = async (): Promise<void> => {
    await runtime.close();
    await journal.close();
  };
  return {journal, runtime, close};
}

/** True when any file of the journal has the text. */
function isKept(text: string): boolean {
  const data = join(folder, 'data');
  return readdirSync(data, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .some(({parentPath, name}) => readFileSync(join(parentPath, name)).includes(text));
}

describe('erasing', () => {
  beforeEach(() => {
    folder = folderWith();
    mkdirSync(join(folder, 'work'));
  });

  test('nothing of an erased run is left in any file of the journal, and other runs stay complete', async () => {
    const {runtime, journal, close} = open();
    const ids: string[] = [];
    for (const word of ['harmless', 'confidential', 'ordinary']) {
      const workspace = join(folder, word.slice(0, 3));
      mkdirSync(workspace);
      const text = `${word}-words `.repeat(900);
      const run = runtime.agent(`Create ${word}.txt with the text: ${text}`, {workspace});
      expect((await run.result).status).toBe('completed');
      ids.push(run.id);
    }
    const [first = '', second = '', third = ''] = ids;
    expect(isKept('confidential')).toBe(true);
    await runtime.erase(second);

    expect(isKept('confidential')).toBe(false);
    expect((await runtime.interactions()).map(({id}) => id)).toEqual([third, first]);
    expect((await runtime.entries(first)).at(-1)?.type).toBe('closed');
    expect(await journal.backups?.list(third)).toHaveLength(1);
    await close();
    expect(isKept('confidential')).toBe(false);
  });

  test('after an erasure, no trace of a message is left that was taken from the inbox', async () => {
    const {runtime, journal, close} = open();
    const run = runtime.ask('What is 2 + 3?');
    await journal.inbox.post(run.id, {type: 'user.said', text: 'whisper '.repeat(50)});
    await run.result;
    await runtime.erase(run.id);

    expect(isKept('whisper')).toBe(false);
    await close();
  });

  test('neither a run at work nor an unknown run can be erased', async () => {
    const {runtime, journal, close} = open();
    const owned = await journal.owners.own('at-work');

    await expect(runtime.erase('at-work')).rejects.toMatchObject({code: 'busy'});
    await owned.release();
    await expect(runtime.erase('at-work')).rejects.toMatchObject({code: 'not_found'});
    await close();
  });

  test('while another process reads the old state, erasing fails', async () => {
    const {runtime, close} = open(300);
    const run = runtime.ask('What is 20 + 3?');
    await run.result;
    const reader = new DatabaseSync(file());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM entries').get();

    await expect(runtime.erase(run.id)).rejects.toMatchObject({code: 'io'});
    expect(isKept('What is 20 + 3?')).toBe(true);
    reader.close();
    await expect(runtime.erase(run.id)).rejects.toMatchObject({code: 'not_found'});
    expect(isKept('What is 20 + 3?')).toBe(false);
    await close();
  });
});

const dayMs = 86_400_000;

let pruneFolder: string;

const path = (): string => join(pruneFolder, 'journal.db');

function openPruned(patienceMs = 20_000): Journal {
  const journal = createSqliteJournal(path(), {patienceMs});
  onTestFinished(async () => await journal.close());
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

const prunedIds = (runs: readonly {readonly id: string}[]) => runs.map(({id}) => id);

async function left(journal: Journal): Promise<string[]> {
  return prunedIds(await journal.log.list()).toSorted();
}

describe('pruning', () => {
  beforeEach(() => {
    pruneFolder = folderWith();
  });

  describe('a run is removed when it meets all criteria', () => {
    beforeEach(async () => {
      const journal = openPruned();
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
      const journal = openPruned();
      const dry = await prune(journal, {...options, dryRun: true});
      expect(await left(journal)).toHaveLength(4);
      const report = await prune(journal, options);

      expect(prunedIds(report.removed)).toEqual(removed);
      expect(report).toMatchObject({kept: [], others: 4 - removed.length});
      expect(dry).toEqual({removed: report.removed, kept: [], others: report.others});
      expect(await left(journal)).toHaveLength(4 - removed.length);
    });

    test('without a criterion nothing is removed', async () => {
      const journal = openPruned();
      await expect(prune(journal, {keepOpen: true})).rejects.toMatchObject({code: 'usage'});
      expect(await left(journal)).toHaveLength(4);
    });
  });

  describe('of the runs that were shown', () => {
    const all = {olderThanMs: 0};

    test('only those are removed that have not changed since', async () => {
      const journal = openPruned();
      for (const id of ['shown', 'continued']) await put(journal, id, 9);
      const {removed: only} = await prune(journal, {...all, dryRun: true});
      await put(journal, 'continued', 2, closed);
      await put(journal, 'new', 1, closed);

      const report = await prune(journal, {...all, only});
      expect(prunedIds(report.removed)).toEqual(['shown']);
      expect(report.kept).toMatchObject([
        {id: 'continued', why: 'changed'},
        {id: 'new', why: 'changed'},
      ]);
      expect(await left(journal)).toEqual(['continued', 'new']);
      expect(prunedIds((await prune(journal, {...all, only: []})).removed)).toEqual([]);
      expect(await left(journal)).toEqual(['continued', 'new']);
    });

    test('one that changes just before it would be removed is kept', async () => {
      const journal = openPruned();
      await put(journal, 'a', 9);
      const own: Journal['owners']['own'] = async (id) => {
        await put(journal, id, 1, closed);
        return await journal.owners.own(id);
      };

      const late = {...journal, owners: {...journal.owners, own}};
      expect(await prune(late, all)).toMatchObject({
        removed: [],
        kept: [{id: 'a', why: 'changed'}],
      });
      expect(await left(journal)).toEqual(['a']);
    });
  });

  test('the earlier contents of its files count as the size of a run', async () => {
    const journal = openPruned();
    await put(journal, 'writer', 1, closed);
    await put(journal, 'reader', 1, closed);
    const before = {hash: 'h', mode: 0o644, content: new Uint8Array(50_000)};
    await journal.backups?.keep('writer', [{path: 'a', before}]);

    const {removed} = await prune(journal, {largerThanBytes: 50_000});
    expect(removed).toMatchObject([{id: 'writer', bytes: expect.any(Number)}]);
    expect(await left(journal)).toEqual(['reader']);
  });

  test('open runs are removed or kept as asked, but never one at work, or one with an effect in doubt', async () => {
    const [journal, other] = [openPruned(), openPruned()];
    await put(journal, 'ended', 9, begun, closed);
    await put(journal, 'suspended', 8, begun, settled('k'));
    await put(journal, 'doubtful', 7, begun);
    await put(journal, 'running', 6);
    const owned = await other.owners.own('running');

    const kept = await prune(journal, {olderThanMs: dayMs, keepOpen: true});
    expect(prunedIds(kept.removed)).toEqual(['ended']);
    expect(kept.kept).toMatchObject([
      {id: 'suspended', why: 'open'},
      {id: 'doubtful', why: 'open'},
      {id: 'running', why: 'running'},
    ]);
    const report = await prune(journal, {olderThanMs: dayMs});
    expect(prunedIds(report.removed)).toEqual(['suspended']);
    expect(report.kept).toMatchObject([
      {id: 'doubtful', why: 'inDoubt'},
      {id: 'running', why: 'running'},
    ]);
    expect(await left(journal)).toEqual(['doubtful', 'running']);
    await owned.release();
  });

  test('the files of the journal get smaller by what was removed, and the other runs stay whole', async () => {
    const journal = openPruned();
    for (const id of ['a', 'b', 'c', 'd']) await put(journal, id, 9, long, closed);
    await put(journal, 'new', 0, long, closed);
    const entries = await journal.log.read('new');

    const {files, removed} = await prune(journal, {olderThanMs: dayMs});
    expect(removed).toHaveLength(4);
    expect(files?.after).toBe(statSync(path()).size);
    expect((files?.before ?? 0) - (files?.after ?? 0)).toBeGreaterThan(4 * 190_000);
    expect(await journal.log.read('new')).toEqual(entries);
    expect(await openPruned().log.read('new')).toEqual(entries);
  });

  test('a run that can not be removed is kept with the reason, and pruning again removes it', async () => {
    const journal = openPruned(100);
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
});

/** A run that was suspended while the model of its worker was called. */
async function suspended(): Promise<{readonly id: string; readonly entries: readonly Entry[]}> {
  const asked = Promise.withResolvers<undefined>();
  const {start, runtime} = createScenario({
    work: async (request) => {
      if (request.purpose !== 'act') return work(request);
      asked.resolve(undefined);
      return await new Promise(() => {});
    },
  });
  const run = start();
  await asked.promise;
  await run.suspend('interrupted');
  return {id: run.id, entries: await runtime.entries(run.id)};
}

function ofVersion(version: string, entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => (entry.type === 'opened' ? {...entry, version} : entry));
}

/** As written by charts that request other effects. */
function ofOtherKeys(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) =>
    entry.type === 'settled' ? {...entry, key: `${entry.key}-of-old`} : entry,
  );
}

/** As the commands, the server and the inspector show it. */
async function state(id: string, journal: Journal): Promise<string> {
  const {runtime} = createScenario({journal});
  const {look} = createInteractions({
    runtime,
    records: recordsOf(createMemoryJournal()),
    logger: silentLogger,
    workspace: '.',
    isShared: false,
  });
  const [row] = await createRunTraces(runtime).list();
  const listed = await runStateOf(await findRow(journal, id), journal);
  expect(row?.state).toBe(listed);
  expect((await look(id)).status).toBe(listed);
  expect(await runtime.stateOf(id)).toBe(listed);
  return listed;
}

test('a run of other charts is suspended or crashed as long as the current charts can replay it', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', entries));
  const died = {...journal, owners: {...journal.owners, tenureOf: () => 'abandoned' as const}};

  expect(await state(id, journal)).toBe('suspended');
  expect(await state(id, died)).toBe('crashed');
});

test('a run that the current charts cannot replay is outdated, whether its process died or not', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', ofOtherKeys(entries)));
  const died = {...journal, owners: {...journal.owners, tenureOf: () => 'abandoned' as const}};

  expect(await state(id, journal)).toBe('outdated');
  expect(await state(id, died)).toBe('outdated');
});

test('a run of the current charts that they cannot replay is damaged', async () => {
  const {id, entries} = await suspended();

  expect(await state(id, cutJournal(id, ofOtherKeys(entries)))).toBe('damaged');
});

test('the refusal to resume an outdated run names both versions', async () => {
  const {id, entries} = await suspended();
  const journal = cutJournal(id, ofVersion('older', ofOtherKeys(entries)));
  const {runtime} = createScenario({journal});

  await expect(runtime.resume(id)).rejects.toMatchObject({
    code: 'divergence',
    message: expect.stringMatching(
      new RegExp(`recorded by version older of the charts, and this is version ${chartsVersion()}`),
    ),
  });
});
