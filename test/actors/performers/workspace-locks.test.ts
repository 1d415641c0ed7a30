/** Locks of workspaces: between the runs of a process, and between processes. */

import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {createWorkspaceLocks} from '../../../actors/performers/workspace-locks.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'locks-'));
});

afterEach(() => {
  rmSync(folder, {recursive: true, force: true});
});

function waitingFor(signal = new AbortController().signal) {
  const {promise: busy, resolve} = Promise.withResolvers<string>();
  return {busy, wait: {signal, onBusy: () => resolve('busy')}};
}

test.each(['with lock files', 'in memory'])(
  '%s, the second run receives the folder when the first releases it, and reports that it waits',
  async (how) => {
    const locks = createWorkspaceLocks(how === 'in memory' ? undefined : folder);
    const [first, second] = [waitingFor(), waitingFor()];
    expect(await locks.lock('a', '/w', first.wait)).toEqual({locked: true});
    const later = locks.lock('b', '/w', second.wait);
    expect(await Promise.race([second.busy, later])).toBe('busy');
    locks.unlock('a');
    expect(await later).toEqual({locked: true});
    locks.unlock('b');
  },
);

test('a run can lock its folder again; other folders are free', async () => {
  const locks = createWorkspaceLocks(folder);
  expect(await locks.lock('a', '/w', waitingFor().wait)).toEqual({locked: true});
  expect(await locks.lock('a', '/w', waitingFor().wait)).toEqual({locked: true});
  expect(await locks.lock('b', '/other', waitingFor().wait)).toEqual({locked: true});
  for (const run of ['a', 'b']) locks.unlock(run);
});

test('a wait that is aborted holds nothing, and delays no other run', async () => {
  const locks = createWorkspaceLocks(folder);
  await locks.lock('a', '/w', waitingFor().wait);
  const patience = new AbortController();
  const second = locks.lock('b', '/w', waitingFor(patience.signal).wait);
  const third = locks.lock('c', '/w', waitingFor().wait);
  patience.abort();
  expect(await second).toMatchObject({locked: false});
  locks.unlock('a');
  expect(await third).toEqual({locked: true});
  locks.unlock('c');
});

test('a folder that another process holds is free after its release', async () => {
  const locks = createWorkspaceLocks(folder);
  await locks.lock('a', '/w', waitingFor().wait);
  locks.unlock('a');
  const [file = ''] = readdirSync(folder);
  const other = new DatabaseSync(join(folder, file));
  other.exec('BEGIN EXCLUSIVE');
  const {busy, wait} = waitingFor();
  const later = locks.lock('b', '/w', wait);
  expect(await Promise.race([busy, later])).toBe('busy');
  other.close();
  expect(await later).toEqual({locked: true});
  locks.unlock('b');
});
