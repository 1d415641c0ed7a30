/** The journal on disk: one SQLite database for all interactions, which any number of processes can have open. */

import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import {hostname} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';

import {claimState} from '../../tools/containment/own-state.ts';
import {temporaryFolder, temporaryFolders} from '../../tools/temporary-folder.ts';
import {createWorkspaceLocks} from '../performers/workspace-locks.ts';
import {requireInteractionId} from './chain.ts';
import type {
  Children,
  Host,
  Journal,
  LocalJournal,
  Reaction,
  Reactions,
  Witness,
} from './journal.ts';
import type {Sign} from './signing-key.ts';
import {createBackups} from './sqlite-backups.ts';
import {hasNoRoom, translateError} from './sqlite-errors.ts';
import {createInbox} from './sqlite-inbox.ts';
import {createLog, isEnded} from './sqlite-log.ts';
import {createOwners} from './sqlite-owners.ts';
import {IN_MEMORY, openStore, type Store} from './sqlite-store.ts';
import {createSubmissionRecords} from './sqlite-submissions.ts';
import {createTurns, type Turns} from './sqlite-turns.ts';
import {createWitness, witnessed} from './witness.ts';

export interface SqliteOptions {
  /** How long an operation waits, without blocking, while another process keeps the journal locked. Absent: 120 s. */
  readonly patienceMs?: number;
  /** Called when an operation has waited for that process for a second, and still waits. */
  readonly onLocked?: () => void;
  /** Room for the previous contents of changed files; the oldest are dropped first. Absent: 256 MiB. */
  readonly roomBytes?: number;
  /** Signs the ends of runs and the decisions of persons. Absent: entries are not signed. */
  readonly sign?: Sign;
}

/**
 * `path` is the database file; its folder is created if missing and also holds `locks/`, `heads/` and the data of
 * its host. Throws AppError `io`, `journal_corrupt`, `older_schema` or `newer_schema`. A file that it can't use stays unchanged.
 */
export function createSqliteJournal(path: string, options: SqliteOptions = {}): LocalJournal {
  const store = openStore(path);
  if (path !== IN_MEMORY) claimState(placesOf(path));
  try {
    return store.attempt(() => createJournal(store, options));
  } catch (error) {
    store.db.close();
    throw error;
  }
}

function createJournal(
  store: Store,
  {patienceMs = 120_000, onLocked = () => {}, roomBytes = 268_435_456, sign}: SqliteOptions,
): LocalJournal {
  const writers = createTurns(store, {patienceMs, onLocked});
  const readers = createTurns(store, {patienceMs, onLocked});
  const inbox = createInbox(store, writers);
  const children = createChildren(store, writers);
  const backups = createBackups(store, writers, roomBytes);
  const reactions = createReactions(store, writers, readers);
  const submissions = createSubmissionRecords(store, writers, readers);
  const folder = store.path === IN_MEMORY ? undefined : dirname(resolve(store.path));
  const witness = folder === undefined ? undefined : createWitness(join(folder, 'heads'));
  const log = createLog({
    store,
    writers,
    readers,
    sign,
    requireOwned: (interactions) => owners.requireOwned(interactions),
    besides: ({interaction, at, taken, submission, closing}) => {
      inbox.clear(interaction, closing ? undefined : taken);
      if (submission) submissions.record(interaction, at, submission);
      if (closing) children.clear(interaction);
    },
  });
  const owners = createOwners(store, writers, log);
  const erase = (interaction: string): void => {
    store.durably(() => {
      for (const part of [reactions, log, inbox, children, backups, submissions])
        part.clear(interaction);
    });
    witness?.forget(interaction);
    store.emptyLog();
  };
  const {append, read, after, salvage, lengthOf, closing, list} = log;
  const plain = {append, read, after, salvage, lengthOf, closing, list};
  return {
    log: witness ? witnessed(plain, witness, createSweep(store, witness)) : plain,
    owners: {own: owners.own, tenureOf: owners.tenureOf},
    inbox: {post: inbox.post, read: inbox.read, remove: inbox.remove, watch: inbox.watch},
    host: createHost(folder, children, sign),
    backups: {keep: backups.keep, list: backups.list, sizes: backups.sizes},
    reactions: {add: reactions.add, list: reactions.list},
    submissions,
    erase: (interaction) => {
      requireInteractionId(interaction);
      return writers.take(() => erase(interaction), [interaction]);
    },
    shrink: createShrink(store, writers),
    close: () => {
      inbox.close();
      return writers.whenIdle(() => finish(store, owners));
    },
  };
}

/** `folder`: of the journal, with the data of this machine. Absent: they are in memory. */
function createHost(
  folder: string | undefined,
  {remember, list, forget}: Children,
  sign: Sign | undefined,
): Host {
  const machine = {id: hostname(), children: {remember, list, forget}, sign};
  if (folder === undefined) return {...machine, locks: createWorkspaceLocks(undefined)};
  return {
    ...machine,
    locks: createWorkspaceLocks(join(folder, 'locks')),
    witness: createWitness(join(folder, 'witness')),
    snapshotFolder: join(folder, 'cache/snapshots'),
  };
}

function finish({db}: Store, owners: {readonly close: () => void}): void {
  if (!db.isOpen) return;
  owners.close();
  db.close();
}

/** In the folder of the journal. */
const ownFolders = ['locks', 'heads', 'witness', 'keys', 'cache/snapshots'];

function placesOf(path: string): readonly string[] {
  const file = resolve(path);
  const folder = dirname(file);
  const parts = ['', '-wal', '-shm', '-journal'].map((part) => `${file}${part}`);
  return [...parts, ...ownFolders.map((name) => join(folder, name))];
}

/** A child is held back until it is recorded. Long enough for any commit, too short to be noticed. */
const REMEMBER_MS = 1000;

interface SqliteChildren extends Children {
  /** Synchronous, so that no child runs unrecorded. Throws AppError `io` when the row can't be written: don't start it then. */
  readonly remember: (interaction: string, processGroup: number, startedAt: string) => void;
  /** Inside a transaction. */
  readonly clear: (interaction: string) => void;
}

export function createChildren(store: Store, turns: Turns): SqliteChildren {
  const {db, attempt, patiently, quickly} = store;
  const insert = db.prepare('INSERT OR REPLACE INTO children VALUES (?, ?, ?)');
  const findAll = db.prepare('SELECT * FROM children WHERE interaction = ? ORDER BY rowid');
  const remove = db.prepare('DELETE FROM children WHERE interaction = ?');
  const clear = (interaction: string): void => {
    remove.run(interaction);
  };
  return {
    remember: (interaction, processGroup, startedAt) => {
      requireInteractionId(interaction);
      patiently(REMEMBER_MS, () => quickly(() => insert.run(interaction, processGroup, startedAt)));
    },
    list: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(() => attempt(() => findAll.all(interaction).map(toGroup)), [interaction]);
    },
    forget: (interaction) => {
      requireInteractionId(interaction);
      return turns.take(() => quickly(() => clear(interaction)), [interaction]);
    },
    clear,
  };
}

function toGroup(row: Record<string, unknown>): {processGroup: number; startedAt: string} {
  return {processGroup: Number(row['process_group']), startedAt: String(row['started_at'])};
}

interface SqliteReactions extends Reactions {
  /** Inside a transaction, before the interaction itself is removed. */
  readonly clear: (interaction: string) => void;
}

export function createReactions(store: Store, writers: Turns, readers: Turns): SqliteReactions {
  const {db, attempt, durably} = store;
  const insert = db.prepare(
    `INSERT OR REPLACE INTO reactions SELECT number, ?, ?, ?, ? FROM interactions WHERE id = ?`,
  );
  const find = db.prepare(
    `SELECT id, kind, at, words FROM reactions JOIN interactions USING (number)
     WHERE ?1 IS NULL OR id = ?1 ORDER BY reactions.number, about`,
  );
  const remove = db.prepare(
    'DELETE FROM reactions WHERE number = (SELECT number FROM interactions WHERE id = ?)',
  );
  return {
    add: (interaction, {kind, at, words}) => {
      requireInteractionId(interaction);
      const about = kind === 'undone' ? 'changes' : 'result';
      const row = [about, kind, at, words ?? null, interaction];
      return writers.take(() => durably(() => void insert.run(...row)), [interaction]);
    },
    list: (interaction) =>
      readers.take(() => attempt(() => find.all(interaction ?? null).flatMap(toReaction)), []),
    clear: (interaction) => void remove.run(interaction),
  };
}

const kinds = ['up', 'down', 'undone'] as const;

export function toReaction({
  id,
  kind: kept,
  at,
  words,
}: Readonly<Record<string, unknown>>): (Reaction & {readonly interaction: string})[] {
  const kind = kinds.find((each) => each === kept);
  if (kind === undefined) return [];
  const said = typeof words === 'string' ? {words} : {};
  return [{interaction: String(id), kind, at: Number(at), ...said}];
}

// A journal in memory: a database without a file. It is lost when its process ends.

export function createMemoryJournal(options: {readonly sign?: Sign} = {}): LocalJournal {
  return createSqliteJournal(IN_MEMORY, options);
}

// Opens a journal on disk for reading, also where nothing can be written: on a read-only disk, in another user's home.

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

// Removes the witness files of ended interactions, once the main file of the database holds their ends. One changed bit in the
// write-ahead log hides everything after it, so until then only the witness file proves the end.

/** With this many files, the write-ahead log is moved into the database so that they can be removed. */
const MOST_KEPT = 256;

/**
 * Sweeps at once, and again when the returned function was called with enough interactions that have just ended. A failure leaves
 * the files for the next time.
 */
function createSweep(store: Store, witness: Witness): (count: number) => void {
  const find = store.db.prepare(`SELECT 1 FROM interactions WHERE id = ? AND ${isEnded}`);
  const hasEnded = (interaction: string) => find.get(interaction) !== undefined;
  const sweep = (): void => {
    try {
      const ended = witness.interactions().filter(hasEnded);
      if (ended.length === 0) return;
      if (!isLogEmpty(store.path)) {
        if (ended.length < MOST_KEPT) return;
        store.emptyLog();
      }
      for (const interaction of ended) witness.forget(interaction);
    } catch {}
  };
  sweep();
  let endings = 0;
  return (count) => {
    endings += count;
    if (endings < MOST_KEPT) return;
    endings = 0;
    sweep();
  };
}

function isLogEmpty(path: string): boolean {
  return (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size ?? 0) === 0;
}

// Gives the space of erased interactions back to the disk.

/** Rewrites the database without its free pages, which needs room for a copy of the rest. */
function createShrink(
  {path, db, attempt, emptyLog}: Store,
  writers: Turns,
): NonNullable<Journal['shrink']> {
  return () =>
    writers.take(() => {
      const before = journalBytes(path);
      attempt(() => db.exec('VACUUM'));
      emptyLog();
      return {before, after: journalBytes(path)};
    }, []);
}

/** Bytes of a database with its write-ahead log; 0 if it does not exist. */
export function journalBytes(path: string): number {
  return ['', '-wal']
    .map((part) => statSync(path + part, {throwIfNoEntry: false})?.size ?? 0)
    .reduce((sum, size) => sum + size);
}
