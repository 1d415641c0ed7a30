/** Rewinds of a run whose command has deleted, renamed, written and changed files. */

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {
  createRuntime,
  createSqliteJournal,
  type Journal,
  type Runtime,
} from '../../../actors/index.ts';
import {canConfine} from '../../tools/run/confined.ts';

const command =
  'rm gone.txt; mv old.txt new.txt; chmod +x tool.sh; echo more >> log.txt; echo x > made.txt';

describe.runIf(canConfine)('a run with a command', () => {
  let folder: string;
  let home: string;
  let journal: Journal;
  let runtime: Runtime;
  let id: string;

  const path = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  const isExecutable = (): boolean => (statSync(path('tool.sh')).mode & 0o100) !== 0;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quorate-rewind-'));
    home = mkdtempSync(join(tmpdir(), 'quorate-rewind-home-'));
    for (const name of ['gone.txt', 'old.txt', 'tool.sh', 'log.txt'])
      writeFileSync(path(name), `${name}\n`);
    chmodSync(path('tool.sh'), 0o644);
    journal = createSqliteJournal(join(home, 'journal.db'));
    runtime = createRuntime({journal, env: {PATH: process.env['PATH'] ?? ''}, cacheFolder: home});
    const run = runtime.start({form: 'command', request: command, workspace: folder});
    await run.result;
    ({id} = run);
  });

  afterEach(async () => {
    await runtime.close();
    await journal.close();
    for (const place of [folder, home]) rmSync(place, {recursive: true});
  });

  test('is taken back whole before it is run again', async () => {
    const {files: preview} = await runtime.rewind(id, {to: 0, dryRun: true});
    const outcomes = Object.fromEntries(preview.files.map((file) => [file.path, file.outcome]));
    expect(outcomes).toEqual({
      'gone.txt': 'restored',
      'old.txt': 'restored',
      'new.txt': 'removed',
      'tool.sh': 'restored',
      'log.txt': 'restored',
      'made.txt': 'removed',
    });
    const {run} = await runtime.rewind(id, {to: 0});
    expect(await run?.result).toMatchObject({status: 'completed'});
    expect(readdirSync(folder).toSorted()).toEqual(['log.txt', 'made.txt', 'new.txt', 'tool.sh']);
    expect(read('log.txt')).toBe('log.txt\nmore\n');
    expect(isExecutable()).toBe(true);
  });

  test.each([
    ['changed', () => writeFileSync(path('log.txt'), 'mine\n'), 'log.txt'],
    [
      'written in place of a deleted file',
      () => writeFileSync(path('gone.txt'), 'mine\n'),
      'gone.txt',
    ],
  ])('keeps what the user has %s since', async (_how, change, conflict) => {
    change();
    const before = readdirSync(folder).map((name) => [name, read(name)]);
    const {run, files} = await runtime.rewind(id, {to: 0});
    const left = files.files.filter(({outcome}) => outcome === 'left').map((file) => file.path);
    expect(left).toEqual([conflict]);
    expect(run).toBeUndefined();
    expect(readdirSync(folder).map((name) => [name, read(name)])).toEqual(before);
    expect(existsSync(path('old.txt'))).toBe(false);
  });

  test('is taken back although the user has deleted a file that it made', async () => {
    rmSync(path('new.txt'));
    const {run} = await runtime.rewind(id, {to: 0});
    expect(await run?.result).toMatchObject({status: 'completed'});
  });
});
