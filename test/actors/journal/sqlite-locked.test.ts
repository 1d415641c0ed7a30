/** A journal that another process keeps locked: nothing is lost, blocked or reordered. */

import {type ChildProcessByStdio, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import type {Readable, Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';

import {afterEach, beforeEach, expect, test, vi} from 'vitest';

import type {Awaitable, Journal, LocalJournal} from '../../../actors/journal/journal.ts';
import {createSqliteJournal, type SqliteOptions} from '../../../actors/journal/sqlite.ts';
import {append, attempt, closed, messagesFor, opened, settled} from './entries.ts';

const SCRIPT = fileURLToPath(new URL('journal-child.ts', import.meta.url));
type Child = ChildProcessByStdio<Writable, Readable, null>;

let folder: string;
let path: string;
const journals: Journal[] = [];
const children: Child[] = [];

vi.setConfig({testTimeout: 60_000});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'journal.db');
});

afterEach(async () => {
  for (const child of children.splice(0)) await unlock(child);
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

test('appends wait in their order without blocking the event loop', async () => {
  const journal = create();
  await journal.owners.own('a');
  await append(journal, 'a', [opened], 1);
  const child = await lock();
  const delays = monitorEventLoopDelay({resolution: 5});
  delays.enable();
  const keys = Array.from({length: 20}, (_, index) => `${index}`);
  const appends = keys.map((key) => append(journal, 'a', [settled(key)], 2));
  await ticks(200);
  expect(await journal.log.read('a')).toHaveLength(1);
  delays.disable();
  await unlock(child);
  await Promise.all(appends);

  // Single turns are as long as the load of the machine makes them.
  expect(delays.percentile(50) / 1e6).toBeLessThan(250);
  expect((await journal.log.read('a')).slice(1)).toMatchObject(keys.map((key) => ({key})));
});

test('ownership, messages and child processes also wait, and then succeed', async () => {
  const journal = create();
  const child = await lock();
  const notified = new Promise<void>((resolve) => {
    journal.inbox.watch('a', resolve);
  });
  const owned = attempt(() => journal.owners.own('a'));
  const posted = attempt(() => journal.inbox.post('a', {n: 1}));
  const forgotten = attempt(() => journal.host.children.forget('a'));
  await ticks(20);
  await unlock(child);
  await Promise.all([posted, forgotten, notified]);

  expect(await messagesFor(journal, 'a')).toEqual([{n: 1}]);
  await expect(attempt(() => create().owners.own('a'))).rejects.toThrow(
    /being run by this process/,
  );
  await (await owned).release();
  await expect(attempt(() => create().owners.own('a'))).resolves.toBeDefined();
});

test('remembering a child process fails at once', async () => {
  const journal = create();
  await lock();

  expect((): Awaitable<void> => journal.host.children.remember('a', 4711, 'Mon')).toThrow(
    expect.objectContaining({code: 'io', message: expect.stringMatching(/journal locked/)}),
  );
});

test('a lock that outlasts the patience fails all waiting operations, names the run, and leaves no gap', async () => {
  const journal = create({patienceMs: 300});
  await journal.owners.own('a');
  await append(journal, 'a', [opened], 1);
  const child = await lock();
  const failures = await Promise.allSettled(
    ['1', '2'].map((key) => append(journal, 'a', [settled(key)], 2)),
  );
  await unlock(child);
  await append(journal, 'a', [closed], 3);

  for (const failure of failures) {
    expect(failure).toMatchObject({
      reason: {code: 'io', message: expect.stringMatching(/locked for .* quorate resume a$/)},
    });
  }
  expect(await journal.log.read('a')).toMatchObject([{type: 'opened'}, {type: 'closed', seq: 1}]);
});

test('an operation that is aborted while it waits takes nothing, and no operation waits for it', async () => {
  const journal = create();
  const child = await lock();
  const impatience = new AbortController();
  const owned = attempt(() => journal.owners.own('a', impatience.signal));
  impatience.abort();
  await expect(owned).rejects.toThrow(/aborted/);
  await expect(attempt(() => journal.owners.own('a', impatience.signal))).rejects.toThrow(
    /aborted/,
  );
  await journal.close();
  await unlock(child);
  expect(await create().owners.tenureOf('a')).toBe('free');
});

test('a long wait is reported once, a short one never', async () => {
  const onLocked = vi.fn<() => void>();
  const journal = create({onLocked});
  const first = await lock();
  const short = attempt(() => journal.owners.own('a'));
  await ticks(5);
  await unlock(first);
  await short;
  expect(onLocked).not.toHaveBeenCalled();
  const second = await lock();
  const long = attempt(() => journal.owners.own('b'));
  await vi.waitFor(() => expect(onLocked).toHaveBeenCalled(), {timeout: 30_000});
  await ticks(20);
  await unlock(second);
  await long;
  expect(onLocked).toHaveBeenCalledTimes(1);
});

test('a journal that is closed while an operation waits closes after it', async () => {
  const journal = create();
  const child = await lock();
  const appended = append(journal, 'a', [opened], 1);
  const closing = attempt(() => journal.close());
  await unlock(child);
  await Promise.all([appended, closing]);

  expect(await create().log.read('a')).toHaveLength(1);
});

/** Waits for `count` turns of the event loop, 10 ms apart, long enough to detect a blocked loop. */
async function ticks(count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let left = count;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      resolve();
    }, 10);
  });
}

function create(options: SqliteOptions = {}): LocalJournal {
  const journal = createSqliteJournal(path, options);
  journals.push(journal);
  return journal;
}

/** Another process, which holds the lock of the database when this resolves. */
async function lock(): Promise<Child> {
  const child = spawn(process.execPath, [SCRIPT, 'lock', path, 'x'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function unlock(child: Child): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.stdin.end();
  await gone;
}
