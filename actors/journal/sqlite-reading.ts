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
import {hasNoRoom, translateError} from './sqlite-errors.ts';
import {createSqliteJournal, type SqliteOptions} from './sqlite.ts';

/**
 * The journal itself where it can be written, as SQLite keeps a log beside it even for readers; otherwise, and on a full
 * disk, a copy, which is removed with all that is written to it when it is closed. Throws as {@link createSqliteJournal}
 * does.
 */
export function readSqliteJournal(path: string, options: SqliteOptions = {}): Journal {
  if (existsSync(path) && !isWritable(path)) return openCopy(path, tmpdir(), options);
  try {
    return createSqliteJournal(path, options);
  } catch (error) {
    const place = existsSync(path) && hasNoRoom(dirname(path)) ? roomyFolder() : undefined;
    if (place === undefined) throw error;
    return openCopy(path, place, options);
  }
}

/** For a copy. On many machines `/tmp` is on the disk that is full, while others of these are in memory. */
function roomyFolder(): string | undefined {
  const folders = [tmpdir(), process.env['XDG_RUNTIME_DIR'] ?? '', '/dev/shm'];
  return folders.find((folder) => existsSync(folder) && !hasNoRoom(folder));
}

function openCopy(path: string, place: string, options: SqliteOptions): Journal {
  const folder = mkdtempSync(join(place, 'quorate-journal-'));
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
