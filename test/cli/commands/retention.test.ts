/** `prune` and `doctor --runs`, as a person uses them. */

import {existsSync, mkdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {performLine} from '../../../cli/main.ts';
import {appendEntries, markImported} from '../../actors/journal/entries.ts';
import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';
import {createTestTerminal} from '../gate/person.ts';

let launcher: Launcher;
let workspace: string;

beforeEach(() => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
});
afterEach(() => launcher.remove());

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, ...args]);
}

async function written(): Promise<string> {
  const made = await launch('-q', 'Create a file notes.txt with the content "Hello"');
  return /^([a-z0-9]{12}) · /m.exec(made.stdout)?.[1] ?? '';
}

/** An open run: the first lines of an ended one. */
async function openRun(lines = 1): Promise<string> {
  const id = await written();
  const {stdout} = await launch('export', id);
  await launch('prune', id, '--yes');
  const entries = stdout
    .split('\n')
    .slice(0, lines)
    .map((line) => JSON.parse(line));
  const journal = createSqliteJournal(join(launcher.folder, 'data/journal.db'));
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
  const db = new DatabaseSync(join(launcher.folder, home, 'journal.db'), {readOnly: true});
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
  const env = {HOME: launcher.folder, QUORATE_HOME: join(launcher.folder, 'data')};
  const exit = performLine(args, {stdin: input, stdout: output, stderr: output, env});
  await sees('[y/N] ');
  await meanwhile?.();
  type(`${text}\r`);
  return {code: await exit, screen: screen()};
}

test('a run that was recorded elsewhere is listed and read, but not continued', async () => {
  const id = await openRun();
  rmSync(join(workspace, 'notes.txt'));
  markImported(join(launcher.folder, 'data/journal.db'));
  expect(await listed()).toMatchObject([{id, state: 'imported', imported: true}]);
  expect((await launch('show', id)).stdout).not.toContain('quorate resume');
  expect(await launch('resume')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`no run is open in ${workspace}`),
  });
  for (const verb of ['resume', 'undo']) {
    expect(await launch(verb, id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was recorded elsewhere'),
    });
  }
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(false);
});

test.each([
  ['export', '--backups'],
  ['export', '--redact'],
  ['inspect', '--redact'],
])('%s %s is not there', async (...args) => {
  expect(await launch(...args, 'x')).toMatchObject({code: 2});
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
    expect(readFileSync(join(workspace, 'notes.txt'), 'utf8')).toBe('Hello\n');
  });

  test('without a terminal needs --yes', async () => {
    const id = await written();
    expect(await launch('prune', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('quorate prune needs --yes'),
    });
    expect(await launch('prune', id, '--yes', '--output', 'json')).toMatchObject({
      code: 0,
      stdout: `{"erased":["${id}"]}\n`,
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

  test.each([
    [['prune', '--yes'], 'needs an ID or a criterion: --older AGE, --larger SIZE or --form FORM'],
    [['prune', 'abc', '--older', '30d', '--yes'], 'takes IDs or criteria, not both'],
    [['prune', '--older', '30d'], 'without a terminal, quorate prune needs --yes'],
    [['prune', '--older', '30', '--yes'], '--older takes an age such as 12h, 30d or 8w, not "30"'],
    [['prune', '--larger', 'big', '--yes'], '--larger takes a size such as 500kb, 10mb or 1gb'],
    [['prune', '--form', 'agnet', '--yes'], 'did you mean "agent"?'],
  ])('%j is a usage error', async (args, message) => {
    expect(await launch(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});

describe('doctor --runs', () => {
  test('lists the open runs that this version can not resume, and changes nothing', async () => {
    const id = await openRun(3);
    expect((await launch('doctor', '--runs')).stdout).not.toContain(id);
    const journal = createSqliteJournal(join(launcher.folder, 'data/journal.db'));
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
    rmSync(join(workspace, 'notes.txt'));
    expect((await launch('-q', 'fork', id, '--at', '2')).code).toBe(0);
    expect(existsSync(join(workspace, 'notes.txt'))).toBe(true);
    for (const verb of ['show', 'export', 'cancel']) expect((await launch(verb, id)).code).toBe(0);
  });
});

describe('a journal of a newer version', () => {
  test.each([
    ['prune', 'ID', '--yes'],
    ['prune', '--older', '1d', '--yes'],
  ])('is left unchanged by %s', async (verb, ...args) => {
    const id = await written();
    const path = join(launcher.folder, 'data/journal.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const before = [journalIn('data'), statSync(path).size];

    const words = args.map((arg) => (arg === 'ID' ? id : arg));
    expect(await launch(verb, ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/newer version \(schema 99.*upgrade/),
    });
    expect([journalIn('data'), statSync(path).size]).toEqual(before);
  });
});
