/** Exported runs, imported into another journal: real runs, journals of earlier schemas, and files that someone changed. */

import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createRuntime, createSqliteJournal, type Journal} from '../../../actors/index.ts';
import {exportRun} from '../../../actors/sessions/export.ts';
import {importRun} from '../../../actors/sessions/import.ts';
import {linesIn} from '../../../actors/sessions/text-lines.ts';
import {
  recordedForms,
  schema1Runs,
  schema2Runs,
  schema3Runs,
  unpackForms,
  unpackSchema1,
  unpackSchema2,
  unpackSchema3,
} from '../../fixtures/journals/recorded.ts';
import {isDeep} from '../../support/depth.ts';
import {append, closed, opened, settled} from '../journal/entries.ts';

let folder: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-import-'));
  mkdirSync(join(folder, 'work'));
});
afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

function open(name: string): Journal {
  const journal = createSqliteJournal(join(folder, name, 'journal.db'));
  journals.push(journal);
  return journal;
}

function runtimeOn(journal: Journal) {
  return createRuntime({journal, config: {agent: {working_dir: join(folder, 'work')}}, env: {}});
}

function withTool(journal: Journal, command: readonly string[]) {
  const tools = {probe: {command: [...command], description: 'Probes.'}};
  return createRuntime({journal, config: {tools}, env: {}});
}

async function linesFrom(id: string, journal: Journal, backups = false): Promise<string[]> {
  const lines = await Array.fromAsync(exportRun(id, journal, {backups}));
  return lines.map((line) => JSON.stringify(line));
}

/** A small run with an effect that has begun, and has a secret-free request with odd characters. */
async function recorded(id = 'run'): Promise<readonly string[]> {
  const journal = open('recorded');
  const input = {...opened.input, id, session: 'talk'};
  await append(journal, id, [{...opened, input}], 1000);
  await append(journal, id, [{type: 'requested', key: 'k', request: 'r'}, settled('k')], 2000);
  await append(journal, id, [settled('l'), closed], 3000);
  return await linesFrom(id, journal);
}

function swapped([a = '', b = '', c = '', ...rest]: readonly string[]): readonly string[] {
  return [a, c, b, ...rest];
}

function changed(lines: readonly string[], at: number, from: string, to: string) {
  return lines.map((line, index) => (index === at ? line.replace(from, to) : line));
}

test('an imported run is the run that was exported, with its files to undo', async () => {
  const here = runtimeOn(open('here'));
  const run = here.agent('Create a file notes.txt with the content "Hello"', {session: 'talk'});
  await run.result;
  const lines = await Array.fromAsync(here.export(run.id, {backups: true}));
  const other = open('there');
  const there = runtimeOn(other);

  expect(await there.import(lines)).toEqual({
    id: run.id,
    isNew: true,
    entries: (await here.entries(run.id)).length,
    backups: 1,
    status: 'completed',
  });
  expect(await there.entries(run.id)).toEqual(await here.entries(run.id));
  const [{imported, ...row} = {}] = [...(await there.interactions())];
  expect([imported, [row]]).toEqual([true, await here.interactions()]);
  const [backup] = (await other.backups?.list(run.id)) ?? [];
  expect(await there.entries(run.id)).toContainEqual(
    expect.objectContaining({type: 'requested', key: backup?.effect, tool: 'write_file'}),
  );

  expect((await there.undo(run.id, {workspace: join(folder, 'work')})).files).toMatchObject([
    {path: 'notes.txt'},
  ]);
  expect(existsSync(join(folder, 'work/notes.txt'))).toBe(false);
});

test('an imported run with tools of somebody else is neither resumed nor forked without the same tools', async () => {
  const workspace = join(folder, 'work');
  const here = withTool(open('here'), ['true']);
  const run = here.agent('Create a file notes.txt with the content "Hello"', {workspace});
  await run.opened;
  await run.suspend('interrupted');
  const lines = (await Array.fromAsync(here.export(run.id))).slice(0, 1);
  const journal = open('there');
  await importRun(lines, journal);

  const refusal = {
    code: 'config',
    message: expect.stringContaining('the tool probe, which starts ["true"]'),
  };
  for (const other of [runtimeOn(journal), withTool(journal, ['false'])]) {
    await expect(other.resume(run.id, {workspace})).rejects.toMatchObject(refusal);
    await expect(other.fork(run.id, {at: 0, workspace})).rejects.toMatchObject(refusal);
  }
  const resumed = await withTool(journal, ['true']).resume(run.id, {workspace});
  expect(await resumed.result).toMatchObject({status: 'completed'});
});

test('an export imported twice is kept once', async () => {
  const lines = await recorded();
  const journal = open('there');

  expect(await importRun(lines, journal)).toMatchObject({isNew: true, entries: 5});
  expect(await importRun(lines, journal)).toMatchObject({isNew: false, entries: 5});
  expect(await journal.log.list()).toHaveLength(1);
  expect(await linesFrom('run', journal)).toEqual(lines);
});

test('a run is neither shortened, extended nor replaced by an import of the same id', async () => {
  const lines = await recorded();
  const journal = open('there');
  await importRun(lines.slice(0, 3), journal);

  for (const given of [lines, lines.slice(0, 2)]) {
    await expect(importRun(given, journal)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('run run is in this journal with other entries (3, and '),
    });
  }
  expect(await linesFrom('run', journal)).toEqual(lines.slice(0, 3));
});

describe('a file that is not what was exported is refused, and nothing is kept:', () => {
  const backup = '{"type":"backup","path":"a","before":';
  const sha = 'a'.repeat(64);

  test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    [
      'a changed outcome',
      (lines) => changed(lines, 2, '"ok"', '"no"'),
      'line 3: entry 2: it was changed after it was written; nothing was imported',
    ],
    [
      'a changed time',
      (lines) => changed(lines, 4, '"at":3000', '"at":3001'),
      'line 5: entry 4: it was changed after it was written',
    ],
    [
      'another id',
      (lines) => changed(lines, 0, '"id":"run"', '"id":"ran"'),
      'line 1: entry 0: it was changed after it was written',
    ],
    [
      'a missing line',
      (lines) => lines.toSpliced(2, 1),
      'line 3: entry 2: it is missing: entry 3 is in its place',
    ],
    [
      'two lines in another order',
      swapped,
      'line 2: entry 1: it is missing: entry 2 is in its place',
    ],
    [
      'a repeated line',
      (lines) => lines.toSpliced(1, 0, lines[0] ?? ''),
      'line 2: entry 1: entry 0 is repeated or moved',
    ],
    ['no opening', (lines) => lines.slice(1), 'line 1: entry 0: it does not open a run'],
    [
      'a torn line',
      (lines) => changed(lines, 4, '}', ''),
      'line 5: entry 4: it is not a JSON object',
    ],
    [
      'an unknown type',
      (lines) => changed(lines, 3, '"settled"', '"sealed"'),
      'line 4: entry 3: this version does not know it (type "sealed")',
    ],
    ['a number', (lines) => [...lines, '7'], 'line 6: entry 5: it is not a JSON object'],
    [
      'an id that is a path',
      () => ['{"type":"opened","version":"v","input":{"id":"../x"},"seq":0,"at":1,"hash":"x"}'],
      'line 1: entry 0: it does not open a run',
    ],
    [
      'a nest',
      ([first = '']) => [
        first,
        `{"type":"noted","note":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`,
      ],
      'line 2: entry 1: this version does not know it',
    ],
    [
      'a changed backup',
      (lines) => [...lines, `${backup}{"hash":"${sha}","mode":420,"content":"aGk="}}`],
      'line 6: the backup is not valid',
    ],
    [
      'a backup without content',
      (lines) => [...lines, `${backup}{"hash":"${sha}","mode":420}}`],
      'line 6: the backup is not valid',
    ],
    ['nothing', () => ['', ' '], 'the file has no entry of a run'],
  ])('%s', async (_, forge, message) => {
    const forged = forge(await recorded());
    const journal = open('there');

    await expect(importRun(forged, journal)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
    expect(await journal.log.list()).toEqual([]);
  });

  test('a line without an end, after its first megabyte', async () => {
    let read = 0;
    function* endless(): Generator<Uint8Array> {
      for (;;) {
        read += 1;
        yield new Uint8Array(65_536).fill(97);
      }
    }
    const lines = linesIn(endless(), 1_048_576);

    await expect(importRun(lines, open('there'))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('line 1 is too long'),
    });
    expect(read).toBe(17);
  });
});

test('lines are split wherever the chunks end, also within a character', async () => {
  const bytes = Buffer.from('日本\n語\n\nlast');
  const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));

  expect(await Array.fromAsync(linesIn(chunks))).toEqual(['日本', '語', '', 'last']);
});

test.each([
  {schema: 1, unpack: unpackSchema1, runs: schema1Runs},
  {schema: 2, unpack: unpackSchema2, runs: schema2Runs},
  {schema: 3, unpack: unpackSchema3, runs: schema3Runs},
  {schema: 4, unpack: unpackForms, runs: recordedForms},
])('every run of schema $schema is exported and imported', async ({unpack, runs}) => {
  unpack(join(folder, 'old', 'journal.db'));
  const [old, journal] = [open('old'), open('there')];

  for (const {id, entries} of Object.values(runs)) {
    const lines = await linesFrom(id, old, true);
    expect(await importRun(lines, journal)).toMatchObject({id, isNew: true, entries});
    expect(await linesFrom(id, journal, true)).toEqual(lines);
  }
  const marks = {bytes: expect.any(Number), imported: true};
  const listed = (await old.log.list()).map((row) => Object.assign({}, row, marks));
  expect(await journal.log.list()).toEqual(listed);
});

test('an effect that an imported run had begun is missed when the end of the journal is lost', async () => {
  const lines = await recorded();
  const journal = open('there');
  await importRun(lines.slice(0, 2), journal);
  const witness = readFileSync(join(folder, 'there/heads/run'), 'utf8');

  expect(witness).toContain('"type":"requested","seq":1,"key":"k"');
  await journal.erase('run');
  await importRun(lines, journal);
  expect(readFileSync(join(folder, 'there/heads/run'), 'utf8')).toContain('{"type":"closed"}');
});

test('a process that dies within an import leaves nothing of the run', async () => {
  const file = join(folder, 'run.jsonl');
  writeFileSync(file, (await recorded()).join('\n'));
  const path = join(folder, 'there', 'journal.db');
  const child = fileURLToPath(new URL('import-child.ts', import.meta.url));

  const {signal} = spawnSync(process.execPath, [child, path, file], {stdio: 'inherit'});
  expect(signal).toBe('SIGKILL');
  const journal = open('there');
  expect(await journal.log.list()).toEqual([]);
  expect(await journal.log.salvage('run')).toMatchObject({entries: [], damage: undefined});
  expect(await importRun(readFileSync(file, 'utf8').split('\n'), journal)).toMatchObject({
    isNew: true,
  });
});

test.runIf(isDeep)(
  'a run of 100,000 entries is exported and imported',
  {timeout: 60_000},
  async () => {
    const journal = open('recorded');
    const bodies = Array.from({length: 100_000}, (_, index) => settled(`k${index}`));
    await append(journal, 'run', [{...opened, input: {...opened.input, id: 'run'}}, ...bodies], 1);
    const there = open('there');

    await importRun(await linesFrom('run', journal), there);
    expect(await there.log.read('run')).toEqual(await journal.log.read('run'));
  },
);

test('an imported open run continues only in a named folder, and is like any other run then', async () => {
  const here = runtimeOn(open('here'));
  const asked = here.ask('What is 2 + 3?');
  await asked.result;
  const [first = ''] = await Array.fromAsync(here.export(asked.id));
  const there = runtimeOn(open('there'));
  await there.import([first]);

  await expect(there.resume(asked.id)).rejects.toMatchObject({
    code: 'usage',
    message: `run ${asked.id} was imported; name its folder: quorate resume ${asked.id} -C FOLDER`,
  });
  expect(await there.resumeSession(asked.id)).toMatchObject({
    runs: [],
    left: [{id: asked.id, error: {code: 'usage'}}],
  });
  expect(await there.interactions()).toMatchObject([{imported: true, entries: 1}]);

  const run = await there.resume(asked.id, {workspace: join(folder, 'work')});
  expect(await run.result).toMatchObject({status: 'completed', answer: '2 + 3 = 5'});
  expect((await there.interactions())[0]).not.toHaveProperty('imported');
});

test('an imported open run can be cancelled without a folder', async () => {
  const here = runtimeOn(open('here'));
  const asked = here.ask('What is 2 + 3?');
  await asked.result;
  const [first = ''] = await Array.fromAsync(here.export(asked.id));
  const there = runtimeOn(open('there'));
  await there.import([first]);

  expect(await there.cancel(asked.id)).toMatchObject({status: 'cancelled'});
});
