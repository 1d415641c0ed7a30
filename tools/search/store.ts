/**
 * The file of an index. It is a cache: a damaged file or one of another version is made again. A file that may belong to
 * another program is left alone.
 */

import {closeSync, existsSync, mkdirSync, openSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {readPragma, transact} from '../sqlite.ts';

const applicationId = 0x51_53_52_43;
/** The first number is raised when chunks or words change; words also depend on the version of the Unicode library. */
const version = 2_000 + Number.parseInt(process.versions['icu'] ?? '0', 10);
const lockTimeoutMs = 5_000;

/** Words are stored folded and separated by spaces: the ascii tokenizer treats every other character as part of a word. */
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

/** Another version of Quorate has made the file. */
class Outdated extends Error {}

/** The file is a valid database of another program. */
class Foreign extends Error {}

/** Makes the file and its folder if they are missing, for the user alone. Throws the errors of SQLite and the system. */
export function openIndex(path: string): DatabaseSync {
  if (path !== inMemory) {
    mkdirSync(dirname(path), {recursive: true, mode: 0o700});
    // Closing one of this process's own descriptors drops SQLite's locks on the file.
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

/** The log of an unfinished change is deleted first: SQLite would apply it to a new file of that name. */
export function discardIndex(path: string): void {
  for (const suffix of ['-journal', '']) rmSync(path + suffix, {force: true});
}

/** False for an empty database. */
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
/** SQLITE_READONLY_DBMOVED: another process has replaced the file. */
const movedCode = 1032;

export interface Diagnosis {
  /** The remedy: a new file, opening the current file again, or none. */
  readonly remedy: 'renew' | 'reopen' | 'none';
  readonly reason: string;
}

/** Rethrows errors that are neither SQLite's nor the system's. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Outdated) return {remedy: 'renew', reason: 'made by another version'};
  if (error instanceof Foreign) return {remedy: 'none', reason: 'made by another program'};
  if (!(error instanceof Error) || !('errcode' in error || 'syscall' in error)) throw error;
  return {remedy: remedyFor('errcode' in error ? Number(error.errcode) : 0), reason: error.message};
}

/** The low byte of an extended result code is the primary one. */
function remedyFor(code: number): Diagnosis['remedy'] {
  if (code === movedCode) return 'reopen';
  return damagedCodes.has(code & 0xff) ? 'renew' : 'none';
}
