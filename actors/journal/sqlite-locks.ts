/** Lock files: each is held by one process, and unlocked by the operating system when that process dies. */

import {randomUUID} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {isNotDatabase} from './sqlite-errors.ts';

const LOCK_FILE = /^[0-9a-f-]{36}\.lock$/;

export interface Lock {
  /** The name of the file. */
  readonly file: string;
  readonly database: DatabaseSync;
}

export function lockFolder(journal: string): string {
  return join(dirname(journal), 'locks');
}

/** Takes a lock under a name that nobody has used, after clearing away the locks of the dead. */
export function takeLock(folder: string): Lock {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const file of readdirSync(folder)) isLocked(folder, file);
  const file = `${randomUUID()}.lock`;
  const database = new DatabaseSync(join(folder, file));
  chmodSync(join(folder, file), 0o600);
  lockExclusively(database);
  return {file, database};
}

/** Whether a process holds the lock; the file of a dead one is removed, as its name never comes back. */
export function isLocked(folder: string, file: string): boolean {
  const path = join(folder, file);
  if (!LOCK_FILE.test(file) || !existsSync(path)) return false;
  const lock = new DatabaseSync(path);
  try {
    lockExclusively(lock);
  } catch (error) {
    return !isNotDatabase(error);
  } finally {
    lock.close();
  }
  rmSync(path, {force: true});
  return false;
}

function lockExclusively(lock: DatabaseSync): void {
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
}
