/** The journal on disk: one SQLite database for all interactions, which any number of processes can have open. */

import {dirname, join, resolve} from 'node:path';

import {claimState} from '../../tools/containment/own-state.ts';
import {requireInteractionId} from './chain.ts';
import type {Journal} from './journal.ts';
import {createShrink} from './retention/sqlite-shrink.ts';
import type {Sign} from './signing/signature.ts';
import {createBackups} from './sqlite-backups.ts';
import {createChildren} from './sqlite-children.ts';
import {createInbox} from './sqlite-inbox.ts';
import {createLog} from './sqlite-log.ts';
import {createOwners} from './sqlite-owners.ts';
import {createReactions} from './sqlite-reactions.ts';
import {IN_MEMORY, openStore, type Store} from './sqlite-store.ts';
import {createSweep} from './sqlite-sweep.ts';
import {createTurns} from './sqlite-turns.ts';
import {createWitness} from './sqlite-witness.ts';

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
 * `path` is the database file; its folder is created if missing and also holds `locks/` and `heads/`. Throws
 * AppError `io`, `journal_corrupt`, `older_schema` or `newer_schema`. A file that it can't use stays unchanged.
 */
export function createSqliteJournal(path: string, options: SqliteOptions = {}): Journal {
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
): Journal {
  const writers = createTurns(store, {patienceMs, onLocked});
  const readers = createTurns(store, {patienceMs, onLocked});
  const inbox = createInbox(store, writers);
  const children = createChildren(store, writers);
  const backups = createBackups(store, writers, roomBytes);
  const reactions = createReactions(store, writers, readers);
  const witness = createWitness(store.path);
  const {sweep, onEnded} = createSweep(store, witness);
  const log = createLog({
    store,
    writers,
    readers,
    witness,
    sign,
    onEnded,
    requireOwned: (interaction) => owners.requireOwned(interaction),
    onClosed: (interaction) => {
      inbox.clear(interaction);
      children.clear(interaction);
    },
  });
  const owners = createOwners(store, writers, log);
  sweep();
  const erase = (interaction: string): void => {
    store.durably(() => {
      for (const part of [reactions, log, inbox, children, backups]) part.clear(interaction);
    });
    witness.forget(interaction);
    store.emptyLog();
  };
  const {append, read, salvage, lengthOf, closing, list} = log;
  return {
    log: {append, read, salvage, lengthOf, closing, list},
    owners: {own: owners.own, tenureOf: owners.tenureOf},
    inbox: {post: inbox.post, take: inbox.take, watch: inbox.watch},
    children: {remember: children.remember, list: children.list, forget: children.forget},
    backups: {keep: backups.keep, list: backups.list, sizes: backups.sizes},
    reactions: {add: reactions.add, list: reactions.list},
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

function finish({db}: Store, owners: {readonly close: () => void}): void {
  if (!db.isOpen) return;
  owners.close();
  db.close();
}

function placesOf(path: string): readonly string[] {
  const file = resolve(path);
  const folder = dirname(file);
  const parts = ['', '-wal', '-shm', '-journal'].map((part) => `${file}${part}`);
  return [...parts, ...['locks', 'heads', 'keys'].map((name) => join(folder, name))];
}
