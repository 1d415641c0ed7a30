/** The repository of submissions: a SQLite database, on disk beside the journal, or in memory. */

import {chmodSync, mkdirSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {DatabaseSync, type SQLOutputValue} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {readPragma, transact} from '../../tools/sqlite.ts';
import {isPlaceTaken, translateError} from '../journal/sqlite-errors.ts';
import {IN_MEMORY} from '../journal/sqlite-store.ts';
import type {Receipt, SubmissionRecord, SubmissionRepository} from './repository.ts';

const APPLICATION_ID = 0x51_55_4f_53;
const VERSION = 1;
/** The longest wait for the lock of another process. */
const PATIENCE_MS = 5_000;

const TABLES = `
  CREATE TABLE submissions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, form TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL, updated_at REAL NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX submissions_by_form ON submissions (form, number);
  CREATE TABLE receipts (
    submission TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, before INTEGER NOT NULL, at REAL NOT NULL,
    after INTEGER, PRIMARY KEY (submission, key)
  ) STRICT;
  CREATE TABLE begun (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at REAL NOT NULL) STRICT;
`;

/** `path` is the database file. Throws AppError `io`, `journal_corrupt` or `newer_schema`. */
export function createSqliteRepository(path: string): SubmissionRepository {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translateError(path, error);
    }
  };
  const db = attempt(() => open(path));
  /** Durable when this returns. Other writes survive the end of the process; a power cut may undo the last of them. */
  const durably = <T>(work: () => T): T =>
    attempt(() => {
      db.exec('PRAGMA synchronous = FULL');
      try {
        return work();
      } finally {
        db.exec('PRAGMA synchronous = NORMAL');
      }
    });
  const statements = attempt(() => prepare(db));
  const creations = createGroup((records: readonly SubmissionRecord[]) => {
    const insertAll = () => records.map((record) => tryInsert(statements.insert, record));
    return durably(() => transact(db, insertAll));
  });
  return {
    create: creations.add,
    find: (id) => attempt(() => toRecord(statements.find.get(id))),
    findByToken: (hash) => attempt(() => toRecord(statements.findByToken.get(hash))),
    list: (form, {after = '', limit}) =>
      attempt(() => statements.list.all(form, after, limit).flatMap((row) => toRecord(row) ?? [])),
    update: (id, {state, updatedAt}) =>
      attempt(() => void statements.update.run(state, updatedAt, id)),
    remove: (id) =>
      durably(() => {
        transact(db, () => {
          statements.removeReceipts.run(id);
          statements.remove.run(id);
        });
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      }),
    findReceipt: (id, key) => attempt(() => toReceipt(statements.findReceipt.get(id, key))),
    keepReceipt: (id, receipt, since) =>
      attempt(() =>
        transact(db, () => {
          statements.forgetReceipts.run(id, since);
          const {key, digest, before, at, after = null} = receipt;
          statements.keepReceipt.run(id, key, digest, before, at, after);
        }),
      ),
    addInteraction: (id, at) => attempt(() => void statements.begin.run(id, at)),
    interactions: () => attempt(() => statements.begun.all().map((row) => String(row['id']))),
    close: () => {
      creations.flush();
      if (db.isOpen) db.close();
    },
  };
}

/** It is lost when its process ends. */
export function createMemoryRepository(): SubmissionRepository {
  return createSqliteRepository(IN_MEMORY);
}

function open(path: string): DatabaseSync {
  const db = path === IN_MEMORY ? new DatabaseSync(IN_MEMORY) : openFile(path);
  try {
    transact(db, () => requireTables(path, db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openFile(path: string): DatabaseSync {
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  const db = new DatabaseSync(path, {timeout: PATIENCE_MS});
  claimState(['', '-wal', '-shm'].map((part) => resolve(path + part)));
  try {
    chmodSync(path, 0o600);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function requireTables(path: string, db: DatabaseSync): void {
  const [application, version] = ['application_id', 'user_version'].map((name) =>
    Number(readPragma(db, name)),
  );
  if (application === APPLICATION_ID && version === VERSION) return;
  if (application === APPLICATION_ID)
    throw new AppError(
      'newer_schema',
      `${path} was written by a newer version; upgrade to read it`,
    );
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!isEmpty || application !== 0) {
    throw new AppError(
      'journal_corrupt',
      `${path}: the database belongs to another program; move it away`,
    );
  }
  db.exec(TABLES);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
}

type Statement = ReturnType<DatabaseSync['prepare']>;

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare('INSERT INTO submissions VALUES (NULL, ?, ?, ?, ?, ?, ?)'),
    find: db.prepare('SELECT * FROM submissions WHERE id = ?'),
    findByToken: db.prepare('SELECT * FROM submissions WHERE token_hash = ?'),
    list: db.prepare(
      `SELECT * FROM submissions WHERE form = ? AND
       number > coalesce((SELECT number FROM submissions WHERE id = ?), 0) ORDER BY number LIMIT ?`,
    ),
    update: db.prepare('UPDATE submissions SET state = ?, updated_at = ? WHERE id = ?'),
    remove: db.prepare('DELETE FROM submissions WHERE id = ?'),
    removeReceipts: db.prepare('DELETE FROM receipts WHERE submission = ?'),
    forgetReceipts: db.prepare('DELETE FROM receipts WHERE submission = ? AND at < ?'),
    findReceipt: db.prepare('SELECT * FROM receipts WHERE submission = ? AND key = ?'),
    keepReceipt: db.prepare('INSERT OR REPLACE INTO receipts VALUES (?, ?, ?, ?, ?, ?)'),
    begin: db.prepare('INSERT OR IGNORE INTO begun VALUES (NULL, ?, ?)'),
    begun: db.prepare('SELECT id FROM begun ORDER BY number DESC'),
  };
}

/** The error of a record whose id or token is in use; the others of its transaction are written. */
function tryInsert(statement: Statement, record: SubmissionRecord): Error | undefined {
  const {id, form, tokenHash, createdAt, updatedAt, state} = record;
  try {
    statement.run(id, form, tokenHash, createdAt, updatedAt, state);
    return undefined;
  } catch (error) {
    if (isPlaceTaken(error)) return new AppError('usage', `there is a submission ${id} already`);
    throw error;
  }
}

interface Waiting<T> {
  readonly record: T;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes what is added in one turn of the event loop together: runs that were opened by one commit of the journal cost one more,
 * not one each. `write` returns the error of each record that it did not write.
 */
function createGroup<T>(write: (records: readonly T[]) => readonly (Error | undefined)[]) {
  let group: readonly Waiting<T>[] = [];
  const flush = (): void => {
    const waiting = group;
    group = [];
    if (waiting.length === 0) return;
    try {
      const ends = write(waiting.map(({record}) => record));
      for (const [at, {done, fail}] of waiting.entries())
        if (ends[at]) fail(ends[at]);
        else done();
    } catch (error) {
      for (const {fail} of waiting) fail(error);
    }
  };
  const add = async (record: T): Promise<void> => {
    const {promise, resolve: done, reject: fail} = Promise.withResolvers<void>();
    group = [...group, {record, done, fail}];
    if (group.length === 1) setImmediate(flush);
    await promise;
  };
  return {add, flush};
}

type Row = Record<string, SQLOutputValue> | undefined;

function toRecord(row: Row): SubmissionRecord | undefined {
  if (!row) return undefined;
  return {
    id: String(row['id']),
    form: String(row['form']),
    tokenHash: String(row['token_hash']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    state: String(row['state']),
  };
}

function toReceipt(row: Row): Receipt | undefined {
  if (!row) return undefined;
  const {after} = row;
  return {
    key: String(row['key']),
    digest: String(row['digest']),
    before: Number(row['before']),
    at: Number(row['at']),
    ...(after === null ? {} : {after: Number(after)}),
  };
}
