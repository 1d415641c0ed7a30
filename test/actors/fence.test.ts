/** Two runtimes over one journal on disk whose lock files are gone: the journal itself lets one of them write a run. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createSqliteJournal, type Journal} from '../../actors/index.ts';
import {answer, createScenario, reply, vote, work} from '../support/scenario.ts';

let folder: string;
const journals: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-fence-'));
});

afterEach(async () => {
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

function openJournal(): Journal {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  journals.push(journal);
  return journal;
}

/** A run that waits for its worker's model, after its lock file was removed. */
async function runWithoutLock() {
  const asked = Promise.withResolvers<undefined>();
  const answering = Promise.withResolvers<undefined>();
  const first = createScenario({
    journal: openJournal(),
    work: async (request) => {
      if (request.purpose === 'act') {
        asked.resolve(undefined);
        await answering.promise;
      }
      return work(request);
    },
  });
  const run = first.start();
  await asked.promise;
  rmSync(join(folder, 'locks'), {recursive: true});
  return {first, run, goOn: () => answering.resolve(undefined)};
}

test('a run that was taken over without a lock writes nothing more, performs nothing more, and reports the reason', async () => {
  const {first, run, goOn} = await runWithoutLock();
  const second = createScenario({journal: openJournal()});
  const successor = await second.runtime.resume(run.id);
  expect(await successor.result).toMatchObject({status: 'completed'});
  const entries = await second.runtime.entries(run.id);
  const toolsBefore = [...first.performed.tools];

  goOn();
  expect(await run.result).toMatchObject({
    status: 'error',
    resumable: true,
    error: {code: 'busy', message: expect.stringContaining('taken over by another process')},
  });
  expect(first.performed.tools).toEqual(toolsBefore);
  expect(await second.runtime.entries(run.id)).toEqual(entries);
  expect(entries.filter(({type}) => type === 'closed')).toHaveLength(1);
});

test('a run that another process is about to take over writes nothing more, and the other process ends it', async () => {
  const {first, run, goOn} = await runWithoutLock();
  const toolsBefore = [...first.performed.tools];
  const journal = openJournal();
  const second = createScenario({
    journal: {
      ...journal,
      log: {
        ...journal.log,
        salvage: async (id) => {
          const salvaged = await journal.log.salvage(id);
          goOn();
          await run.result;
          return salvaged;
        },
      },
    },
  });
  const successor = await second.runtime.resume(run.id);
  expect(await run.result).toMatchObject({
    status: 'error',
    resumable: true,
    error: {code: 'busy'},
  });
  expect(first.performed.tools).toEqual(toolsBefore);
  expect(await successor.result).toMatchObject({status: 'completed'});
});

/** A run whose files are removed while its models work for `purpose`. */
async function runThatLoses(what: string, purpose: string) {
  const scenario = createScenario({
    journal: openJournal(),
    work: (request) => {
      if (request.purpose === purpose) rmSync(join(folder, what), {recursive: true, force: true});
      return work(request);
    },
  });
  const result = await scenario.start().result;
  return {result, tools: scenario.performed.tools};
}

test.each([
  [
    'journal.db',
    'not_found',
    undefined,
    "the journal was removed while it was in use: the record of its runs is lost, and their changes on disk can't be undone; only a backup of the journal that you restore continues them",
  ],
  ['locks', 'io', true, 'the lock was removed while it was in use; put it back'],
])(
  'a run whose %s is removed begins no command and reports the removal',
  async (what, code, resumable, message) => {
    const {result, tools} = await runThatLoses(what, 'act');

    expect(result).toMatchObject({
      status: 'error',
      exitCode: 2,
      error: {code, message: expect.stringContaining(message)},
    });
    expect(result.resumable).toBe(resumable);
    expect(result.error?.message.includes('quorate resume')).toBe(resumable === true);
    expect(tools.filter((tool) => tool.startsWith('prove'))).toEqual([]);
  },
);

test('a run whose journal is removed at its end is not completed', async () => {
  const {result} = await runThatLoses('journal.db', 'evaluate');

  expect(result).toMatchObject({status: 'error', error: {code: 'not_found'}});
  expect(result.resumable).toBeUndefined();
});

test('a run that could not be opened has nothing to resume', async () => {
  const journal = openJournal();
  rmSync(join(folder, 'journal.db'));
  const result = await createScenario({journal}).start().result;

  expect(result).toMatchObject({status: 'error', error: {code: 'not_found'}});
  expect(result.resumable).toBeUndefined();
});

/** Plans one command in the folder, which all seats approve. */
function commanding(command: string) {
  const tasks = [{id: 'a', description: 'Wait', tool: 'run_command', args: {command}}];
  const {runtime} = createScenario({
    journal: openJournal(),
    config: {sandbox: {mode: 'off'}},
    work: ({purpose}) => {
      if (purpose === 'plan') return reply('create_plan', {objective: 'o', reasoning: 'r', tasks});
      return purpose === 'explore' ? answer('nothing to know') : vote('approve');
    },
  });
  return runtime;
}

test('a run whose command was ended by a process that takes it over is left to that process', async () => {
  const begun = Promise.withResolvers<undefined>();
  const first = commanding('echo begun; sleep 600');
  const run = first.agent('Say "begun", then wait', {
    workspace: folder,
    onEvent: ({type}) => {
      if (type === 'tool.output') begun.resolve(undefined);
    },
  });
  await begun.promise;
  rmSync(join(folder, 'locks'), {recursive: true});
  const successor = await commanding('true').resume(run.id);

  expect(await run.result).toMatchObject({
    status: 'error',
    resumable: true,
    error: {code: 'busy', message: expect.stringContaining('taken over')},
  });
  await successor.suspend('interrupted');
  expect((await first.entries(run.id)).filter(({type}) => type === 'closed')).toEqual([]);
});
