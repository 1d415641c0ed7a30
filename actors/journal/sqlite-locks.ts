/** Lock files: each is held by one process, and unlocked by the operating system when that process dies. */

import {chmodSync, existsSync, mkdirSync, readdirSync, unlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {claimState} from '../../tools/containment/own-state.ts';
import {isNotDatabase} from './sqlite-errors.ts';
import {IN_MEMORY} from './sqlite-store.ts';

const LOCK_FILE = /^[0-9a-f-]{36}\.lock$/;

export interface Lock {
  /** The name of the file. */
  readonly file: string;
  readonly database: DatabaseSync;
}

/** Absent for a journal in memory, which no other process can see. */
export function lockFolder(journal: string): string | undefined {
  return journal === IN_MEMORY ? undefined : join(dirname(journal), 'locks');
}

/** Takes a lock under a new name, after removing the lock files of dead processes. */
export function takeLock(folder: string | undefined): Lock {
  if (folder === undefined) return {file: 'memory', database: new DatabaseSync(IN_MEMORY)};
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const file of readdirSync(folder)) clearUnlessHeld(folder, file);
  const file = `${crypto.randomUUID()}.lock`;
  const database = new DatabaseSync(join(folder, file));
  claimState([join(folder, file)]);
  chmodSync(join(folder, file), 0o600);
  lockExclusively(database);
  return {file, database};
}

/** True while a process holds the lock. */
export function isHeld(folder: string | undefined, file: string): boolean {
  if (folder === undefined) return false;
  const path = join(folder, file);
  if (!LOCK_FILE.test(file) || !existsSync(path)) return false;
  const lock = new DatabaseSync(path);
  try {
    lockExclusively(lock);
    return false;
  } catch (error) {
    return !isNotDatabase(error);
  } finally {
    lock.close();
  }
}

/** As {@link isHeld}, and removes the file of a dead process, as its name is never used again. One process at a time. */
export function clearUnlessHeld(folder: string | undefined, file: string): boolean {
  if (isHeld(folder, file)) return true;
  if (folder === undefined) return false;
  // Not rmSync: on a read-only disk its error has no code.
  if (LOCK_FILE.test(file) && existsSync(join(folder, file))) unlinkSync(join(folder, file));
  return false;
}

function lockExclusively(lock: DatabaseSync): void {
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
}
