/**
 * Ownership of interactions. A process holds one lock file; the database records which holder owns which interaction. All
 * reads and changes are made inside transactions, by one process at a time, so that a lock file can be removed without a race.
 */

import {chmodSync, existsSync, mkdirSync, readdirSync, rmSync, unlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {AppError} from '../../machines/domain/app-error.ts';
import {claimState} from '../../tools/containment/own-state.ts';
import {requireInteractionId, takenOver} from './chain.ts';
import type {Awaitable, Owners, Ownership, Tenure} from './journal.ts';
import {damagedAlive, isNotDatabase, removed} from './sqlite-errors.ts';
import {IN_MEMORY, type Store} from './sqlite-store.ts';
import type {Turns} from './sqlite-turns.ts';

interface SqliteOwners extends Owners {
  /**
   * Inside a transaction, once for all of its interactions. Throws AppError `busy` when another process has taken over one, `io`
   * when any could.
   */
  readonly requireOwned: (interactions: ReadonlySet<string>) => void;
  /** Releases everything. */
  readonly close: () => void;
}

/** Notifies the log of changes of ownership. */
interface Watch {
  readonly onOwned: (interaction: string) => void;
  readonly onReleased: (interaction: string) => void;
}

export function createOwners(store: Store, turns: Turns, watch: Watch): SqliteOwners {
  const folder = lockFolder(store.path);
  const rows = ownerRows(store);
  /** Aborted when the interaction is lost. */
  const mine = new Map<string, AbortController>();
  let lock: Lock | undefined;

  const release = (interaction: string, loss: AbortController): Awaitable<void> => {
    if (!lock || mine.get(interaction) !== loss) return undefined;
    const {file} = lock;
    mine.delete(interaction);
    watch.onReleased(interaction);
    return quietly(() =>
      turns.take(() => {
        if (!mine.has(interaction)) store.quickly(() => rows.remove(interaction, file));
      }, [interaction]),
    );
  };
  const own = (interaction: string): Ownership => {
    lock ??= takeLock(folder);
    const row = rows.find(interaction);
    const isTaken = (holder: string): boolean =>
      holder === lock?.file ? mine.has(interaction) : clearUnlessHeld(folder, holder);
    if (row && isTaken(row.holder)) throw busy(interaction, row.pid);
    rows.write(interaction, lock.file);
    const loss = new AbortController();
    mine.set(interaction, loss);
    watch.onOwned(interaction);
    return {lost: loss.signal, release: () => release(interaction, loss)};
  };
  const tenureOf = (interaction: string): Tenure => {
    const row = rows.find(interaction);
    if (!row) return 'free';
    if (row.holder === lock?.file) return mine.has(interaction) ? 'owned' : 'free';
    return isHeld(folder, row.holder) ? 'owned' : 'abandoned';
  };
  return {
    own: (interaction, signal) => {
      requireInteractionId(interaction);
      const work = (): Ownership => aliveIn(store, () => store.quickly(() => own(interaction)));
      return turns.take(work, [interaction], signal);
    },
    tenureOf: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(
        () => aliveIn(store, () => store.attempt(() => tenureOf(interaction))),
        [interaction],
      );
    },
    requireOwned: (interactions) => requireHolder(interactions, {lock, folder, rows, mine}),
    close: () => {
      if (!lock) return;
      const {file, database} = lock;
      lock = undefined;
      mine.clear();
      void quietly(() => store.quickly(() => removeHolder(file, folder, rows)));
      database.close();
    },
  };
}

function aliveIn<T>({path}: Store, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw damagedAlive(path, error);
  }
}

interface OwnerRows {
  readonly find: (
    interaction: string,
  ) => {readonly holder: string; readonly pid: number} | undefined;
  /** Makes this process the owner. */
  readonly write: (interaction: string, holder: string) => void;
  readonly remove: (interaction: string, holder: string) => void;
  readonly removeAll: (holder: string) => void;
}

function ownerRows({db}: Store): OwnerRows {
  const find = db.prepare('SELECT holder, pid FROM owners WHERE interaction = ?');
  const write = db.prepare('INSERT OR REPLACE INTO owners VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM owners WHERE interaction = ? AND holder = ?');
  const removeAll = db.prepare('DELETE FROM owners WHERE holder = ?');
  return {
    find: (interaction) => {
      const row = find.get(interaction);
      return row && {holder: String(row['holder']), pid: Number(row['pid'])};
    },
    write: (interaction, holder) => void write.run(interaction, holder, process.pid),
    remove: (interaction, holder) => void remove.run(interaction, holder),
    removeAll: (holder) => void removeAll.run(holder),
  };
}

interface Held {
  readonly lock: Lock | undefined;
  readonly folder: string | undefined;
  readonly rows: OwnerRows;
  readonly mine: ReadonlyMap<string, AbortController>;
}

/** The loss is reported after the transaction, whose own error reaches the writer first. */
function requireHolder(interactions: ReadonlySet<string>, held: Held): void {
  const loss = lossAmong(interactions, held);
  if (!loss) return;
  const {interaction, error} = loss;
  queueMicrotask(() => held.mine.get(interaction)?.abort(error));
  throw error;
}

function lossAmong(
  interactions: ReadonlySet<string>,
  {lock, folder, rows}: Held,
): {readonly interaction: string; readonly error: AppError} | undefined {
  const taken = interactions
    .values()
    .find((each) => !lock || rows.find(each)?.holder !== lock.file);
  if (taken !== undefined) return {interaction: taken, error: takenOver(taken)};
  const [first] = interactions;
  if (first === undefined || folder === undefined || !lock) return undefined;
  const file = join(folder, lock.file);
  return existsSync(file) ? undefined : {interaction: first, error: removed(file, 'the lock')};
}

/** Inside a transaction: the rows of a holder, and its lock file. */
function removeHolder(file: string, folder: string | undefined, rows: OwnerRows): void {
  rows.removeAll(file);
  if (folder !== undefined) rmSync(join(folder, file), {force: true});
}

/** Ignores errors: a row that can't be removed now, on a full disk for example, is void once this process has ended. */
function quietly(forget: () => Awaitable<void>): Awaitable<void> {
  try {
    const done = forget();
    return done instanceof Promise ? done.catch(() => {}) : done;
  } catch {
    return undefined;
  }
}

function busy(interaction: string, pid: number): AppError {
  const where = pid === process.pid ? 'this process' : `process ${pid}`;
  return new AppError(
    'busy',
    `interaction ${interaction} is being run by ${where}; wait until it has ended, or cancel it`,
  );
}

// Lock files: each is held by one process, and unlocked by the operating system when that process dies.

const LOCK_FILE = /^[0-9a-f-]{36}\.lock$/;

interface Lock {
  /** The name of the file. */
  readonly file: string;
  readonly database: DatabaseSync;
}

/** Absent for a journal in memory, which no other process can see. */
function lockFolder(journal: string): string | undefined {
  return journal === IN_MEMORY ? undefined : join(dirname(journal), 'locks');
}

/** Takes a lock under a new name, after removing the lock files of dead processes. */
function takeLock(folder: string | undefined): Lock {
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
function isHeld(folder: string | undefined, file: string): boolean {
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
