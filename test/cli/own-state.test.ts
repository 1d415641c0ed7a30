/** Runs in a folder that contains the data folder: several at once keep their locks, and the journal stays sound. */

import {existsSync, linkSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';

import {launcherProgram} from '../support/built.ts';
import {createLauncher, environmentIn} from '../support/launch.ts';

/** The data folder lies in the current folder of the program. */
function createHome() {
  const launcher = createLauncher();
  onTestFinished(launcher.remove);
  writeFileSync(join(launcher.folder, 'tea.md'), '# Tea\n\nTea is brewed for three minutes.\n');
  return launcher;
}

test('runs at once in a folder that contains the data folder keep their locks', async () => {
  const {folder, run} = createHome();
  const first = await run(['ask', 'How long is tea brewed?']);
  expect(first).toMatchObject({code: 0});
  linkSync(join(folder, 'data/journal.db'), join(folder, 'notes.md'));
  linkSync(join(folder, 'data/journal.db'), join(folder, '.env'));
  symlinkSync('data/journal.db', join(folder, 'README.md'));
  const all = await Promise.all(
    ['How long is tea brewed?', '2+3', 'What is in notes.md?', 'How long is tea brewed?'].map(
      async (question) => run(['ask', question]),
    ),
  );
  for (const {code, stderr} of all) expect({code, stderr}).toMatchObject({code: 0});
  const journal = new DatabaseSync(join(folder, 'data/journal.db'), {readOnly: true});
  onTestFinished(() => journal.close());
  expect(journal.prepare('PRAGMA integrity_check').all()).toEqual([{integrity_check: 'ok'}]);
  expect(journal.prepare('SELECT count(*) AS runs FROM interactions').get()).toEqual({runs: 5});
});

const strace = '/usr/bin/strace';

test.runIf(existsSync(strace))('no database or lock of Quorate is opened to be read', async () => {
  const {folder, run} = createHome();
  await run(['ask', '2+3']);
  linkSync(join(folder, 'data/journal.db'), join(folder, 'notes.md'));
  const trace = join(folder, 'data/trace');
  const traced = [
    '-fy',
    '-etrace=open,openat',
    `-o${trace}`,
    process.execPath,
    await launcherProgram(),
    'ask',
    'What is in notes.md?',
  ];
  await execa(strace, traced, {cwd: folder, env: environmentIn(folder, {}), extendEnv: false});
  const opened = readFileSync(trace, 'utf8').split('\n');
  const ours = opened.filter((line) => /= \d+<.*(?:\.db|-wal|-shm|\.lock|notes\.md)>$/.test(line));
  expect(ours.length).toBeGreaterThan(0);
  // SQLite opens a file to write it.
  expect(ours.filter((line) => !line.includes('O_RDWR'))).toEqual([]);
});
