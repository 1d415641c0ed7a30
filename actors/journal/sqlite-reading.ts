/** A journal on disk for whoever only reads it, also where nothing can be written: on a read-only disk, in another's home. */

import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';

import type {Journal} from './journal.ts';
import {translateError} from './sqlite-errors.ts';
import {createSqliteJournal, type SqliteOptions} from './sqlite.ts';

/**
 * The journal itself where it can be written, as SQLite keeps a log beside it even for readers; otherwise a copy, which
 * is gone when it is closed, and what is written to it as well. Throws as {@link createSqliteJournal} does.
 */
export function readSqliteJournal(path: string, options: SqliteOptions = {}): Journal {
  if (!existsSync(path) || isWritable(path)) return createSqliteJournal(path, options);
  const folder = mkdtempSync(join(tmpdir(), 'quorate-journal-'));
  const forget = (): void => rmSync(folder, {recursive: true, force: true});
  try {
    const journal = createSqliteJournal(copyInto(folder, path), options);
    return {
      ...journal,
      close: async () => {
        await journal.close();
        forget();
      },
    };
  } catch (error) {
    forget();
    throw error;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The database, what was not yet brought into it, and how far each interaction had come. Throws AppError `io`. */
function copyInto(folder: string, path: string): string {
  const copy = join(folder, basename(path));
  try {
    for (const part of ['', '-wal']) {
      if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    }
    const heads = join(dirname(path), 'heads');
    if (existsSync(heads)) cpSync(heads, join(folder, 'heads'), {recursive: true});
  } catch (error) {
    throw translateError(path, error);
  }
  return copy;
}
