/** The past of runs, as a person uses it: `verify -v`, `show`, `fork`, `undo`, and how a run is found. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {realPath} from '../../../actors/run/validation.ts';
import {performLine} from '../../../cli/main.ts';
import {areRuns, findOrNewest, findRow, openRuns} from '../../../cli/past/find-run.ts';
import {createLauncher} from '../../support/launch.ts';
import {createTestTerminal} from '../gate/person.ts';
import {setStage} from '../stage.ts';

describe('moments', () => {
  const {at, launch, launcher, written} = setStage();

  const note = (): string => at('work/notes.txt');

  test('verify says that the replay holds, and lists the points with -v', async () => {
    const id = await written();
    const {code, stdout} = await launch('verify', '-v', id);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ replay +the charts reach the recorded states/);
    expect(stdout).toMatch(/^ {2}plan\.1 {2}0–3\n {2}vote\.1 {2}2–5\n/m);
    const json = JSON.parse((await launch('verify', id, '--output', 'json')).stdout);
    expect(json.checks.find(({check}: {check: string}) => check === 'replay')).toMatchObject({
      points: expect.arrayContaining([{name: 'plan.1', before: 0, after: 3}]),
    });
  });

  test('show --at shows the states at that moment, and how to continue from it', async () => {
    const id = await written();
    const {code, stdout, stderr} = await launch('show', id, '--at', 'plan.1');
    expect({code, stdout}).toMatchObject({code: 0});
    expect(stdout).toMatch(/^as it was after entry 3, /m);
    expect(stdout).toMatch(/form {2}reviewingPlan/);
    expect(stderr).toContain(`quorate fork ${id} --at 3`);
    expect(stdout).not.toContain('completed');
    const {moment, status} = JSON.parse(
      (await launch('show', id, '--at', '3', '--output', 'json')).stdout,
    );
    expect(moment).toMatchObject({entry: 3});
    expect(status).toBeUndefined();
  });

  test('show --from --to shows states, decisions and files between two points', async () => {
    const id = await written();
    const {stdout} = await launch('show', id, '--from', 'plan.1', '--to', 'task:create');
    expect(stdout).toMatch(/^from entry 3 to entry \d+\n/);
    expect(stdout).toMatch(/reviewingPlan → /);
    expect(stdout).toMatch(/quorum\.decided/);
    expect(stdout).toMatch(/^ {2}\+ notes\.txt$/m);
  });

  test.each([
    [['fork'], /needs the ID of a run/],
    [['fork', 'nobody'], /needs a point: --at 12/],
    [['fork', 'ID', '--at', 'plan.9'], /not a point of this run.*it has plan\.1/],
    [['fork', 'ID', '--at', '1', '--say', ' '], /--say is empty/],
    [['fork', 'ID', '--files', '--yes'], /needs a point: --at 12/],
    [
      ['fork', 'ID', '--at', '1', '--files'],
      /without a terminal, quorate fork --files needs --yes/,
    ],
    [['fork', 'ID', '--at', '1', '--dry-run'], /--dry-run is for quorate fork --files/],
    [['show', 'ID', '--at', '999'], /there is no entry 999/],
    [['show', 'ID', '--at', '1', '--to', '2'], /--at shows one point/],
  ])('%j is refused with a reason', async (args, reason) => {
    const id = await written();
    const {code, stderr} = await launch(...args.map((arg) => (arg === 'ID' ? id : arg)));
    expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringMatching(reason)});
  });

  describe('fork', () => {
    test('continues in a copy of the folder with -C, and names its origin', async () => {
      const id = await written();
      const copy = at('copy');
      mkdirSync(copy);
      const {code, stdout, stderr} = await launcher.perform([
        '-C',
        copy,
        'fork',
        id,
        '--at',
        'plan.1',
      ]);
      expect(code).toBe(0);
      expect(stderr).toMatch(
        new RegExp(`^[a-z0-9]{12}, forked from ${id} after entry 0, in `, 'm'),
      );
      expect(readFileSync(join(copy, 'notes.txt'), 'utf8')).toContain('Hello');
      const fork = /^([a-z0-9]{12}) · /m.exec(stdout)?.[1] ?? '';
      expect((await launch('show', fork)).stdout).toContain(`forked from run ${id} after entry 0`);
      expect((await launch('verify', fork)).code).toBe(0);
    });
  });

  describe('fork --files', () => {
    test('takes the file back and continues in the same folder', async () => {
      const id = await written();
      const preview = await launch('fork', id, '--at', 'plan.1', '--files', '--dry-run');
      expect(preview).toMatchObject({code: 0, stdout: expect.stringContaining('would be removed')});
      expect(existsSync(note())).toBe(true);
      const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
      expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('completed')});
      expect(existsSync(note())).toBe(true);
    });

    test('changes nothing when the user has changed the file since', async () => {
      const id = await written();
      writeFileSync(note(), 'mine');
      const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /Nothing was changed: .*\n.*\n.*notes\.txt: something else has changed/,
      );
      expect(readFileSync(note(), 'utf8')).toBe('mine');
    });
  });
});

describe('undo', () => {
  const {at, launch, launcher, run, workspace, written} = setStage();

  test('the writes of a run are listed, undone, and reported when they cannot be', async () => {
    const notes = join(workspace(), 'notes.txt');
    const id = await written();

    const dry = await launch('undo', id, '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      `${id} in ${workspace()}\n  would be removed   notes.txt\n`,
    ]);
    expect(readFileSync(notes, 'utf8')).toBe('Hello\n');

    expect((await launch('undo', id)).stdout).toBe(
      `${id} in ${workspace()}\n  removed    notes.txt\n`,
    );
    expect(existsSync(notes)).toBe(false);
    expect((await launch('undo', id)).stdout).toContain('as before  notes.txt');

    writeFileSync(notes, 'mine');
    const left = await run('undo', id, '--output', 'json');
    expect([left.code, left.stderr]).toEqual([1, '']);
    expect(JSON.parse(left.stdout)).toMatchObject({
      interaction: id,
      files: [{path: 'notes.txt', outcome: 'left', why: 'something else has changed it since'}],
      commands: 0,
      isOpen: false,
    });
    expect(readFileSync(notes, 'utf8')).toBe('mine');
  });

  test('show, recount, export and undo --dry-run without an ID use the newest run of this folder', async () => {
    const id = await written();
    expect((await launch('show')).stdout).toContain(`${id} agent · `);
    expect((await launch('recount')).stdout).toContain(id);
    expect(JSON.parse((await launch('export')).stdout.split('\n')[0] ?? '')).toMatchObject({
      type: 'opened',
    });
    expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
  });

  test('undo without an ID is a usage error if no person can be asked', async () => {
    await written();
    const {code, stderr} = await launch('undo');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('quorate undo needs the ID of a run'),
    ]);
    expect(existsSync(join(workspace(), 'notes.txt'))).toBe(true);
  });

  test.each([
    ['y', 0, false],
    ['n', 1, true],
    ['', 1, true],
  ])('undo without an ID asks on a terminal, and %j exits %i', async (answer, code, isKept) => {
    await written();
    const {input, output, sees, type} = createTestTerminal();
    const env = {HOME: launcher.folder, QUORATE_HOME: at('data')};
    const exit = performLine(['-C', workspace(), 'undo'], {
      stdin: input,
      stdout: output,
      stderr: output,
      env,
    });
    await sees('[y/N] ');
    type(`${answer}\r`);
    if (isKept) await sees('nothing was undone');
    expect(await exit).toBe(code);
    expect(existsSync(join(workspace(), 'notes.txt'))).toBe(isKept);
  });

  test('undo without an ID skips newer runs that wrote nothing, and reports when none did', async () => {
    await launch('-q', 'Run the tests');
    const none = await launch('undo', '--dry-run');
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain(`no run in ${workspace()} has written a file`);

    await written();
    await launch('-q', 'Run the tests');
    expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
  });
});

test('a file that a run has made is listed once, with its lines and its diff', async () => {
  const launcher = createLauncher();
  onTestFinished(() => launcher.remove());
  const workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
  const request = 'Create a file notes.txt with the content "Hello"';
  expect(await launcher.perform(['-C', workspace, request])).toMatchObject({code: 0});
  const {stdout} = await launcher.perform(['-C', workspace, 'show']);
  expect(stdout).toContain('\nChanges\n  notes.txt +1 −0\n    @@ -0,0 +1,1 @@\n    +Hello\n');
  expect(stdout.split('notes.txt +1 −0')).toHaveLength(2);
  expect(stdout).not.toContain('\nWritten\n');
});

test('a run is found by its ID or a unique beginning of it', async () => {
  const journal = createMemoryJournal();
  for (const id of ['ab', 'abc1', 'abd2']) {
    journal.log.append([
      {interaction: id, at: 1, bodies: [{type: 'opened', input: {}, version: 'v'}]},
    ]);
  }
  expect((await findRow(journal, 'abc')).id).toBe('abc1');
  expect((await findRow(journal, 'ab')).id).toBe('ab');
  await expect(findRow(journal, 'a')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^a is the beginning of 3 runs: .*ab.*; type more of it$/),
  });
  await expect(findRow(journal, '')).rejects.toMatchObject({code: 'not_found'});
  await expect(findRow(journal, 'x')).rejects.toMatchObject({code: 'not_found'});
});

test('the open runs of a folder are the ones without a running process, the newest first', async () => {
  const journal = createMemoryJournal();
  const place = realPath(import.meta.dirname);
  for (const [id, workspace] of [
    ['older', place],
    ['newer', place],
    ['elsewhere', '/elsewhere'],
  ] as const) {
    const input = {form: 'agent', request: 'x', workspace};
    journal.log.append([{interaction: id, at: 1, bodies: [{type: 'opened', input, version: 'v'}]}]);
  }
  const owned = journal.owners.own('newer');
  expect(await openRuns(journal, place)).toMatchObject([{id: 'older'}]);
  await owned.release();
  expect(await openRuns(journal, place)).toMatchObject([{id: 'newer'}, {id: 'older'}]);
  journal.owners.own('newer');
  journal.owners.own('older');
  await expect(openRuns(journal, place)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/^every open run in /),
  });
});

test('without an ID the newest run of the folder is used, ended or not', async () => {
  const journal = createMemoryJournal();
  const place = realPath(import.meta.dirname);
  for (const [id, workspace] of [
    ['older', place],
    ['newer', place],
    ['elsewhere', '/elsewhere'],
  ] as const) {
    const input = {form: 'agent', request: 'x', workspace};
    journal.log.append([{interaction: id, at: 1, bodies: [{type: 'opened', input, version: 'v'}]}]);
  }
  expect((await findOrNewest(journal, undefined, place)).id).toBe('newer');
  expect((await findOrNewest(journal, 'old', place)).id).toBe('older');
  await expect(findOrNewest(journal, undefined, '/')).rejects.toMatchObject({
    code: 'not_found',
    message: 'there is no run in /; quorate runs --all lists those of every folder',
  });
});

test('the beginning of an ID counts as one only if a run has it', async () => {
  const launcher = createLauncher();
  try {
    const request = 'Create a file x.txt with the content "Hello"';
    const made = await launcher.perform(['--output', 'json', request]);
    const {interaction} = JSON.parse(made.stdout);
    const env = {QUORATE_HOME: join(launcher.folder, 'data')};
    const start = interaction.slice(0, 8);
    expect(await areRuns([start, `${start}.1`], env)).toBe(true);
    expect(await areRuns([start, 'utf8'], env)).toBe(false);
    expect(await areRuns([start], {QUORATE_HOME: join(launcher.folder, 'none')})).toBe(false);
  } finally {
    launcher.remove();
  }
});
