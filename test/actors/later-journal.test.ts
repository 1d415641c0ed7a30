/** A run whose journal answers later, as a journal on another machine does. */

import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {
  createFunctionModel,
  createMemoryJournal,
  createRuntime,
  type Journal,
} from '../../actors/index.ts';
import {answer, reply, vote} from '../support/scenario.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-later-'));
});

afterEach(() => rmSync(folder, {recursive: true}));

async function later<T>(value: T): Promise<T> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return value;
}

/** Every operation returns a promise. */
function laterJournal(remember: Journal['children']['remember']): Journal {
  const {log, owners, inbox, children, erase, close} = createMemoryJournal();
  return {
    log: {
      append: async (batch) => await later(log.append(batch)),
      read: async (id) => await later(log.read(id)),
      salvage: async (id) => await later(log.salvage(id)),
      lengthOf: async (id) => await later(log.lengthOf(id)),
      list: async () => await later(log.list()),
    },
    owners: {
      own: async (id) => await later(owners.own(id)),
      tenureOf: async (id) => await later(owners.tenureOf(id)),
    },
    inbox: {
      post: async (id, event) => await later(inbox.post(id, event)),
      take: async (id) => await later(inbox.take(id)),
      watch: inbox.watch,
    },
    children: {
      remember,
      list: async (id) => await later(children.list(id)),
      forget: async (id) => await later(children.forget(id)),
    },
    erase,
    close,
  };
}

function commandRun(remember: Journal['children']['remember']) {
  const tasks = [
    {id: 'a', description: 'Make it', tool: 'run_command', args: {command: 'touch made'}},
  ];
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 't/w',
        decision_model: 't/w',
        review_models: ['t/w'],
        max_replans: 0,
      },
      sandbox: {mode: 'off'},
    },
    models: [
      createFunctionModel('t/w', ({purpose}) => {
        if (purpose === 'plan')
          return reply('create_plan', {objective: 'o', reasoning: 'r', tasks});
        if (purpose === 'evaluate')
          return reply('evaluate_result', {successful: true, problems: []});
        return purpose === 'explore' ? answer('nothing to know') : vote('approve');
      }),
    ],
    journal: laterJournal(remember),
    env: {},
  });
  return runtime.agent('Make the file "made" with touch', {workspace: folder});
}

test('a command does not run before its process is remembered', async () => {
  const seen: boolean[] = [];
  const run = commandRun(async () => {
    await later(undefined);
    seen.push(existsSync(join(folder, 'made')));
  });
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(seen).toEqual([false]);
  expect(existsSync(join(folder, 'made'))).toBe(true);
});

test('a command whose process could not be remembered has not run', async () => {
  const run = commandRun(async () => {
    await later(undefined);
    throw new Error('the store is gone');
  });
  const {tasks} = await run.result;
  expect(tasks).toMatchObject([{status: 'failed'}]);
  expect(JSON.stringify(tasks)).toContain('the store is gone');
  expect(existsSync(join(folder, 'made'))).toBe(false);
});
