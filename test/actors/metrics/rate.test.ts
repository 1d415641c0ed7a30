/** Ratings of runs: what is refused, what is kept, and that nothing else of the run receives the words. */

import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';

import {createRuntime, createSqliteJournal, type Journal} from '../../../actors/index.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {createScenario} from '../../support/scenario.ts';
import {append, closed, opened} from '../journal/entries.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-rate-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
}

async function endedIn(journal: Journal): Promise<string> {
  const {start} = createScenario({journal});
  const run = start();
  await run.result;
  return run.id;
}

test('the last rating counts, with its words and its time', async () => {
  const journal = createMemoryJournal();
  const id = await endedIn(journal);
  const runtime = createRuntime({journal, env: {}});
  await runtime.rate(id, {rating: 'down', words: ' it left the tests in place '});
  expect((await runtime.stats()).total).toMatchObject({ratedUp: 0, ratedDown: 1});
  expect(journal.reactions?.list(id)).toEqual([
    {interaction: id, kind: 'down', at: expect.any(Number), words: 'it left the tests in place'},
  ]);

  await runtime.rate(id, {rating: 'up'});
  expect((await runtime.stats()).total).toMatchObject({ratedUp: 1, ratedDown: 0});
  expect(journal.reactions?.list(id)[0]).not.toHaveProperty('words');
});

test('an unknown run, an open run and words that are too long are refused', async () => {
  const journal = createMemoryJournal();
  await append(journal, 'open', [opened], 1);
  await append(journal, 'ended', [opened, closed], 2);
  const {rate} = createRuntime({journal, env: {}});

  await expect(rate('nobody', {rating: 'up'})).rejects.toMatchObject({code: 'not_found'});
  await expect(rate('open', {rating: 'up'})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('run open has not ended'),
  });
  await expect(rate('ended', {rating: 'up', words: 'w'.repeat(2_001)})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('2000 characters'),
  });
  expect(journal.reactions?.list()).toEqual([]);
});

test('known secrets in the words are masked', async () => {
  const journal = createMemoryJournal();
  await append(journal, 'a', [opened, closed], 1);
  const secret = 'sk-canary-1f0c9a7be24d';
  const {rate} = createRuntime({journal, env: {OPENAI_API_KEY: secret}});
  await rate('a', {rating: 'down', words: `it printed ${secret}`});

  expect(JSON.stringify(journal.reactions?.list('a'))).not.toContain(secret);
});

test('no later run of the session, and no export, contains the words', async () => {
  const journal = createMemoryJournal();
  const prompts: string[] = [];
  const first = await endedIn(journal);
  const words = 'lapis lazuli';
  const {runtime} = createScenario({
    journal,
    work: (request) => {
      prompts.push(JSON.stringify(request));
      return {kind: 'ok', text: 'fine', calls: []};
    },
  });
  await runtime.rate(first, {rating: 'down', words});
  const place = {workspace: newFolder(), session: first};
  await runtime.start({form: 'agent', request: 'Do it better', ...place}).result;
  expect(prompts.join('\n')).toContain('Change the thing');
  expect(prompts.join('\n')).not.toContain(words);

  const lines = await Array.fromAsync(runtime.export(first));
  expect(lines.join('\n')).not.toContain(words);
});

test('the words of an erased run are gone from the bytes of the journal', async () => {
  const folder = newFolder();
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  const id = await endedIn(journal);
  const runtime = createRuntime({journal, env: {}});
  await runtime.rate(id, {rating: 'down', words: 'lapis lazuli'});
  const isKept = (): boolean =>
    readdirSync(folder)
      .filter((name) => name.startsWith('journal.db'))
      .some((name) => readFileSync(join(folder, name)).includes('lapis lazuli'));
  expect(isKept()).toBe(true);

  await runtime.erase(id);
  expect(isKept()).toBe(false);
  await journal.close();
});

test('an undo that takes something back is counted once, a preview is not', async () => {
  const workspace = newFolder();
  const journal = createMemoryJournal();
  const runtime = createRuntime({journal, env: {}});
  const command = `echo hello > ${join(workspace, 'hello.txt')}`;
  writeFileSync(join(workspace, 'other.txt'), 'mine');
  const run = runtime.start({form: 'command', request: command, workspace});
  await run.result;
  await runtime.undo(run.id, {dryRun: true});
  expect((await runtime.stats()).total.undone).toBe(0);

  const {files} = await runtime.undo(run.id);
  expect(files).toMatchObject([{path: 'hello.txt', outcome: 'removed'}]);
  await runtime.undo(run.id);
  expect((await runtime.stats()).total).toMatchObject({runs: 1, undone: 1});
});
