/** A run whose journal answers later, as a journal on another machine does. */

import {existsSync} from 'node:fs';

import {expect, test} from 'vitest';

import {createMemoryJournal, type Journal} from '../../actors/index.ts';
import {setStage, type Stage} from '../support/stage.ts';

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

function making(remember: Journal['children']['remember']): Stage {
  return setStage({
    tasks: [{id: 'a', description: 'Make it', tool: 'run_command', args: {command: 'touch made'}}],
    config: {
      agent: {review_models: ['t/a'], max_replans: 0, hil_mode: 'interactive'},
      sandbox: {mode: 'off'},
    },
    journal: laterJournal(remember),
  });
}

const wish = 'Make the file "made" with touch';

test('a command does not run before its process is remembered', async () => {
  const seen: boolean[] = [];
  const {run, at} = making(async () => {
    await later(undefined);
    seen.push(existsSync(at('made')));
  });
  expect(await run(wish)).toMatchObject({status: 'completed'});
  expect(seen).toEqual([false]);
  expect(existsSync(at('made'))).toBe(true);
});

test('a command whose process could not be remembered has not run', async () => {
  const {run, at} = making(async () => {
    await later(undefined);
    throw new Error('the store is gone');
  });
  const {tasks} = await run(wish);
  expect(tasks).toMatchObject([{status: 'failed'}]);
  expect(JSON.stringify(tasks)).toContain('the store is gone');
  expect(existsSync(at('made'))).toBe(false);
});
