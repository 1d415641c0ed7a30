/** The tables of a journal, and the migrations from earlier versions. */

import type {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {readPragma, transact} from '../../tools/sqlite.ts';
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
/** Figures of ended interactions as JSON, and reactions of persons: one to each subject (`about`). */
const METRICS = `
  CREATE TABLE metrics (number INTEGER PRIMARY KEY, figures TEXT NOT NULL) STRICT;
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

/** Makes each run of an earlier schema a session of its own, with the answer of its last entry; none if that is damaged. */
const SESSIONS = `
  UPDATE openings
    SET session = (SELECT id FROM interactions WHERE interactions.number = openings.number);
  UPDATE interactions
    SET answer = (
      SELECT CASE
        WHEN json_valid(body) THEN coalesce(body ->> '$.result.answer', body ->> '$.result.summary')
      END
      FROM entries WHERE interaction = number AND seq = interactions.entries - 1
    )
    WHERE status IS NOT NULL;
`;

const SIZES = `
  UPDATE interactions SET bytes = sizes.bytes
    FROM (SELECT interaction, sum(octet_length(body)) AS bytes FROM entries GROUP BY interaction) AS sizes
    WHERE sizes.interaction = number;
`;

/** Up to schema 4, no interaction had a size or was imported. Schema 3 stored longer entries, which this version can still read. */
const FROM_4 = `
  ALTER TABLE interactions ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE interactions ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
  ${SIZES}
`;

/** Schema 2 had no sessions. */
const FROM_2 = `
  ALTER TABLE interactions ADD COLUMN answer TEXT;
  ALTER TABLE openings ADD COLUMN session TEXT;
  ${SESSIONS}
  ${FROM_4}
`;

/** Schema 1 stored a whole hash and the id with each entry, and no head. Its hashes are computed in the same way. */
const FROM_1 = `
  ALTER TABLE entries RENAME TO entries_1;
  ${TABLES}
  INSERT INTO interactions
    SELECT row_number() OVER (ORDER BY opened.rowid IS NULL, opened.rowid, last.interaction), last.interaction, last.seq + 1, last.at, last.hash, status, NULL, 0, 0
    FROM (SELECT interaction, max(seq) AS seq, at, hash FROM entries_1 GROUP BY interaction) AS last
    LEFT JOIN sessions AS opened ON opened.id = last.interaction;
  INSERT INTO openings
    SELECT number, form, request, workspace, opened_at, NULL FROM sessions JOIN interactions USING (id);
  INSERT INTO entries
    SELECT number, seq, at, substr(entries_1.hash, 1, 6), body
    FROM entries_1 JOIN interactions ON id = interaction ORDER BY entries_1.rowid;
  DROP TABLE entries_1;
  DROP TABLE sessions;
  DELETE FROM inbox WHERE interaction IN (SELECT id FROM interactions WHERE status IS NOT NULL);
  DELETE FROM children WHERE interaction IN (SELECT id FROM interactions WHERE status IS NOT NULL);
  ${SESSIONS}
  ${SIZES}
`;

/** To schema 5. */
const FROM: Readonly<Record<number, string>> = {1: FROM_1, 2: FROM_2, 3: FROM_4, 4: FROM_4};

/** Up to schema 4, backups did not name the effect. */
const EFFECTS = 'ALTER TABLE backups ADD COLUMN effect TEXT';
const FIND_BACKUPS = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backups'`;

export function writeSchema(db: DatabaseSync): void {
  db.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${TABLES} ${METRICS} ${BESIDES}`);
  db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
}

/**
 * Throws AppError `journal_corrupt` for a file that is not a journal, `newer_schema` for a journal of an unknown version.
 * Migrates an older journal completely or not at all; `refuse` may throw before, when no other process can write.
 */
export function requireSchema(path: string, db: DatabaseSync, refuse: () => void): void {
  if (readPragma(db, 'application_id') !== APPLICATION_ID) {
    throw damaged(path, 'the database belongs to another program');
  }
  if (checkedVersion(path, db) === VERSION) return;
  transact(db, () => {
    const version = checkedVersion(path, db);
    if (version === VERSION) return;
    refuse();
    db.exec(FROM[version] ?? '');
    if (version < 5 && hasBackups(db)) db.exec(EFFECTS);
    db.exec(METRICS);
    db.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

/** The table of backups is created by the first write of a run. */
export function hasBackups(db: DatabaseSync): boolean {
  return db.prepare(FIND_BACKUPS).get() !== undefined;
}

function checkedVersion(path: string, db: DatabaseSync): number {
  const version = Number(readPragma(db, 'user_version'));
  if (version >= 1 && version <= VERSION) return version;
  if (version < 1) throw damaged(path, `unknown schema version ${version}`);
  throw new AppError(
    'newer_schema',
    `${path} was written by a newer version (schema ${version}, this one knows ${VERSION}); upgrade to read it`,
  );
}
