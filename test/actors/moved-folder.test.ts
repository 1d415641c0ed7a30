/** A run whose folder was moved while it was open. */

import {existsSync, mkdirSync, mkdtempSync, renameSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {
  createFunctionModel,
  createRuntime,
  createSqliteJournal,
  type Journal,
  type Run,
  type Runtime,
} from '../../actors/index.ts';
import {answer, reply} from '../support/scenario.ts';

let place: string;
let journal: Journal;

function taskFor(id: string, dependencies: readonly string[]): object {
  const args = {path: `${id}.txt`, content: `${id}\n`};
  return {id, description: `Write ${id}`, tool: 'write_file', args, depends_on: dependencies};
}

const plan = {
  objective: 'Write two notes',
  reasoning: 'they are asked for',
  tasks: [taskFor('one', []), taskFor('two', ['one'])],
};

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'quorate-moved-'));
  mkdirSync(join(place, 'old'));
  journal = createSqliteJournal(join(place, 'journal.db'));
});

afterEach(async () => {
  await journal.close();
  rmSync(place, {recursive: true});
});

/** `isDown`: the key of the judge is refused. */
function openRuntime(isDown: () => boolean): Runtime {
  const model = createFunctionModel('test/worker', ({purpose}) => {
    if (purpose === 'plan') return reply('create_plan', plan);
    if (purpose !== 'evaluate') return answer('Nothing is here.');
    if (isDown()) return {kind: 'auth', message: 'the key is refused'};
    return reply('evaluate_result', {successful: true, problems: []});
  });
  return createRuntime({
    config: {
      agent: {
        exploration_model: 'test/worker',
        decision_model: 'test/worker',
        review_models: ['policy/safety'],
      },
    },
    models: [model],
    journal,
    env: {},
  });
}

async function suspendedRun(): Promise<string> {
  const runtime = openRuntime(() => true);
  const run = runtime.agent('Write two notes', {workspace: join(place, 'old')});
  expect((await run.result).status).toBe('waiting');
  await runtime.close();
  return run.id;
}

async function finish(run: Run): Promise<string> {
  return (await run.result).status;
}

test('it continues where the folder is now, also when it is resumed again', async () => {
  const id = await suspendedRun();
  renameSync(join(place, 'old'), join(place, 'new'));
  const down = openRuntime(() => true);
  const again = await down.resume(id, {workspace: join(place, 'new')});
  expect(await finish(again)).toBe('waiting');
  await down.close();
  const [row] = await journal.log.list();
  expect(row?.workspace).toBe(join(place, 'new'));
  const runtime = openRuntime(() => false);
  expect(await finish(await runtime.resume(id))).toBe('completed');
  expect((await runtime.replay(id)).differences).toEqual([]);
  const {files} = await runtime.undo(id);
  expect(files.map(({outcome}) => outcome)).toEqual(['removed', 'removed']);
  expect(existsSync(join(place, 'new', 'one.txt'))).toBe(false);
  await runtime.close();
});

test('it is refused in another folder while its own is still there', async () => {
  const id = await suspendedRun();
  mkdirSync(join(place, 'other'));
  const runtime = openRuntime(() => false);
  const other = runtime.resume(id, {workspace: join(place, 'other')});
  await expect(other).rejects.toThrow(/is still there; to continue it in another folder, fork it/);
  await runtime.close();
});

test('it is refused without its folder, and the message says what to do', async () => {
  const id = await suspendedRun();
  renameSync(join(place, 'old'), join(place, 'new'));
  const runtime = openRuntime(() => false);
  await expect(runtime.resume(id)).rejects.toThrow(/not a folder any more.*-C/);
  await runtime.close();
});
