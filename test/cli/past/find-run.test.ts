import {join} from 'node:path';

import {expect, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {realPath} from '../../../actors/run/validation.ts';
import {areRuns, findOrNewest, findRow, openRuns} from '../../../cli/past/find-run.ts';
import {createLauncher} from '../../support/launch.ts';

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
