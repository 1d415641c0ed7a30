/** `quorate undo`, as a person uses it. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {performLine} from '../../../cli/main.ts';
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

test('the writes of a run are listed, undone, and reported when they cannot be', async () => {
  const notes = join(workspace, 'notes.txt');
  const made = await launch('-q', 'Create a file notes.txt with the content "Hello"');
  expect(made.code).toBe(0);
  const id = /^([a-z0-9]{12}) · /m.exec(made.stdout)?.[1] ?? '';

  const dry = await launch('undo', id, '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([
    0,
    `${id} in ${workspace}\n  would be removed   notes.txt\n`,
  ]);
  expect(readFileSync(notes, 'utf8')).toBe('Hello\n');

  expect((await launch('undo', id)).stdout).toBe(`${id} in ${workspace}\n  removed    notes.txt\n`);
  expect(existsSync(notes)).toBe(false);
  expect((await launch('undo', id)).stdout).toContain('as before  notes.txt');

  writeFileSync(notes, 'mine');
  const left = await launcher.run(['-C', workspace, 'undo', id, '--output', 'json']);
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
  const made = await launch('-q', 'Create a file notes.txt with the content "Hello"');
  const id = /^([a-z0-9]{12}) · /m.exec(made.stdout)?.[1] ?? '';
  expect((await launch('show')).stdout).toContain(`${id} agent · `);
  expect((await launch('recount')).stdout).toContain(id);
  expect(JSON.parse((await launch('export')).stdout.split('\n')[0] ?? '')).toMatchObject({
    type: 'opened',
  });
  expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
});

test('undo without an ID is a usage error if no person can be asked', async () => {
  await launch('-q', 'Create a file notes.txt with the content "Hello"');
  const {code, stderr} = await launch('undo');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('quorate undo needs the ID of a run'),
  ]);
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(true);
});

test.each([
  ['y', 0, false],
  ['n', 1, true],
  ['', 1, true],
])('undo without an ID asks on a terminal, and %j exits %i', async (answer, code, isKept) => {
  await launch('-q', 'Create a file notes.txt with the content "Hello"');
  const {input, output, sees, type} = createTestTerminal();
  const env = {HOME: launcher.folder, QUORATE_HOME: join(launcher.folder, 'data')};
  const exit = performLine(['-C', workspace, 'undo'], {
    stdin: input,
    stdout: output,
    stderr: output,
    env,
  });
  await sees('[y/N] ');
  type(`${answer}\r`);
  if (isKept) await sees('nothing was undone');
  expect(await exit).toBe(code);
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(isKept);
});

test('undo without an ID skips newer runs that wrote nothing, and reports when none did', async () => {
  await launch('-q', 'Run the tests');
  const none = await launch('undo', '--dry-run');
  expect([none.code, none.stdout]).toEqual([2, '']);
  expect(none.stderr).toContain(`no run in ${workspace} has written a file`);

  await launch('-q', 'Create a file notes.txt with the content "Hello"');
  await launch('-q', 'Run the tests');
  expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
});
