/**
 * The file of an index: a cache, so one that is damaged or of another version is made anew. A file that may belong to
 * something else is left alone.
 */

import {closeSync, existsSync, mkdirSync, openSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {readPragma, transact} from '../sqlite.ts';

const applicationId = 0x51_53_52_43;
/** The first number is raised whenever chunks or words are made differently; so are words by another Unicode library. */
const version = 2_000 + Number.parseInt(process.versions['icu'] ?? '0', 10);
const lockTimeoutMs = 5_000;

/** Words come separated by spaces and folded: to the ascii tokenizer every other character is part of one. */
const schema = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, hash TEXT NOT NULL,
    denied TEXT, UNIQUE (root, path)
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, start INTEGER NOT NULL, line INTEGER NOT NULL,
    heading TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_file ON chunks (file);
  CREATE VIRTUAL TABLE words USING fts5 (path, heading, body, characters, tokenize = 'ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
`;

export const inMemory = ':memory:';

/** Another version of the program has made the file. */
class Outdated extends Error {}

/** The file is a sound database of something else. */
class Foreign extends Error {}

/** Makes the file and its folder when they are missing, for the user alone. Throws what SQLite and the system say. */
export function openIndex(path: string): DatabaseSync {
  if (path !== inMemory) {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    // Closing a descriptor of ours drops the locks that SQLite has on the file.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  }
  const db = new DatabaseSync(path, {timeout: lockTimeoutMs});
  try {
    if (!isReady(db)) transact(db, () => isReady(db) || create(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The log of an unfinished change goes first: SQLite would apply it to a new file of that name. */
export function discardIndex(path: string): void {
  for (const suffix of ['-journal', '']) rmSync(path + suffix, {force: true});
}

/** False for a database without anything in it. */
function isReady(db: DatabaseSync): boolean {
  const owner = readPragma(db, 'application_id');
  if (owner !== applicationId) {
    const {tables} = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
    if (owner === 0 && tables === 0) return false;
    throw new Foreign();
  }
  if (readPragma(db, 'user_version') !== version) throw new Outdated();
  return true;
}

function create(db: DatabaseSync): boolean {
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; ${schema}`);
  return true;
}

const damagedCodes: ReadonlySet<number> = new Set([1, 11, 26]);
/** SQLITE_READONLY_DBMOVED: another process has made the file anew. */
const movedCode = 1032;

export interface Diagnosis {
  /** What helps: another file, the file that is there by now, or nothing. */
  readonly remedy: 'renew' | 'reopen' | 'none';
  readonly reason: string;
}

/** Rethrows what is neither SQLite's nor the system's. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Outdated) return {remedy: 'renew', reason: 'made by another version'};
  if (error instanceof Foreign) return {remedy: 'none', reason: 'made by another program'};
  if (!(error instanceof Error) || !('errcode' in error || 'syscall' in error)) throw error;
  return {remedy: remedyFor('errcode' in error ? Number(error.errcode) : 0), reason: error.message};
}

/** Extended result codes carry the primary one in their low byte. */
function remedyFor(code: number): Diagnosis['remedy'] {
  if (code === movedCode) return 'reopen';
  return damagedCodes.has(code & 0xff) ? 'renew' : 'none';
}
