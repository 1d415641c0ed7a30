/** `prune` and `doctor --runs`, and commands over a thousand runs. */

import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';

import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';

import type {EntryBody} from '../../../actors/journal/journal.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {performLine} from '../../../cli/main.ts';
import {journalFile} from '../../../cli/past/open-journal.ts';
import {asJson} from '../../../machines/domain/json.ts';
import {appendEntries, markImported} from '../../actors/journal/entries.ts';
import {roundWith} from '../../support/rounds.ts';
import {baseResult} from '../fake-run.ts';
import {createTestTerminal} from '../gate/person.ts';
import {setStage} from '../stage.ts';

const {at: atPrune, launch, launcher, workspace, written} = setStage();

/** An open run: the first lines of an ended one. */
async function openRun(lines = 1): Promise<string> {
  const id = await written();
  const {stdout} = await launch('export', id);
  await launch('prune', id, '--yes');
  const entries = stdout
    .split('\n')
    .slice(0, lines)
    .map((line) => JSON.parse(line));
  const journal = createSqliteJournal(atPrune('data/journal.db'));
  await appendEntries(journal, id, entries);
  await journal.close();
  return id;
}

async function listed(...args: string[]): Promise<{id: string; state: string}[]> {
  const {stdout} = await launch('sessions', '--output', 'json', ...args);
  return JSON.parse(stdout);
}

/** Everything but the clock of the journal's file. */
function journalIn(home: string): unknown {
  const db = new DatabaseSync(atPrune(home, 'journal.db'), {readOnly: true});
  try {
    return ['interactions', 'openings', 'entries'].map((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    );
  } finally {
    db.close();
  }
}

/** Answers the question of a command on a terminal, after something else has happened. */
async function answer(text: string, args: readonly string[], meanwhile?: () => Promise<unknown>) {
  const {input, output, sees, type, screen} = createTestTerminal();
  const env = {HOME: launcher.folder, QUORATE_HOME: atPrune('data')};
  const exit = performLine(args, {stdin: input, stdout: output, stderr: output, env});
  await sees('[y/N] ');
  await meanwhile?.();
  type(`${text}\r`);
  return {code: await exit, screen: screen()};
}

test('a run that was recorded elsewhere is listed and read, but not continued', async () => {
  const id = await openRun();
  rmSync(join(workspace(), 'notes.txt'));
  markImported(atPrune('data/journal.db'));
  expect(await listed()).toMatchObject([{id, state: 'imported', imported: true}]);
  expect((await launch('show', id)).stdout).not.toContain('quorate resume');
  expect(await launch('resume')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`no run is open in ${workspace()}`),
  });
  for (const verb of ['resume', 'undo']) {
    expect(await launch(verb, id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was recorded elsewhere'),
    });
  }
  expect(existsSync(join(workspace(), 'notes.txt'))).toBe(false);
});

describe('prune with an ID', () => {
  test.each([
    ['y', 0, 0],
    ['n', 1, 1],
  ])('asks on a terminal, and %j exits %i', async (text, code, kept) => {
    const id = await written();
    const erased = await answer(text, ['prune', id.slice(0, 6)]);

    expect(erased.code).toBe(code);
    expect(erased.screen).toContain(`Remove ${id} (Create a file notes.txt`);
    expect(await listed()).toHaveLength(kept);
    expect(readFileSync(join(workspace(), 'notes.txt'), 'utf8')).toBe('Hello\n');
  });

  test('without a terminal needs --yes', async () => {
    const id = await written();
    expect(await launch('prune', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('quorate prune needs --yes'),
    });
    expect(await launch('prune', id, '--yes', '--output', 'json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({erased: [id]}, undefined, 2)}\n`,
    });
    expect(await launch('prune', id, '--yes')).toMatchObject({code: 2});
  });
});

describe('prune', () => {
  test('shows what it would remove, asks, and removes it', async () => {
    const id = await written();
    const dry = await launch('prune', '--form', 'agent', '--dry-run');
    expect(dry).toMatchObject({code: 0});
    expect(dry.stdout).toMatch(
      new RegExp(`^would be removed  ${id}  agent  completed  now  \\d+ KB  Create a file`),
    );
    expect(await answer('n', ['prune', '--form', 'agent'])).toMatchObject({
      code: 1,
      screen: expect.stringContaining('nothing was removed'),
    });
    expect(await listed()).toHaveLength(1);

    const {code, screen} = await answer('y', ['prune', '--form', 'agent']);
    expect(code).toBe(0);
    expect(screen).toContain('Remove 1 run for good? [y/N]');
    expect(screen).toMatch(/1 run removed \(\d+ KB\); 0 kept, 0 others/);
    expect(screen).toMatch(/journal: \d+ KB before, \d+ KB now/);
    expect(await listed()).toEqual([]);
  });

  test('removes no run that began while it asked', async () => {
    const id = await written();
    const {screen} = await answer('y', ['prune', '--form', 'agent'], written);
    expect(screen).toContain(`removed  ${id}`);
    expect(screen).toContain('it was not shown, or it has changed since');
    expect(screen).toMatch(/1 run removed \(\d+ KB\); 1 kept, 0 others/);
    expect(await listed()).toHaveLength(1);
  });

  test('names open runs in its question, and keeps them with --keep-open', async () => {
    const id = await openRun(2);
    const {screen} = await answer('n', ['prune', '--larger', '1']);
    expect(screen).toContain('Remove 1 run for good, 1 of which can still be continued? [y/N]');

    const kept = await launch('prune', '--larger', '1', '--keep-open', '--yes');
    expect(kept.stdout).toMatch(
      new RegExp(`^kept     ${id}  agent  open  .*: it has not ended$`, 'm'),
    );
    const json = await launch('prune', '--larger', '1', '--yes', '--output', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({removed: [{id}], kept: [], dryRun: false});
  });
});

describe('doctor --runs', () => {
  test('lists the open runs that this version can not resume, and changes nothing', async () => {
    const id = await openRun(3);
    expect((await launch('doctor', '--runs')).stdout).not.toContain(id);
    const journal = createSqliteJournal(atPrune('data/journal.db'));
    const settled = {type: 'settled', key: 'i/of-old#1', request: 'r', outcome: {}, ms: 1} as const;
    await journal.log.append([{interaction: id, bodies: [settled], at: Date.now()}]);
    await journal.close();
    const before = journalIn('data');

    const {code, stdout} = await launch('doctor', '--runs');
    expect({code, stdout}).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^warning +run ${id} +.*resume it`, 'm')),
    });
    expect((await launch('doctor')).stdout).not.toContain(id);
    expect(journalIn('data')).toEqual(before);
    rmSync(join(workspace(), 'notes.txt'));
    expect((await launch('-q', 'fork', id, '--at', '2')).code).toBe(0);
    expect(existsSync(join(workspace(), 'notes.txt'))).toBe(true);
    for (const verb of ['show', 'export', 'cancel']) expect((await launch(verb, id)).code).toBe(0);
  });
});

const program = fileURLToPath(new URL('../../../cli/bin.ts', import.meta.url));

const crowdedHome = mkdtempSync(join(tmpdir(), 'quorate-test-'));

const crowdedEnv = {...process.env, QUORATE_HOME: join(crowdedHome, 'data'), HOME: crowdedHome};

const ids = Array.from({length: 1_200}, (_, index) => `run-${index}`);

const heapMb = 96;

/** Runs in a process whose heap could not hold all the runs at once. */
function runLine(...args: readonly string[]): string {
  const line = [`--max-old-space-size=${heapMb}`, program, ...args];
  return execFileSync(process.execPath, line, {
    env: crowdedEnv,
    encoding: 'utf8',
    cwd: crowdedHome,
  });
}

describe('a thousand runs', () => {
  vi.setConfig({testTimeout: 120_000, hookTimeout: 120_000});

  beforeAll(async () => {
    const {log, close} = createSqliteJournal(journalFile(crowdedEnv));
    const input = {form: 'agent', request: 'Tidy up', workspace: '/w', settings: {tools: []}};
    const round = asJson(roundWith('●●·', 'approved'));
    const outcome = {kind: 'ok', text: 'All is well. '.repeat(8_000)};
    const bodies: readonly EntryBody[] = [
      {type: 'opened', version: 'v', input},
      {type: 'settled', key: 'i/explore#1', request: 'r', ms: 5, outcome},
      {type: 'noted', note: {type: 'quorum.decided', actor: 'interaction/form/quorum', ...round}},
      {
        type: 'closed',
        result: asJson({...baseResult, reviews: [round]}),
        figures: {counts: {rounds: 1}, models: {}, seats: {}},
      },
    ];
    await log.append(ids.map((interaction, at) => ({interaction, bodies, at})));
    await close();
  });

  afterAll(() => rmSync(crowdedHome, {recursive: true, force: true}));

  test('statistics over a thousand runs fit in a small heap', () => {
    const text = runLine('stats', '--limit', '2000', '--quiet');
    expect(text).toMatch(/^1,200 runs that ended /);
    expect(text).toMatch(/^1,200 +1,200 of 1,200 /m);
  });

  test('a list of a thousand runs fits in a small heap', () => {
    const rows: unknown = JSON.parse(
      runLine('sessions', '--all', '--limit', '2000', '--output', 'json'),
    );

    expect(rows).toHaveLength(ids.length);
  });
});
