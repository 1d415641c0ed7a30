/**
 * The file of a SQLite journal: made whole or not at all, opened only when it is ours, written in transactions.
 */

import {randomUUID} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {readPragma, transact} from '../../tools/sqlite.ts';
import {damaged, translateError} from './sqlite-errors.ts';

const APPLICATION_ID = 0x51_55_4f_52;
const SCHEMA_VERSION = 1;
const LOCK_TIMEOUT_MS = 15_000;
const SMALLEST_PAGE = 512;

const SCHEMA = `
  CREATE TABLE entries (
    interaction TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (interaction, seq)
  ) STRICT;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, form TEXT NOT NULL, request TEXT NOT NULL, workspace TEXT NOT NULL,
    opened_at REAL NOT NULL, status TEXT
  ) STRICT;
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

/** All of these throw AppErrors for what SQLite reports. A transaction is kept whole or not at all. */
export interface Store {
  readonly path: string;
  readonly db: DatabaseSync;
  /** A transaction that is on the disk when this returns. */
  readonly durably: <T>(work: () => T) => T;
  /** A transaction that survives the death of the process; a power cut may undo it. */
  readonly quickly: <T>(work: () => T) => T;
  /** No transaction of its own. */
  readonly attempt: <T>(work: () => T) => T;
}

/** Throws AppError `io`, `journal_corrupt` or `newer_schema`, and changes nothing in a file that it refuses. */
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
    if (!isPresent(path)) create(path);
    return open(path);
  });
  return {
    path,
    db,
    attempt,
    durably: (work) => attempt(() => transact(db, work)),
    quickly: (work) =>
      attempt(() => {
        db.exec('PRAGMA synchronous = NORMAL');
        try {
          return transact(db, work);
        } finally {
          db.exec('PRAGMA synchronous = FULL');
        }
      }),
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

function create(path: string): void {
  const folder = dirname(path);
  const draft = `${path}.${randomUUID()}.new`;
  mkdirSync(folder, {recursive: true, mode: 0o700});
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    writeSchema(draft);
    sync(draft);
    linkUnlessPresent(draft, path);
    sync(folder);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, {force: true});
  }
}

function writeSchema(draft: string): void {
  const db = new DatabaseSync(draft);
  try {
    // Not yet as WAL: a log that does not fit into the file on a full disk is given up without an error.
    db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY');
    db.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${SCHEMA}`);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT; PRAGMA journal_mode = WAL`);
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
  const db = new DatabaseSync(path, {timeout: LOCK_TIMEOUT_MS});
  try {
    if (readPragma(db, 'application_id') !== APPLICATION_ID) {
      throw damaged(path, 'the database belongs to another program');
    }
    requireSchema(path, Number(readPragma(db, 'user_version')));
    db.exec('PRAGMA synchronous = FULL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function requireSchema(path: string, version: number): void {
  if (version === SCHEMA_VERSION) return;
  if (version < SCHEMA_VERSION) throw damaged(path, `unknown schema version ${version}`);
  throw new AppError(
    'newer_schema',
    `${path} was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade to read it`,
  );
}
