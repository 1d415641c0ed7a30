/**
 * The file of a SQLite journal: made whole or not at all, opened only when it is ours, written in transactions.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {damaged, journalRemoved, translateError} from './sqlite-errors.ts';
import {isHeld, lockFolder} from './sqlite-locks.ts';
import {requireSchema, writeSchema} from './sqlite-schema.ts';

/** Others are waited for: at the opening, which may bring an older journal forward; in each operation, a commit's time. */
const OPENING_MS = 15_000;
const COMMIT_MS = 20;
const SMALLEST_PAGE = 512;
/** A journal in the making: the number of its process, which earlier versions left out, and a random name. */
const DRAFT = /\.(?:(\d+)-)?[0-9a-f-]{36}\.new$/;
const HOUR_MS = 3_600_000;
const SQLITE_BUSY = 5;

/** All of these throw AppErrors for what SQLite reports. A transaction is kept whole or not at all. */
export interface Store {
  readonly path: string;
  readonly db: DatabaseSync;
  /** A transaction that is on the disk when this returns. AppError `io` when the file was removed or replaced meanwhile. */
  readonly durably: <T>(work: () => T) => T;
  /** A transaction that survives the death of the process; a power cut may undo it. */
  readonly quickly: <T>(work: () => T) => T;
  /** Reads that belong together: no other process writes in between. */
  readonly consistently: <T>(work: () => T) => T;
  /**
   * Brings the write-ahead log into the database, and leaves nothing in it. AppError `io`, which passes for a lock, while
   * another process reads what stands there.
   */
  readonly emptyLog: () => void;
  /** No transaction of its own. */
  readonly attempt: <T>(work: () => T) => T;
  /** Waits as long for the lock of another process while it works. 20 ms is the rule. */
  readonly patiently: <T>(ms: number, work: () => T) => T;
}

/** Throws AppError `io`, `busy`, `journal_corrupt` or `newer_schema`, and changes nothing in a file that it refuses. */
export function openStore(path: string): Store {
  requireSqlite(process.versions['sqlite']);
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translateError(path, error);
    }
  };
  const db = attempt(() => {
    clearDrafts(path);
    if (!isPresent(path)) create(path);
    return open(path);
  });
  const opened = attempt(() => statSync(path));
  const transact = createTransact(db);
  const withPragma = <T>(work: () => T, meanwhile: string, afterwards: string): T => {
    db.exec(meanwhile);
    try {
      return work();
    } finally {
      db.exec(afterwards);
    }
  };
  return {
    path,
    db,
    attempt,
    durably: (work) =>
      attempt(() => {
        requireInPlace(path, opened);
        return transact(work);
      }),
    quickly: (work) =>
      attempt(() =>
        withPragma(
          () => transact(work),
          'PRAGMA synchronous = NORMAL',
          'PRAGMA synchronous = FULL',
        ),
      ),
    emptyLog: () => attempt(() => emptyLog(db)),
    consistently: (work) => attempt(() => withPragma(work, 'BEGIN', 'COMMIT')),
    patiently: (ms, work) =>
      withPragma(work, `PRAGMA busy_timeout = ${ms}`, `PRAGMA busy_timeout = ${COMMIT_MS}`),
  };
}

/** SQLite goes on writing to a file that has no name any more. Throws AppError `io`. */
function requireInPlace(path: string, {dev, ino}: Stats): void {
  const now = statSync(path, {throwIfNoEntry: false});
  if (now?.dev !== dev || now.ino !== ino) throw journalRemoved(path);
}

function emptyLog(db: DatabaseSync): void {
  const {busy} = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw Object.assign(new Error('the log is being read'), {errcode: SQLITE_BUSY});
}

/** Kept whole or not at all. The statements are prepared: they are most of what a small transaction costs. */
function createTransact(db: DatabaseSync): <T>(work: () => T) => T {
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

/** Before 3.51.3 two connections could corrupt a write-ahead log. Throws AppError `io`. */
export function requireSqlite(version = '0'): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major * 1e6 + minor * 1e3 + patch >= 3_051_003) return;
  throw new AppError(
    'io',
    `SQLite ${version} can corrupt a journal that two processes share; use a Node.js with SQLite 3.51.3 or newer`,
  );
}

/**
 * A journal only ever gets its name when it is complete, so one without a page has been truncated. SQLite must not
 * see such a file, or a log without its database: it would begin anew and discard the log.
 */
function isPresent(path: string): boolean {
  const hasLog = existsSync(`${path}-wal`);
  if (!existsSync(path)) {
    if (hasLog) throw damaged(path, 'the file is gone, but its write-ahead log is there');
    return false;
  }
  const {size} = statSync(path);
  if (size < SMALLEST_PAGE) throw damaged(path, `only ${size} bytes of the file are left`);
  return true;
}

/** With its parents. Where a file system answers ENOENT, as /proc does, the recursive mkdir of Node never returns. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, {mode: 0o700});
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function create(path: string): void {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}-${crypto.randomUUID()}.new`;
  makeFolder(folder);
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    writeDraft(draft);
    sync(draft);
    linkUnlessPresent(draft, path);
    sync(folder);
  } finally {
    removeDraft(draft);
  }
}

/** Removes what is left of processes that died while they made a journal. What can't be removed harms nobody. */
function clearDrafts(path: string): void {
  const folder = dirname(path);
  try {
    for (const file of readdirSync(folder)) {
      if (file.startsWith(`${basename(path)}.`) && isAbandoned(join(folder, file)))
        removeDraft(join(folder, file));
    }
  } catch {}
}

function isAbandoned(file: string): boolean {
  const [draft, pid] = DRAFT.exec(file) ?? [];
  if (draft === undefined) return false;
  if (pid === undefined) return Date.now() - statSync(file).mtimeMs > HOUR_MS;
  return !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function removeDraft(draft: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, {force: true});
}

function writeDraft(draft: string): void {
  const db = new DatabaseSync(draft);
  try {
    // Not yet as WAL: a log that does not fit into the file on a full disk is given up without an error.
    db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
    writeSchema(db);
    db.exec('PRAGMA journal_mode = WAL');
  } finally {
    db.close();
  }
}

/** Of several processes that create the same journal, the first wins, and the others use its file. */
function linkUnlessPresent(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/** For files that no connection has open: closing a descriptor of ours would drop SQLite's locks. */
function sync(fileOrFolder: string): void {
  const descriptor = openSync(fileOrFolder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, {timeout: OPENING_MS});
  try {
    // What is deleted is overwritten, whoever deletes it: who erases can't know what was moved where before.
    db.exec('PRAGMA secure_delete = ON');
    requireSchema(path, db, () => refuseWriters(path, db));
    db.exec(`PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${COMMIT_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A process of an earlier version could not go on writing. Throws AppError `busy`. */
function refuseWriters(path: string, db: DatabaseSync): void {
  const owners = db.prepare('SELECT interaction, holder, pid FROM owners').all();
  const live = owners.find(({holder}) => isHeld(lockFolder(path), String(holder)));
  if (!live) return;
  throw new AppError(
    'busy',
    `${path}: process ${String(live['pid'])} of an earlier version still runs ${String(live['interaction'])}; wait until it has ended, or end it`,
  );
}
