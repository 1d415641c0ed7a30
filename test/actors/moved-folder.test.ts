/** A run whose folder was moved while it was open. */

import {existsSync, mkdirSync, renameSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, expect, test} from 'vitest';

import type {Journal, Run} from '../../actors/index.ts';
import {folderWith, journalIn, setStage, type Stage} from '../support/stage.ts';

let place: string;
let journal: Journal;

const tasks = ['one', 'two'].map((id, at) => ({
  id,
  description: `Write ${id}`,
  tool: 'write_file',
  args: {path: `${id}.txt`, content: `${id}\n`},
  depends_on: at === 0 ? [] : ['one'],
}));

beforeEach(() => {
  place = folderWith({'old/.keep': ''});
  journal = journalIn(place);
});

/** `isDown`: the key of the judge is refused. */
function openRuntime(isDown: boolean): Stage {
  return setStage({
    folder: join(place, 'old'),
    tasks,
    say: ({purpose}) =>
      isDown && purpose === 'evaluate' ? {kind: 'auth', message: 'the key is refused'} : undefined,
    config: {agent: {review_models: ['policy/safety'], hil_mode: 'interactive'}},
    journal,
  });
}

async function suspendedRun(): Promise<string> {
  const {runtime, run} = openRuntime(true);
  const {status, interaction} = await run('Write two notes');
  expect(status).toBe('waiting');
  await runtime.close();
  return interaction;
}

async function finish(run: Run): Promise<string> {
  return (await run.result).status;
}

test('it continues where the folder is now, also when it is resumed again', async () => {
  const id = await suspendedRun();
  renameSync(join(place, 'old'), join(place, 'new'));
  const {runtime: down} = openRuntime(true);
  const again = await down.resume(id, {workspace: join(place, 'new')});
  expect(await finish(again)).toBe('waiting');
  await down.close();
  const [row] = await journal.log.list();
  expect(row?.workspace).toBe(join(place, 'new'));
  const {runtime} = openRuntime(false);
  expect(await finish(await runtime.resume(id))).toBe('completed');
  expect((await runtime.replay(id)).differences).toEqual([]);
  const {files} = await runtime.undo(id);
  expect(files.map(({outcome}) => outcome)).toEqual(['removed', 'removed']);
  expect(existsSync(join(place, 'new', 'one.txt'))).toBe(false);
});

test('it is refused in another folder while its own is still there', async () => {
  const id = await suspendedRun();
  mkdirSync(join(place, 'other'));
  const {runtime} = openRuntime(false);
  const other = runtime.resume(id, {workspace: join(place, 'other')});
  await expect(other).rejects.toThrow(/is still there; to continue it in another folder, fork it/);
});

test('it is refused without its folder, and the message says what to do', async () => {
  const id = await suspendedRun();
  renameSync(join(place, 'old'), join(place, 'new'));
  const {runtime} = openRuntime(false);
  await expect(runtime.resume(id)).rejects.toThrow(/not a folder any more.*-C/);
});
