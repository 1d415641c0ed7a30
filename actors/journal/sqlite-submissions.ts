/** The records of submissions, in the database of the journal. */

import {existsSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync, type SQLOutputValue, type StatementSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {once} from '../../machines/domain/once.ts';
import {isPlaceTaken} from './sqlite-errors.ts';
import {IN_MEMORY, type Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';
import {type NewSubmission, type SubmissionRecords, toReceipt, toRecord} from './submissions.ts';

/** Created at the first use: a journal without a server has no such tables. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS submissions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, form TEXT NOT NULL, token_hash TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL, updated_at REAL NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS submissions_by_form ON submissions (form, number);
  CREATE TABLE IF NOT EXISTS receipts (
    submission TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, before INTEGER NOT NULL, at REAL NOT NULL,
    after INTEGER, PRIMARY KEY (submission, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS begun (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at REAL NOT NULL) STRICT;
`;
const FIND_TABLE = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'submissions'`;
const INSERT = 'INTO submissions VALUES (NULL, ?, ?, ?, ?, ?, ?)';

interface SqliteSubmissions extends SubmissionRecords {
  /** Inside a transaction. Throws AppError `usage` when there is a record with this id or token. */
  readonly record: (id: string, at: number, submission: NewSubmission) => void;
  /** Inside a transaction. */
  readonly clear: (id: string) => void;
}

export function createSubmissionRecords(
  store: Store,
  writers: Turns,
  readers: Turns,
): SqliteSubmissions {
  const {db, quickly, attempt} = store;
  const statements = once(() => prepare(db));
  adoptFile(store);
  const find = <T>(work: (given: Statements) => T) =>
    readers.take(() => attempt(() => work(statements())), []);
  const change = <T>(id: string, work: (given: Statements) => T) =>
    writers.take(() => quickly(() => work(statements())), [id]);
  return {
    record: (id, at, {form, tokenHash}) => {
      try {
        statements().insert.run(id, form, tokenHash, at, at, 'greeting');
      } catch (error) {
        if (!isPlaceTaken(error)) throw error;
        throw new AppError('usage', `there is a submission ${id} already, or one with its token`);
      }
    },
    clear: (id) => {
      if (db.prepare(FIND_TABLE).get() === undefined) return;
      for (const removal of statements().removals) removal.run(id);
    },
    find: (id) => find(({byId}) => readRow(byId.get(id), (row) => toRecord(row))),
    findByToken: (hash) => find(({byToken}) => readRow(byToken.get(hash), (row) => toRecord(row))),
    list: (form, {after = '', limit}) =>
      find(({ofForm}) => ofForm.all(form, after, limit).map((row) => toRecord(row))),
    update: (id, {state, updatedAt}) =>
      change(id, ({update}) => void update.run(state, updatedAt, id)),
    findReceipt: (id, key) => find(({receipt}) => readRow(receipt.get(id, key), toReceipt)),
    keepReceipt: (id, {key, digest, before, at, after = null}, since) =>
      change(id, ({forgetReceipts, keepReceipt}) => {
        forgetReceipts.run(id, since);
        return toReceipt({...keepReceipt.get(id, key, digest, before, at, after)});
      }),
    addInteraction: (id, at) => change(id, ({begin}) => void begin.run(id, at)),
    interactions: () => find(({begun}) => begun.all().map((row) => String(row['id']))),
  };
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  db.exec(TABLES);
  return {
    insert: db.prepare(`INSERT ${INSERT}`),
    byId: db.prepare('SELECT * FROM submissions WHERE id = ?'),
    byToken: db.prepare('SELECT * FROM submissions WHERE token_hash = ?'),
    ofForm: db.prepare(
      `SELECT * FROM submissions WHERE form = ? AND
       number > coalesce((SELECT number FROM submissions WHERE id = ?), 0) ORDER BY number LIMIT ?`,
    ),
    update: db.prepare('UPDATE submissions SET state = ?, updated_at = ? WHERE id = ?'),
    removals: ['submissions WHERE id', 'receipts WHERE submission', 'begun WHERE id'].map((rows) =>
      db.prepare(`DELETE FROM ${rows} = ?`),
    ),
    forgetReceipts: db.prepare('DELETE FROM receipts WHERE submission = ? AND at < ?'),
    receipt: db.prepare('SELECT * FROM receipts WHERE submission = ? AND key = ?'),
    keepReceipt: db.prepare(
      `INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (submission, key) DO UPDATE SET after = coalesce(excluded.after, after) RETURNING *`,
    ),
    begin: db.prepare('INSERT OR IGNORE INTO begun VALUES (NULL, ?, ?)'),
    begun: db.prepare('SELECT id FROM begun ORDER BY number DESC'),
  };
}

/** Takes over the file beside the journal in which the version before kept the records. */
function adoptFile({path, db, durably}: Store): void {
  const file = join(dirname(path), 'submissions.db');
  if (path === IN_MEMORY || !existsSync(file)) return;
  const old = new DatabaseSync(file);
  durably(() => {
    db.exec(TABLES);
    for (const [from, into] of [
      ['id, form, token_hash, created_at, updated_at, state FROM submissions', INSERT],
      ['* FROM receipts', 'INTO receipts VALUES (?, ?, ?, ?, ?, ?)'],
      ['id, at FROM begun', 'INTO begun VALUES (NULL, ?, ?)'],
    ] as const) {
      const insert: StatementSync = db.prepare(`INSERT OR IGNORE ${into}`);
      for (const row of old.prepare(`SELECT ${from} ORDER BY rowid`).iterate())
        insert.run(...Object.values(row));
    }
  });
  old.close();
  rmSync(file);
}

type Row = Readonly<Record<string, SQLOutputValue>>;

function readRow<T>(row: Row | undefined, toValue: (row: Row) => T): T | undefined {
  return row && toValue(row);
}
