/** The tables of a journal. */

import type {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {readPragma} from '../../tools/sqlite.ts';
import {damaged} from './sqlite-errors.ts';

const APPLICATION_ID = 0x51_55_4f_52;
const VERSION = 6;

/**
 * `entries`, `updated_at` and `hash` of an interaction are its head: written with each entry, compared by each reader.
 * `bytes` is the size of its bodies; `imported` is 1 for a run that an earlier version has taken from another journal. Entries are stored in the order of their arrival, which costs the least to write; `mark` is the beginning of the hash,
 * `body` is encoded by dictionary.ts.
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

export function writeSchema(db: DatabaseSync): void {
  db.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${TABLES} ${REACTIONS} ${BESIDES}`);
  db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
}

/** Throws AppError `journal_corrupt` for a file that is not a journal, `older_schema` or `newer_schema` for a journal of another schema. */
export function requireSchema(path: string, db: DatabaseSync): void {
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
