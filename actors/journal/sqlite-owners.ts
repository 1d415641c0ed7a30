/**
 * Who runs which interaction. A process holds one lock file, which the operating system unlocks when it dies; the
 * database says which holder owns what. All is read and changed inside transactions of the database, one process at a
 * time, so that a lock file can be removed without a race.
 */

import {randomUUID} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Immediate, Owners, Ownership} from './journal.ts';
import {isNotDatabase} from './sqlite-errors.ts';
import type {Store} from './sqlite-store.ts';

const LOCK_FILE = /^[0-9a-f-]{36}\.lock$/;

interface Holder {
  readonly file: string;
  readonly lock: DatabaseSync;
}

interface SqliteOwners extends Immediate<Owners> {
  /** Releases everything. */
  readonly close: () => void;
}

export function createOwners(store: Store): SqliteOwners {
  const folder = join(dirname(store.path), 'locks');
  const find = store.db.prepare('SELECT holder, pid FROM owners WHERE interaction = ?');
  const claim = store.db.prepare('INSERT OR REPLACE INTO owners VALUES (?, ?, ?)');
  const disown = store.db.prepare('DELETE FROM owners WHERE interaction = ? AND holder = ?');
  const disownAll = store.db.prepare('DELETE FROM owners WHERE holder = ?');
  const mine = new Map<string, Ownership>();
  let holder: Holder | undefined;

  const release = (interaction: string, ownership: Ownership) => {
    if (!holder || mine.get(interaction) !== ownership) return;
    const {file} = holder;
    mine.delete(interaction);
    tryTo(() => store.quickly(() => disown.run(interaction, file)));
  };
  return {
    own: (interaction) =>
      store.quickly(() => {
        holder ??= becomeHolder(folder);
        const row = find.get(interaction);
        const owner = String(row?.['holder']);
        const taken = owner === holder.file ? mine.has(interaction) : isAlive(folder, owner);
        if (taken) throw busy(interaction, Number(row?.['pid']));
        claim.run(interaction, holder.file, process.pid);
        const ownership: Ownership = {release: () => release(interaction, ownership)};
        mine.set(interaction, ownership);
        return ownership;
      }),
    tenureOf: (interaction) => {
      const owner = find.get(interaction)?.['holder'];
      if (owner === undefined) return 'free';
      if (owner === holder?.file) return mine.has(interaction) ? 'owned' : 'free';
      return isAlive(folder, String(owner)) ? 'owned' : 'abandoned';
    },
    close: () => {
      if (!holder) return;
      const {file, lock} = holder;
      holder = undefined;
      mine.clear();
      tryTo(() =>
        store.quickly(() => {
          disownAll.run(file);
          rmSync(join(folder, file), {force: true});
        }),
      );
      lock.close();
    },
  };
}

/** What can't be written now, on a full disk say, holds no longer than this process does. */
function tryTo(forget: () => void): void {
  try {
    forget();
  } catch {}
}

/** Takes a lock under a name that nobody has used, after clearing away the locks of the dead. */
function becomeHolder(folder: string): Holder {
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const file of readdirSync(folder)) isAlive(folder, file);
  const file = `${randomUUID()}.lock`;
  const lock = new DatabaseSync(join(folder, file));
  chmodSync(join(folder, file), 0o600);
  lockExclusively(lock);
  return {file, lock};
}

/** Whether a process holds the lock; the file of a dead one is removed, as its name never comes back. */
function isAlive(folder: string, file: string): boolean {
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

function busy(interaction: string, pid: number): AppError {
  const where = pid === process.pid ? 'this process' : `process ${pid}`;
  return new AppError(
    'busy',
    `interaction ${interaction} is being run by ${where}; wait until it has ended, or cancel it`,
  );
}
