/** The journal on disk, shared by processes that may be killed at any moment, on disks that may be full. */

import {execFileSync, spawn, type ChildProcessByStdio} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Readable, Writable} from 'node:stream';
import {fileURLToPath} from 'node:url';

import {afterEach, beforeEach, expect, test, vi} from 'vitest';

import type {Journal, Ownership} from '../../../actors/journal/journal.ts';
import {clearUnlessHeld} from '../../../actors/journal/sqlite-owners.ts';
import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {isDeep} from '../../support/depth.ts';
import {append, attempt, messagesFor, opened, settled} from './entries.ts';

const SCRIPT = fileURLToPath(new URL('journal-child.ts', import.meta.url));
type Child = ChildProcessByStdio<Writable, Readable, null>;

let folder: string;
let path: string;
const journals: Journal[] = [];
const children: Child[] = [];

// Each commit waits for the disk, which may be busy.
vi.setConfig({testTimeout: 60_000});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  path = join(folder, 'journal.db');
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const journal of journals.splice(0)) await journal.close();
  rmSync(folder, {recursive: true});
});

test('a killed owner loses its interaction at once, and its lock file is removed', async () => {
  const child = start('own', 'a');
  await line(child);
  const journal = create();

  await expect(own(journal, 'a')).rejects.toThrow(
    expect.objectContaining({
      code: 'busy',
      message: expect.stringContaining(`process ${child.pid}`),
    }),
  );
  await expect(own(journal, 'b')).resolves.toBeDefined();
  expect(await journal.owners.tenureOf('a')).toBe('owned');
  await kill(child);
  expect(await journal.owners.tenureOf('a')).toBe('abandoned');
  await expect(own(journal, 'a')).resolves.toBeDefined();
  expect(readdirSync(join(folder, 'locks'))).toHaveLength(1);
});

test('the next process removes locks of dead processes, even of interactions that it does not use', async () => {
  const child = start('own', 'a');
  await line(child);
  await kill(child);
  const journal = create();
  await own(journal, 'other');

  expect(readdirSync(join(folder, 'locks'))).toHaveLength(1);
  await expect(own(journal, 'a')).resolves.toBeDefined();
});

test('an owner that closes its journal frees the interaction for others', async () => {
  const child = start('own', 'a');
  await line(child);
  child.stdin.end();
  await once(child, 'exit');

  await expect(own(create(), 'a')).resolves.toBeDefined();
});

test('no acknowledged entry is lost when the writer is killed in the middle of its appends', async () => {
  const child = start('append', 'a', 1_000_000);
  const acknowledged: string[] = [];
  createInterface({input: child.stdout}).on('line', (text) => {
    if (acknowledged.push(text) === 40) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const entries = await create().log.read('a');

  expect(child.signalCode).toBe('SIGKILL');
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  expect(entries.length).toBeGreaterThanOrEqual(Number(acknowledged.at(-1)));
  const next = create();
  await append(next, 'a', [settled('after')], 1);
  expect((await next.log.read('a')).at(-1)).toMatchObject({seq: entries.length, key: 'after'});
});

test('processes that create the journal together and write at the same time keep all entries', async () => {
  const writers = ['a', 'b', 'c'].map((id) => start('append', id, 10));
  const codes = await Promise.all(
    writers.map(async (child) => {
      child.stdout.resume();
      return once(child, 'exit');
    }),
  );
  const journal = create();

  expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
  for (const id of ['a', 'b', 'c']) expect(await journal.log.read(id)).toHaveLength(11);
  expect(await journal.log.list()).toHaveLength(3);
  expect(readdirSync(folder).filter((file) => file.endsWith('.new'))).toEqual([]);
});

test('a message from another process reaches the watcher', async () => {
  const journal = create();
  const notified = new Promise<void>((resolve) => {
    journal.inbox.watch('a', resolve);
  });
  start('post', 'a');
  await notified;

  expect(await messagesFor(journal, 'a')).toEqual([{from: 'child'}]);
});

test('an append beyond the file size limit fails as a whole, and the next one works', async () => {
  const command = `ulimit -f 2000; exec "$0" "$@"`;
  const args = ['-c', command, process.execPath, SCRIPT, 'overflow', path, 'a', '4000000'];
  const [failure = '', seqs = ''] = execFileSync('bash', args, {encoding: 'utf8'}).split('\n');

  expect(failure).toMatch(/AppError: .*journal\.db: .*(free some space|check the disk)/);
  expect(seqs).toBe('[0,1]');
  expect(await create().log.read('a')).toMatchObject([{type: 'opened'}, {type: 'settled'}]);
});

test.skipIf(!canMount())(
  'a full disk fails an append as a whole, and the next one works after space was freed',
  async () => {
    const disk = mountDisk('size=4m');
    try {
      path = join(disk, 'data', 'journal.db');
      const journal = create();
      await append(journal, 'a', [opened], 1);
      fill(join(disk, 'ballast'));

      const big = [settled('big', 'x'.repeat(500_000))];
      await expect(append(journal, 'a', big, 2)).rejects.toThrow(
        expect.objectContaining({
          code: 'io',
          message: expect.stringMatching(
            /the disk is full; free some space, then .* quorate resume a/,
          ),
        }),
      );
      await expect(append(journal, 'b', [opened, ...big], 2)).rejects.toThrow(
        expect.objectContaining({message: expect.stringMatching(/free some space$/)}),
      );
      expect(await journal.log.read('a')).toHaveLength(1);
      rmSync(join(disk, 'ballast'));
      await append(journal, 'a', big, 3);
      expect(await journal.log.read('a')).toMatchObject([{seq: 0}, {seq: 1, key: 'big', at: 3}]);
    } finally {
      for (const journal of journals.splice(0)) await journal.close();
      run('umount', disk);
    }
  },
);

test.skipIf(!canMount())(
  'a lock of a dead process on a read-only disk is an error with its code',
  () => {
    const disk = mountDisk('size=64k');
    const lock = `${crypto.randomUUID()}.lock`;
    try {
      writeFileSync(join(disk, lock), '');
      run('mount', '-o', 'remount,ro', disk);
      expect(() => clearUnlessHeld(disk, lock)).toThrow(expect.objectContaining({code: 'EROFS'}));
    } finally {
      run('umount', disk);
    }
  },
);

test.skipIf(!canMount())('a full or read-only disk leaves no partial new journal', async () => {
  const disk = mountDisk('size=64k');
  try {
    path = join(disk, 'journal.db');
    fill(join(disk, 'ballast'));

    expect(() => create()).toThrow(expect.objectContaining({code: 'io'}));
    expect(readdirSync(disk)).toEqual(['ballast']);
    run('mount', '-o', 'remount,ro', disk);
    expect(() => create()).toThrow(
      expect.objectContaining({
        code: 'io',
        message: expect.stringMatching(/journal\.db: the disk is read-only; make it writable/),
      }),
    );
  } finally {
    run('umount', disk);
  }
});

test.skipIf(!canMount())(
  'a journal is created completely or not at all, on a disk of any size',
  async () => {
    const disk = mountDisk('size=5m');
    path = join(disk, 'data', 'journal.db');
    const kinds = new Set<string>();
    try {
      for (let size = 8; size <= 128; size += isDeep ? 4 : 20) {
        run('mount', '-o', `remount,size=${size}k`, disk);
        kinds.add(await outcomeOf(async () => await create().close()));
        run('mount', '-o', 'remount,size=5m', disk);
        await expect(append(create(), 'a', [opened], 1), `made on ${size} KB`).resolves.toBe(
          undefined,
        );
        for (const journal of journals.splice(0)) await journal.close();
        rmSync(join(disk, 'data'), {recursive: true});
      }
      expect([...kinds].toSorted()).toEqual(['done', 'io, full']);
    } finally {
      run('umount', disk);
    }
  },
);

test.skipIf(!canMount())(
  'a journal on a disk that became read-only is refused with its path',
  async () => {
    const disk = mountDisk('size=4m');
    try {
      path = join(disk, 'journal.db');
      const writer = createSqliteJournal(path);
      await append(writer, 'a', [opened], 1);
      await writer.close();
      run('mount', '-o', 'remount,ro', disk);

      await expect(attempt(() => create().owners.own('a'))).rejects.toThrow(
        expect.objectContaining({
          code: 'io',
          message: expect.stringMatching(/journal\.db: the disk is read-only; make it writable/),
        }),
      );
    } finally {
      for (const journal of journals.splice(0)) await journal.close();
      run('umount', disk);
    }
  },
);

async function outcomeOf(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) return String(error);
    return /the disk is full/.test(error.message) ? `${error.code}, full` : error.code;
  }
}

function create(): Journal {
  const journal = createSqliteJournal(path);
  journals.push(journal);
  return journal;
}

async function own(journal: Journal, id: string): Promise<Ownership> {
  return await attempt(() => journal.owners.own(id));
}

function start(verb: string, id: string, count = 0): Child {
  const child = spawn(process.execPath, [SCRIPT, verb, path, id, String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function line(child: Child): Promise<void> {
  await once(createInterface({input: child.stdout}), 'line');
}

async function kill(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, {stdio: 'ignore'});
}

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe);
    run('umount', probe);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, {recursive: true});
  }
}

function mountDisk(options: string): string {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', disk);
  return disk;
}

/** Writes until the disk is full. */
function fill(file: string): void {
  const piece = Buffer.alloc(4096);
  expect(() => {
    for (;;) writeFileSync(file, piece, {flag: 'a'});
  }).toThrow(/ENOSPC/);
}
