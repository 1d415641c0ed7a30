/** Opens a journal on disk for reading, also where nothing can be written: on a read-only disk, in another user's home. */

import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';

import {temporaryFolder, temporaryFolders} from '../../tools/temporary-folder.ts';
import type {Journal} from './journal.ts';
import {hasNoRoom, translateError} from './sqlite-errors.ts';
import {createSqliteJournal, type SqliteOptions} from './sqlite.ts';

/**
 * Opens the journal itself where it can be written, because SQLite keeps a log beside it even for readers; otherwise, and on
 * a full disk, opens a copy. Closing the copy removes it, with everything that was written to it. Throws as
 * {@link createSqliteJournal} does.
 */
export function readSqliteJournal(path: string, options: SqliteOptions = {}): Journal {
  if (existsSync(path) && !isWritable(path)) return openCopy(path, temporaryFolder(), options);
  try {
    return createSqliteJournal(path, options);
  } catch (error) {
    const place = existsSync(path) && hasNoRoom(dirname(path)) ? roomyFolder() : undefined;
    if (place === undefined) throw error;
    return openCopy(path, place, options);
  }
}

/** A folder with room for a copy. On many machines `/tmp` is on the full disk, while the other folders are in memory. */
function roomyFolder(): string | undefined {
  return temporaryFolders().find((folder) => existsSync(folder) && !hasNoRoom(folder));
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

/** Copies the database, its write-ahead log and the witness files. Throws AppError `io`. */
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
