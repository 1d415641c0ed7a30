/**
 * The file of a SQLite journal: created completely or not at all, opened only if it is a journal, written in transactions.
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
import {readPragma} from '../../tools/sqlite.ts';
import {damaged, journalRemoved, translateError} from './sqlite-errors.ts';

/** Longest waits for locks: at the opening; in each operation. */
const OPENING_MS = 15_000;
const COMMIT_MS = 20;
const SMALLEST_PAGE = 512;
/** Bytes. A transaction writes each page that it changes as a whole, and most entries have a few hundred bytes. */
const PAGE = 1024;
/** SQLite moves the log into the database at this number of bytes, as it does with pages of 4,096 bytes. */
const LOG_BYTES = 4_096_000;
/** Names of a journal that is being created: the number of its process and a random id. */
const DRAFT = /\.(\d+)-[0-9a-f-]{36}\.new$/;
const SQLITE_BUSY = 5;

/** The path of a database that has no file and ends with its process. */
export const IN_MEMORY = ':memory:';

/** Operations throw AppErrors for errors of SQLite. A transaction is kept completely or not at all. */
export interface Store {
  readonly path: string;
  readonly db: DatabaseSync;
  /** A transaction that is on the disk when this returns. AppError `not_found` when the file was removed or replaced meanwhile. */
  readonly durably: <T>(work: () => T) => T;
  /** A transaction that survives the death of the process; a power cut may undo it. */
  readonly quickly: <T>(work: () => T) => T;
  /** Reads from one snapshot: writes of other processes in between are not visible. */
  readonly consistently: <T>(work: () => T) => T;
  /**
   * Moves the write-ahead log into the database, and empties it. AppError `io`, which counts as a lock, while another process
   * reads from the log.
   */
  readonly emptyLog: () => void;
  /** Without a transaction. */
  readonly attempt: <T>(work: () => T) => T;
  /** Waits up to `ms` for the lock of another process during the work. Other operations wait 20 ms. */
  readonly patiently: <T>(ms: number, work: () => T) => T;
}

/** Throws AppError `io`, `journal_corrupt`, `older_schema` or `newer_schema`. A file that it refuses stays unchanged. */
export function openStore(path: string): Store {
  requireSqlite(process.versions['sqlite']);
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translateError(path, error);
    }
  };
  const db = attempt(() => (path === IN_MEMORY ? openInMemory() : openFile(path)));
  const opened = path === IN_MEMORY ? undefined : attempt(() => statSync(path));
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
        if (opened) requireInPlace(path, opened);
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

function openInMemory(): DatabaseSync {
  const db = new DatabaseSync(IN_MEMORY);
  writeSchema(db);
  return db;
}

function openFile(path: string): DatabaseSync {
  clearDrafts(path);
  if (!isPresent(path)) create(path);
  return open(path);
}

/** Throws AppError `not_found` when the file was removed or replaced: SQLite would continue to write to the removed file. */
function requireInPlace(path: string, {dev, ino}: Stats): void {
  const now = statSync(path, {throwIfNoEntry: false});
  if (now?.dev !== dev || now.ino !== ino) throw journalRemoved(path);
}

function emptyLog(db: DatabaseSync): void {
  const {busy} = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
  if (busy !== 0) throw Object.assign(new Error('the log is being read'), {errcode: SQLITE_BUSY});
}

/** The statements are prepared, because they are most of the cost of a small transaction. */
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

/** Reads every page. Throws AppError `journal_corrupt` for a damaged one, `io` for a file that can't be read. */
export function requireSoundPages(path: string): void {
  try {
    const db = new DatabaseSync(path, {readOnly: true});
    const [row] = db.prepare('PRAGMA quick_check(1)').all();
    db.close();
    const found = row?.['quick_check'];
    if (found !== 'ok') throw damaged(path, String(found).replaceAll(/\s+/g, ' '));
  } catch (error) {
    throw translateError(path, error);
  }
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
 * A journal gets its name only when it is complete, so a file without a page has been truncated. SQLite must not open such a
 * file, or a log without its database: it would create a new database and discard the log.
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

/** Creates the folder and its parents. Node's recursive mkdir never returns on a file system that answers ENOENT, as /proc. */
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

/** Removes drafts of processes that died while they created a journal. A draft that can't be removed does no harm. */
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
  const [, pid] = DRAFT.exec(file) ?? [];
  return pid !== undefined && !isRunning(Number(pid));
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
    // Not yet as WAL: on a full disk, SQLite drops a log that does not fit into the file without an error.
    db.exec(`PRAGMA page_size = ${PAGE}; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY`);
    writeSchema(db);
    db.exec('PRAGMA journal_mode = WAL');
  } finally {
    db.close();
  }
}

/** When several processes create the same journal, the first wins, and the others use its file. */
function linkUnlessPresent(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

/** Only for files that no connection has open: closing this descriptor would drop SQLite's locks. */
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
    // Every process overwrites deleted data: the one that erases can't know where SQLite has moved data before.
    db.exec('PRAGMA secure_delete = ON');
    requireSchema(path, db);
    // Journals that exist may have larger pages.
    const logPages = Math.round(LOG_BYTES / Number(readPragma(db, 'page_size')));
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA busy_timeout = ${COMMIT_MS}; PRAGMA wal_autocheckpoint = ${logPages}`,
    );
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

// The tables of a journal.

const APPLICATION_ID = 0x51_55_4f_52;
const VERSION = 6;

/**
 * `entries`, `updated_at` and `hash` of an interaction are its head: written with each entry, compared by each reader.
 * `bytes` is the size of its bodies; `imported` is 1 for a run that an earlier version has taken from another journal. Entries are stored in the order of their arrival, which costs the least to write; `mark` is the beginning of the hash,
 * `body` is encoded by sqlite-log.ts.
 */
const TABLES = `
  CREATE TABLE interactions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL, updated_at REAL NOT NULL,
    hash TEXT NOT NULL, status TEXT, answer TEXT, bytes INTEGER NOT NULL DEFAULT 0,
    imported INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE openings (
    number INTEGER PRIMARY KEY, form TEXT NOT NULL, request TEXT NOT NULL, workspace TEXT NOT NULL,
    opened_at REAL NOT NULL, session TEXT
  ) STRICT;
  CREATE INDEX openings_of ON openings (session);
  CREATE TABLE entries (
    interaction INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, mark TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (interaction, seq)
  ) STRICT;
`;
/** Reactions of persons: one to each subject (`about`). */
const REACTIONS = `
  CREATE TABLE reactions (
    number INTEGER NOT NULL, about TEXT NOT NULL, kind TEXT NOT NULL, at REAL NOT NULL, words TEXT,
    PRIMARY KEY (number, about)
  ) STRICT;
`;
const BESIDES = `
  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, interaction TEXT NOT NULL, event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_by_interaction ON inbox (interaction);
  CREATE TABLE owners (interaction TEXT PRIMARY KEY, holder TEXT NOT NULL, pid INTEGER NOT NULL) STRICT;
  CREATE TABLE children (
    interaction TEXT NOT NULL, process_group INTEGER NOT NULL, started_at TEXT NOT NULL,
    PRIMARY KEY (interaction, process_group)
  ) STRICT;
`;

const FIND_BACKUPS = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backups'`;

function writeSchema(db: DatabaseSync): void {
  db.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${TABLES} ${REACTIONS} ${BESIDES}`);
  db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
}

/** Throws AppError `journal_corrupt` for a file that is not a journal, `older_schema` or `newer_schema` for a journal of another schema. */
function requireSchema(path: string, db: DatabaseSync): void {
  if (readPragma(db, 'application_id') !== APPLICATION_ID) {
    throw damaged(path, 'the database belongs to another program');
  }
  const version = Number(readPragma(db, 'user_version'));
  if (version < 1) throw damaged(path, `unknown schema version ${version}`);
  const known = `(schema ${version}, this one knows ${VERSION})`;
  if (version > VERSION) {
    throw new AppError(
      'newer_schema',
      `${path} was written by a newer version ${known}; upgrade to read it`,
    );
  }
  if (version < VERSION) {
    throw new AppError(
      'older_schema',
      `${path} was written by an earlier version ${known}; move it and the files beside it away to begin a new one, or read it with that version`,
    );
  }
}

/** The table of backups is created by the first write of a run. */
export function hasBackups(db: DatabaseSync): boolean {
  return db.prepare(FIND_BACKUPS).get() !== undefined;
}
