/** `quorate undo`, as a person uses it. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';

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

test('what a run wrote is listed, taken back, and told when it can not be', async () => {
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
