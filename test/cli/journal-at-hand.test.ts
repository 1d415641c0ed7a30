/** A journal that is locked, or may only be read: what a person sees of it. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {launcherProgram} from '../support/built.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';

const request = 'Create a file x.txt with the content "Hello"';
let launcher: Launcher;

beforeEach(async () => {
  launcher = createLauncher();
  await launcher.perform(['-q', request]);
});

afterEach(() => launcher.remove());

test('a locked journal is told of, and Ctrl-C ends the wait at once', async () => {
  const data = join(launcher.folder, 'data');
  const other = new DatabaseSync(join(data, 'journal.db'));
  other.exec('BEGIN IMMEDIATE');
  const child = spawn(process.execPath, [await launcherProgram(), request], {
    cwd: launcher.folder,
    env: {PATH: process.env['PATH'], HOME: launcher.folder, QUORATE_HOME: data},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  let told = '';
  for await (const chunk of child.stderr) {
    const wasTold = told.includes('keeps the journal locked');
    told += String(chunk);
    if (!wasTold && told.includes('keeps the journal locked')) child.kill('SIGINT');
  }
  expect(await gone).toEqual([130, null]);
  expect(told).toMatch(/warning: another process keeps the journal locked; waiting/);
  expect(told).not.toMatch(/quorate resume/);
  other.close();
  const {stdout} = await launcher.perform(['sessions', '--output', 'json']);
  expect(JSON.parse(stdout)).toHaveLength(1);
});

/** Root may write wherever it likes. */
const nobody = process.getuid?.() === 0 ? {uid: 65_534, gid: 65_534} : {};

test.each(['show', 'sessions', 'export'])(
  '%s reads a journal that may not be written',
  async (verb) => {
    const data = join(launcher.folder, 'data');
    const {stdout: list} = await launcher.perform(['sessions', '--output', 'json']);
    const [{id}] = JSON.parse(list);
    const operands = verb === 'sessions' ? ['--all', '--output', 'json'] : [id];
    const wanted = await launcher.perform([verb, ...operands]);
    for (const file of readdirSync(data)) chmodSync(join(data, file), 0o555);
    for (const folder of [launcher.folder, data]) chmodSync(folder, 0o555);
    const child = spawn(process.execPath, [await launcherProgram(), verb, ...operands], {
      ...nobody,
      cwd: launcher.folder,
      env: {PATH: process.env['PATH'], HOME: launcher.folder, QUORATE_HOME: data},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(child, 'exit');
    const [stdout, stderr] = await Promise.all(
      [child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join('')),
    );
    for (const folder of [launcher.folder, data]) chmodSync(folder, 0o755);
    expect({code: (await gone)[0], stdout, stderr}).toEqual({
      code: 0,
      stdout: wanted.stdout,
      stderr: '',
    });
  },
);
