/** The journal on PostgreSQL, which the processes of several machines share. */

import {hostname} from 'node:os';

import {requireInteractionId} from '../chain.ts';
import type {Journal} from '../journal.ts';
import type {Sign} from '../signing-key.ts';
import {connectTo, createStore, type Database, type Store} from './pg-database.ts';
import {createPgInbox} from './pg-inbox.ts';
import {createPgLog} from './pg-log.ts';
import {PgOwners, readSharing} from './pg-owners.ts';
import {
  createPgBackups,
  createPgHosts,
  createPgRates,
  createPgReactions,
  createPgSubmissions,
} from './pg-records.ts';
import {migrate, runTables} from './pg-schema.ts';

export type {Database};

export interface PostgresOptions {
  /** `postgres://user:password@host/database`; `sslmode` and the like as in libpq. A secret. */
  readonly url?: string;
  /** In place of `url`: a database in this process that speaks PostgreSQL's SQL. It stays open. */
  readonly database?: Database;
  /** Absent: `quorate`. */
  readonly schema?: string;
  /**
   * The id of this machine, as it is enrolled: runs listed by folder are then those of this machine or of none. Absent: for people
   * its host name stands beside what it owns.
   */
  readonly host?: string;
  /** How long an operation is repeated while the server can't be reached. Absent: 10 s. */
  readonly patienceMs?: number;
  /** Signs the ends of runs and the decisions of persons. Absent: entries are not signed. */
  readonly sign?: Sign;
}

/**
 * Creates the tables unless they are there. Rejects with AppError `config` for an invalid address or without the package `pg`,
 * `io` when the server can't be reached or refuses, `newer_schema`.
 */
export async function createPostgresJournal({
  url = '',
  database: given,
  schema = 'quorate',
  host,
  patienceMs = 10_000,
  sign,
}: PostgresOptions): Promise<Journal> {
  const database = given ?? (await connectTo(url));
  const disconnect = async (): Promise<void> => {
    if (!given) await database.close();
  };
  const store = createStore(database, {schema, patienceMs});
  try {
    await store.attempt(async () => await migrate(database, schema));
  } catch (error) {
    await disconnect();
    throw error;
  }
  const inbox = createPgInbox(store, database, `${schema}_inbox`);
  const log = createPgLog({
    store,
    sign,
    host,
    tokenOf: (run) => owners.tokenOf(run),
    requireOwned: async (query, runs) => await owners.requireOwned(query, runs),
    onTakenOver: (run, error) => owners.lose(run, error),
  });
  const owners = new PgOwners(store, host ?? hostname(), log);
  let isClosed = false;
  return {
    ...createParts(store),
    log,
    owners,
    inbox,
    erase: async (run) => {
      requireInteractionId(run);
      await eraseRows(run, store);
      log.onErased(run);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      inbox.close();
      await log.whenIdle();
      await owners.close();
      await disconnect();
    },
  };
}

function createParts(
  store: Store,
): Pick<Journal, 'backups' | 'reactions' | 'submissions' | 'hosts' | 'rates' | 'sharing'> {
  return {
    backups: createPgBackups(store),
    reactions: createPgReactions(store),
    submissions: createPgSubmissions(store),
    hosts: createPgHosts(store),
    rates: createPgRates(store),
    sharing: async () => await readSharing(store),
  };
}

async function eraseRows(run: string, {transact, at}: Store): Promise<void> {
  await transact(
    async (query) => {
      const places = [...runTables.map((table) => `${table} WHERE run`), 'runs WHERE id'];
      await Promise.all(
        places.map(async (place) => await query(`DELETE FROM ${at}${place} = $1`, [run])),
      );
    },
    {isRepeatable: true},
  );
}
