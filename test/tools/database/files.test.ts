/** Files that are damaged, locked, incomplete or not databases: they are reported, and left unchanged. */

import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {describe, expect, onTestFinished, test} from 'vitest';

import {openConnection} from '../../../tools/database/perform.ts';
import {sampled} from '../../support/depth.ts';
import {verdictOf} from '../place.ts';
import {createFolder, fill, type Folder, openDatabase, openFolder, rowsOf} from './shop.ts';

const many = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
  CREATE INDEX by_name ON t (name);
  WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
    INSERT INTO t SELECT n, 'name ' || n FROM c;
`;
const count = 'SELECT count(*) AS n, max(name) AS last FROM t';
const counted = [{n: 2_000, last: 'name 999'}];

function prepare(sql = many): Folder {
  const place = createFolder();
  onTestFinished(place.remove);
  fill(place.path, sql);
  return place;
}

/** The result of opening and querying: the rows, or the code and the message of the refusal. */
async function ask(place: Folder, sql = count): Promise<unknown> {
  try {
    return rowsOf(await (await openFolder(place)).run(sql));
  } catch (error) {
    return error;
  }
}

function configError(words: RegExp): unknown {
  return expect.objectContaining({code: 'config', message: expect.stringMatching(words)});
}

/** Changes bytes of the file. */
function patch(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

const pageSize = 4_096;

describe('a link in the workspace', () => {
  test('to a database elsewhere is not followed, neither at the start nor after it has replaced a file', async () => {
    const others = prepare();
    const place = prepare();
    const opened = await openFolder(place, {within: place.folder});
    expect(rowsOf(await opened.run(count))).toEqual(counted);
    rmSync(place.path);
    symlinkSync(others.path, place.path);
    expect(verdictOf(await opened.run(count))).toBe('refused/outside');
    await expect(openFolder(place, {within: place.folder})).rejects.toEqual(
      configError(/is a link out of the workspace, to .*; name that file itself/),
    );
  });

  test('to a database inside it is followed, and so is a link elsewhere that a person names', async () => {
    const place = prepare();
    const link = join(place.folder, 'link.db');
    symlinkSync(place.path, link);
    const within = await openFolder({...place, path: link}, {within: place.folder});
    expect(rowsOf(await within.run(count))).toEqual(counted);
    const elsewhere = await openFolder({...place, path: link}, {within: join(place.folder, 'sub')});
    expect(rowsOf(await elsewhere.run(count))).toEqual(counted);
  });
});

describe('no database', () => {
  test.each<[string, (place: Folder) => unknown, RegExp]>([
    ['a missing file', ({path}) => rmSync(path), /no such file; check the path/],
    ['an empty file', ({path}) => truncateSync(path), /empty.*restore/],
    ['a text', ({path}) => writeFileSync(path, 'hello\n'.repeat(500)), /not a database.*restore/],
    ['a short text', ({path}) => writeFileSync(path, 'hello'), /not a database.*restore/],
    ['a header alone', ({path}) => truncateSync(path, 100), /restore it from a backup/],
    [
      'half of a database',
      ({path}) => truncateSync(path, statSync(path).size / 2),
      /restore it from a backup/,
    ],
    [
      'a database without its last page',
      ({path}) => truncateSync(path, statSync(path).size - pageSize),
      /restore/,
    ],
    [
      'a database without its last byte',
      ({path}) => truncateSync(path, statSync(path).size - 1),
      /restore/,
    ],
    ['another magic', ({path}) => patch(path, (bytes) => bytes.write('sqlite')), /not a database/],
    [
      'a schema of zeros',
      ({path}) => patch(path, (bytes) => bytes.fill(0, 100, pageSize)),
      /restore/,
    ],
    [
      'a page of zeros',
      ({path}) => patch(path, (bytes) => bytes.fill(0, 2 * pageSize, 3 * pageSize)),
      /restore/,
    ],
    [
      'a page of another kind',
      ({path}) => patch(path, (bytes) => bytes.writeUInt8(0, pageSize)),
      /restore/,
    ],
    ['pages that changed places', ({path}) => patch(path, swapPages), /restore/],
  ])('%s is refused at the start', async (_, spoil, words) => {
    const place = prepare();
    spoil(place);
    const before = place.trace();
    const named = new RegExp(String.raw`^the database /.*shop\.db: .*${words.source}`);
    expect(await ask(place)).toEqual(configError(named));
    expect(place.trace()).toEqual(before);
  });

  test('a folder, a pipe and a socket are refused at once', async () => {
    const place = prepare();
    const [folder, pipe, socket] = ['folder', 'pipe', 'socket'].map((name) =>
      join(place.folder, name),
    );
    mkdirSync(folder ?? '');
    execFileSync('mkfifo', [pipe ?? '']);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    for (const path of [folder, pipe, socket]) {
      await expect(openDatabase({path: path ?? ''})).rejects.toEqual(
        configError(/not a file; name the file/),
      );
    }
    server.close();
  });

  test.each([
    ['of a folder', ''],
    ['with a NUL character', 'a\0b'],
    ['that is too long', 'x'.repeat(5_000)],
    ['of a database in memory', ':memory:'],
    ['that is an address', 'file:x?mode=memory'],
  ])('a path %s is refused', async (_, path) => {
    await expect(openDatabase({path})).rejects.toMatchObject({code: 'config'});
  });

  test('a check beyond its time limit is refused', async () => {
    // Enough rows that their check takes longer than a busy machine needs to notice.
    const place = prepare(many.replace('2000', '200000'));
    await expect(openDatabase({path: place.path, checkMs: 0})).rejects.toEqual(
      configError(/checking it took longer than 0 s; name a smaller database/),
    );
  });
});

function swapPages(bytes: Buffer): void {
  const page = Buffer.from(bytes.subarray(pageSize, 2 * pageSize));
  bytes.copyWithin(pageSize, 2 * pageSize, 3 * pageSize);
  page.copy(bytes, 2 * pageSize);
}

test('a flipped byte of the header is refused, or changes nothing that is read', async () => {
  const fatal = [0, 15, 16, 19, 20, 21, 22, 23, 59];
  const others = [17, 18, 27, 28, 31, 35, 39, 43, 47, 51, 55, 56, 63, 71, 95, 99];
  const outcomes = await Promise.all(
    [...fatal, ...sampled(others, 4)].map(async (at) => {
      const place = prepare();
      patch(place.path, (bytes) => bytes.writeUInt8((bytes[at] ?? 0) ^ 0xff, at));
      const before = place.trace();
      const answer = await ask(place);
      expect(place.trace()).toEqual(before);
      return {at, answer};
    }),
  );
  const refused = outcomes.filter(({answer}) => answer instanceof Error);
  expect(refused.map(({at}) => at)).toEqual(expect.arrayContaining(fatal));
  for (const {answer} of refused) expect(answer).toMatchObject({code: 'config'});
  for (const {answer} of outcomes.filter((one) => !refused.includes(one)))
    expect(answer).toEqual(counted);
});

describe('after the start', () => {
  test.each<[string, (place: Folder) => unknown, string]>([
    ['is gone', ({path}) => rmSync(path), 'failed/io'],
    ['is cut', ({path}) => truncateSync(path, pageSize), 'failed/corrupt'],
    ['is overwritten', ({path}) => writeFileSync(path, 'x'.repeat(9_000)), 'failed/corrupt'],
    ['is emptied', ({path}) => truncateSync(path), 'failed/corrupt'],
  ])('a database that %s is a failure of the call', async (_, spoil, verdict) => {
    const place = prepare();
    const shop = await openFolder(place);
    spoil(place);
    const before = place.trace();
    expect(verdictOf(await shop.run(count))).toBe(verdict);
    expect(place.trace()).toEqual(before);
  });

  test('a table that was added is found', async () => {
    const place = prepare();
    const shop = await openFolder(place);
    fill(place.path, 'CREATE TABLE later AS SELECT 1 AS x');
    expect(rowsOf(await shop.run('SELECT x FROM later'))).toEqual([{x: 1}]);
  });
});

describe('other programs', () => {
  const writing = `
    import {DatabaseSync} from 'node:sqlite';
    const db = new DatabaseSync(process.argv[1]);
    db.exec("INSERT INTO t VALUES (2001, 'z'); BEGIN; DELETE FROM t");
    console.log('written');
    process.stdin.resume().once('end', () => db.close());
  `;

  test('a writer that holds the file is awaited, then reported, and the call may be repeated', async () => {
    const place = prepare();
    const shop = await openFolder(place);
    const writer = new DatabaseSync(place.path);
    writer.exec("BEGIN EXCLUSIVE; UPDATE t SET name = 'new'");
    expect(await shop.run(count)).toMatchObject({kind: 'failed', code: 'locked', retryable: true});
    expect(await ask(place)).toEqual(configError(/another program is writing/));
    writer.exec('ROLLBACK');
    writer.close();
    expect(rowsOf(await shop.run(count))).toEqual(counted);
  });

  test('an uncommitted writer does not block a query', async () => {
    const place = prepare();
    const writer = new DatabaseSync(place.path);
    writer.exec("BEGIN IMMEDIATE; UPDATE t SET name = 'new'");
    expect(await ask(place)).toEqual(counted);
    writer.exec('ROLLBACK');
    writer.close();
  });

  test('committed entries in the log of a writer are read while the writer lives', async () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    // In its own process: reading the files in the writer's process would drop its locks.
    const writer = spawn(process.execPath, ['--input-type=module', '-e', writing, place.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(writer.stdout, 'data');
    const before = place.trace().filter(isNoIndex);
    expect(await ask(place)).toEqual([{n: 2_001, last: 'z'}]);
    expect(place.trace().filter(isNoIndex)).toEqual(before);
    writer.stdin.end();
    await once(writer, 'close');
    expect(namesOf(place)).toEqual(['secret.txt', 'shop.db']);
  });

  test('a database with an unused log stays unchanged', async () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    const before = place.trace();
    expect(before).toHaveLength(2);
    expect(await ask(place)).toEqual(counted);
    expect(place.trace()).toEqual(before);
  });

  test('a log without its index is refused with the users who can read it, and stays', async () => {
    const place = copyOfLog();
    const before = place.trace();
    expect(namesOf(place)).toEqual(['secret.txt', 'shop.db', 'shop.db-wal']);
    expect(await ask(place)).toEqual(configError(/no index.*open the database once/));
    expect(place.trace()).toEqual(before);
    fill(place.path, 'SELECT count(*) FROM t');
    expect(await ask(place)).toEqual([{n: 2_001, last: 'z'}]);
  });

  test('a link leads to the log beside the database', async () => {
    const link = createFolder();
    onTestFinished(link.remove);
    symlinkSync(copyOfLog().path, link.path);
    expect(await ask(link)).toEqual(configError(/no index/));
    symlinkSync(prepare().path, join(link.folder, 'other.db'));
    expect(await ask({...link, path: join(link.folder, 'other.db')})).toEqual(counted);
  });

  test('a writer that ignores locks is detected', () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    const opened = openConnection(place.path);
    const isSteady = opened.ok ? opened.value.isSteady : undefined;
    expect(isSteady?.()).toBe(true);
    fill(place.path, "INSERT INTO t VALUES (2001, 'z')");
    expect(isSteady?.()).toBe(false);
  });
});

function namesOf(place: Folder): (string | undefined)[] {
  return place.trace().map((line) => line.split(' ')[0]);
}

/** A database whose last change is only in its log. */
function copyOfLog(): Folder {
  const from = prepare(`PRAGMA journal_mode = WAL; ${many}`);
  const place = prepare('SELECT 1');
  const writer = new DatabaseSync(from.path);
  writer.exec("INSERT INTO t VALUES (2001, 'z')");
  for (const suffix of ['', '-wal']) copyFileSync(from.path + suffix, place.path + suffix);
  writer.close();
  return place;
}

describe('interrupted writers', () => {
  const interrupt = `
    import {DatabaseSync} from 'node:sqlite';
    const db = new DatabaseSync(process.argv[1]);
    db.exec('PRAGMA cache_size = 1; BEGIN');
    db.exec("UPDATE t SET name = name || 'x'");
    process.kill(process.pid, 'SIGKILL');
  `;

  function kill(path: string): void {
    const args = ['--input-type=module', '-e', interrupt, path];
    expect(() => execFileSync(process.execPath, args, {stdio: 'ignore'})).toThrow('SIGKILL');
  }

  test('a journal to roll back is refused with the program that can do it, and stays', async () => {
    const place = prepare();
    kill(place.path);
    const before = place.trace();
    expect(before).toHaveLength(3);
    expect(await ask(place)).toEqual(
      configError(/interrupted.*journal.*open the database once with one that may write/),
    );
    patch(place.path, (bytes) => bytes.fill(2, 18, 20));
    expect(await ask(place)).toEqual(configError(/interrupted/));
    patch(place.path, (bytes) => bytes.fill(1, 18, 20));
    expect(place.trace()).toEqual(before);
    fill(place.path, 'SELECT count(*) FROM t');
    expect(await ask(place)).toEqual(counted);
  });

  test('a log left by its writer is read up to the last commit', async () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    kill(place.path);
    const before = place.trace().filter(isNoIndex);
    expect(namesOf(place)).toEqual(['secret.txt', 'shop.db', 'shop.db-shm', 'shop.db-wal']);
    expect(await ask(place)).toEqual(counted);
    expect(namesOf(place)).toHaveLength(4);
    expect(place.trace().filter(isNoIndex)).toEqual(before);
  });

  test('a database without its log is read in its earlier state', async () => {
    const place = copyOfLog();
    rmSync(`${place.path}-wal`);
    expect(await ask(place)).toEqual(counted);
  });

  test('the log of another database is refused, with its index and without', async () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    const other = prepare('PRAGMA journal_mode = WAL; CREATE TABLE a (x); CREATE TABLE b (y)');
    const writer = new DatabaseSync(other.path);
    writer.exec("INSERT INTO a VALUES ('x'); INSERT INTO b VALUES ('y')");
    for (const end of ['-wal', '-shm']) copyFileSync(other.path + end, place.path + end);
    writer.close();
    const before = place.trace().filter(isNoIndex);
    expect(await ask(place)).toEqual(configError(/not a sound SQLite database.*restore/));
    rmSync(`${place.path}-shm`);
    expect(await ask(place)).toEqual(configError(/no index/));
    expect(place.trace()).toEqual(before);
  });

  test('a log with random bytes is refused, and stays', async () => {
    const place = prepare(`PRAGMA journal_mode = WAL; ${many}`);
    writeFileSync(`${place.path}-wal`, Buffer.alloc(9_000, 'noise'));
    const before = place.trace();
    expect(await ask(place)).toEqual(configError(/no index/));
    expect(place.trace()).toEqual(before);
  });
});

/** The index of a log also belongs to readers, which record their positions in it. */
function isNoIndex(line: string): boolean {
  return !line.startsWith('shop.db-shm');
}

describe('places', () => {
  test('a name with unusual characters is accepted', async () => {
    const place = prepare('SELECT 1');
    const path = join(place.folder, 'a b?mode=rwc&x#%41 花\n.db');
    fill(path, many);
    const shop = await openFolder({...place, path});
    expect(rowsOf(await shop.run(count))).toEqual(counted);
    expect(shop.tool.description).toContain(String.raw`x#%41 花\n.db with one SELECT`);
  });

  test('a database without tables is accepted', async () => {
    const place = prepare('PRAGMA user_version = 3');
    const {tool} = await openFolder(place);
    expect(tool.description).toMatch(/\n\(no tables\)$/);
  });

  test.skipIf(!canMount())('a read-only disk suffices, with and without a log', async () => {
    const place = prepare('SELECT 1');
    const disk = join(place.folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    const path = join(disk, 'shop.db');
    const log = copyOfLog();
    fill(path, many);
    for (const suffix of ['', '-wal'])
      copyFileSync(log.path + suffix, join(disk, `log.db${suffix}`));
    fill(join(disk, 'alone.db'), `PRAGMA journal_mode = WAL; ${many}`);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    try {
      expect(await ask({...place, path})).toEqual(counted);
      expect(await ask({...place, path: join(disk, 'alone.db')})).toEqual(counted);
      expect(await ask({...place, path: join(disk, 'log.db')})).toEqual(configError(/no index/));
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

function canMount(): boolean {
  const {folder, remove} = createFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], {stdio: 'ignore'});
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    remove();
  }
}
