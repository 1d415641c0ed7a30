/** Git is asked about repositories of others: nothing that they name is started. */

import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {captureBaseline, toBaseline} from '../../../tools/commands/look/git-baseline.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';
import {createGround, type Ground} from './understood.ts';

/** All programs that it names for reading its files and its index leave a mark. */
function armed(repository: string): string {
  const mark = join(repository, '.git/mark');
  const program = join(repository, '.git/program');
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  const git = (...args: readonly string[]) => execFileSync('git', args, {cwd: repository});
  for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.smudge', 'filter.x.process'])
    git('config', key, program);
  git('config', 'core.hooksPath', join(repository, '.git'));
  writeFileSync(join(repository, '.git/info/attributes'), '* filter=x\n');
  return mark;
}

test('a repository and a nested one are read without the programs that they name', async () => {
  const {workspace, git, put} = createGround();
  const nested = join(workspace, 'nested');
  mkdirSync(nested);
  execFileSync('git', ['init', '-q'], {cwd: nested});
  put('nested/a.ts');
  const marks = [armed(workspace), armed(nested)];
  const baseline = await captureBaseline(workspace);
  const {files, placeOf} = createSurroundings(workspace, baseline && (await toBaseline(baseline)));
  expect((await files())?.untracked).toEqual(['new.txt', 'nested/a.ts']);
  expect((await placeOf('src/a.ts')).state).toBe('clean');
  expect((await placeOf('nested')).state).toBe('untracked');
  expect(marks.map((mark) => existsSync(mark))).toEqual([false, false]);
  git('status');
  expect(existsSync(marks[0] ?? '')).toBe(true);
});

test.each<readonly [name: string, change: (own: Ground) => void]>([
  ['split', ({git}) => git('update-index', '--split-index')],
  ['of version 4', ({git}) => git('update-index', '--index-version=4')],
  ['sparse', ({git}) => git('sparse-checkout', 'set', '--sparse-index', 'src')],
])('an index that is %s is read', async (_, change) => {
  const own = createGround();
  change(own);
  const {files, placeOf} = createSurroundings(own.workspace);
  expect((await files())?.tracked).toContain('src/a.ts');
  expect((await placeOf('src/a.ts')).state).toBe('clean');
  expect((await placeOf('src/b.ts')).state).toBe('changed');
});

test('a staged file whose object git does not have is not clean for the run that staged it', async () => {
  const {workspace, git, put} = createGround();
  const captured = await captureBaseline(workspace);
  const baseline = captured && (await toBaseline(captured));
  put('own.txt', 'own\n');
  put('lost.txt', 'lost\n');
  git('add', 'own.txt');
  git('update-index', '--add', '--info-only', 'lost.txt');
  const {placeOf} = createSurroundings(workspace, baseline);
  expect((await placeOf('own.txt')).state).toBe('clean');
  expect((await placeOf('lost.txt')).state).toBe('changed');
});
