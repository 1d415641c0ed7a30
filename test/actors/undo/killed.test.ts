/** The changes of a command whose process was killed while it ran. */

import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createRuntime, createSqliteJournal} from '../../../actors/index.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-killed-'));
  mkdirSync(join(folder, 'work'));
});
afterEach(() => rmSync(folder, {recursive: true}));

test('they are kept when the run is taken over, with the command as the effect that made them', async () => {
  const notes = join(folder, 'work/notes.txt');
  writeFileSync(notes, 'mine\n');
  const child = fileURLToPath(new URL('killed-child.ts', import.meta.url));
  const {signal} = spawnSync(process.execPath, [child, folder], {stdio: 'inherit'});
  expect([signal, readFileSync(notes, 'utf8')]).toEqual(['SIGKILL', 'changed\n']);

  const journal = createSqliteJournal(join(folder, 'data/journal.db'));
  const runtime = createRuntime({journal, cacheFolder: join(folder, 'cache'), env: {}});
  const [first] = await runtime.interactions();
  const id = first?.id ?? '';
  await runtime.cancel(id);
  const begun = (await runtime.entries(id)).flatMap((entry) =>
    entry.type === 'requested' ? [entry.key] : [],
  );
  expect(begun).toHaveLength(1);
  expect(await journal.backups?.list(id)).toMatchObject([{path: 'notes.txt', effect: begun[0]}]);

  await runtime.undo(id);
  expect(readFileSync(notes, 'utf8')).toBe('mine\n');
  await runtime.close();
  await journal.close();
});
