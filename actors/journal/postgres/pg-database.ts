/** Connections to a PostgreSQL server, and the errors of its statements. */

import {setTimeout as wait} from 'node:timers/promises';

import type {Client, Pool} from 'pg';

import {AppError} from '../../../machines/domain/app-error.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Query = (sql: string, args?: readonly unknown[]) => Promise<readonly Row[]>;

/** A server that speaks PostgreSQL's SQL. Operations reject with its errors, which have an SQLSTATE as `code`. */
export interface Database {
  /** One statement, on any connection. */
  readonly query: Query;
  /** Commits when the work resolves. Its statements are executed one by one, in the order of the calls. */
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** Calls back with the payloads of notifications. Some may be lost. Never fails. */
  readonly listen: (channel: string, onMessage: (payload: string) => void) => void;
  readonly close: () => Promise<void>;
}

/** For all lines of appends, and for reads beside them. */
const MOST_CONNECTIONS = 8;
const CONNECT_MS = 5_000;
const RECONNECT_MS = 500;

/** Connects when it is first used. Rejects with AppError `config` where the package `pg` is missing, or for an invalid address. */
export async function connectTo(url: string): Promise<Database> {
  const pg = await loadClient();
  const options = {
    connectionString: checkedUrl(url),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'quorate',
  };
  const pool = new pg.Pool({...options, max: MOST_CONNECTIONS});
  // Of a broken connection, also between two statements of a transaction: the next statement rejects.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const listener = new Listener(() => new pg.Client(options));
  return {
    query: async (sql, args = []) => (await pool.query<Row>(sql, [...args])).rows,
    transaction: async (work) => await transact(pool, work),
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    close: async () => {
      await Promise.all([listener.close(), pool.end()]);
    },
  };
}

async function loadClient() {
  try {
    return await import('pg');
  } catch (error) {
    throw new AppError('config', 'a journal on PostgreSQL needs the package pg: npm install pg', {
      cause: error,
    });
  }
}

/** The message does not repeat the address, which may hold a password. */
function checkedUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  if (protocol === 'postgres:' || protocol === 'postgresql:') return url;
  throw new AppError(
    'config',
    'the address of a journal begins with postgres:// or postgresql://, as in postgres://user@host/database',
  );
}

async function transact<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let last: Promise<unknown> = Promise.resolve();
  const query: Query = async (sql, args = []) => {
    const done = last.then(async () => (await client.query<Row>(sql, [...args])).rows);
    last = done.catch(() => {});
    return await done;
  };
  try {
    await query('BEGIN');
    const result = await work(query);
    await query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const isBroken = isUnreachable(error);
    if (!isBroken) await query('ROLLBACK').catch(() => {});
    client.release(isBroken);
    throw error;
  }
}

/** One connection for all notifications, opened again when it is lost. */
class Listener {
  readonly #connect: () => Client;
  #client: Client | undefined;
  #isClosed = false;

  constructor(connect: () => Client) {
    this.#connect = connect;
  }

  listen(channel: string, onMessage: (payload: string) => void): void {
    const client = this.#connect();
    this.#client = client;
    client.on('notification', ({payload = ''}) => onMessage(payload));
    client.on('error', () => {});
    client.once('end', () => {
      if (this.#isClosed) return;
      setTimeout(() => {
        if (!this.#isClosed) this.listen(channel, onMessage);
      }, RECONNECT_MS).unref();
    });
    void this.#begin(client, channel);
  }

  async #begin(client: Client, channel: string): Promise<void> {
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
    } catch {
      await client.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
  }
}

/** The columns of rows of the same length, as `unnest` takes them. */
export function columnsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  const [first = []] = rows;
  return first.map((_, column) => rows.map((row) => row[column]));
}

/** A database whose statements are repeated while its server can't be reached, and whose errors are AppErrors. */
export interface Store {
  /** The prefix of its tables: the schema with a dot. */
  readonly at: string;
  /** One statement that may be repeated: its second execution has no further effect. */
  readonly query: Query;
  /** One statement, executed once at most. */
  readonly queryOnce: Query;
  /** Repeated as a whole when it conflicts with another, and if `isRepeatable` also when its outcome is unknown. */
  readonly transact: <T>(
    work: (query: Query) => Promise<T>,
    how: {readonly isRepeatable: boolean},
  ) => Promise<T>;
  /** Translates the errors of the work. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T>;
  /** A consistent view of all that the work reads. */
  readonly consistently: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
}

export function createStore(
  database: Database,
  {schema, patienceMs}: {readonly schema: string; readonly patienceMs: number},
): Store {
  const {query, transaction} = database;
  const patiently = async <T>(work: () => Promise<T>, isRepeatable: boolean): Promise<T> =>
    await repeat(work, isRepeatable, performance.now() + patienceMs);
  return {
    at: `${schema}.`,
    query: async (sql, args) => await patiently(async () => await query(sql, args), true),
    queryOnce: async (sql, args) => await patiently(async () => await query(sql, args), false),
    transact: async (work, {isRepeatable}) =>
      await patiently(async () => await transaction(work), isRepeatable),
    attempt: async (work) => await patiently(work, true),
    consistently: async (work) =>
      await patiently(
        async () =>
          await transaction(async (within) => {
            await within('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
            return await work(within);
          }),
        true,
      ),
  };
}

const RETRY_MS = 100;

async function repeat<T>(work: () => Promise<T>, isRepeatable: boolean, until: number): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isWorthwhile = hasConflicted(error) || (isRepeatable && isUnreachable(error));
    if (!isWorthwhile || performance.now() >= until) throw translated(error);
    await wait(RETRY_MS * (1 + Math.random()));
    return await repeat(work, isRepeatable, until);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Serialization failures and deadlocks: nothing was done. */
function hasConflicted(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** The key of a row is taken. */
export function isKeyTaken(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** The schema, table or row exists already, as another process has just created it. */
export function isThere(error: unknown): boolean {
  return isKeyTaken(error) || ['42P06', '42P07', '42710'].includes(codeOf(error));
}

/** The server is away, begins or ends, or the connection broke. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const code = codeOf(error);
  return (
    /^(?:08...|57P0[1-5]|53300|E[A-Z_]+)$/.test(code) ||
    /connection terminated|timeout exceeded|client has encountered a connection error/i.test(
      error.message,
    )
  );
}

/** Bugs, which have no SQLSTATE, stay as they are. Messages don't name the address, which is a secret of its owner. */
function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (!(error instanceof Error) || error instanceof AppError) return error;
  if (isUnreachable(error)) {
    const why = code === '' ? 'the connection broke' : code;
    return new AppError(
      'io',
      `the database of the journal can't be reached (${why}); check that it runs and that its address is right`,
    );
  }
  if (code === '28P01')
    return new AppError('io', 'the database of the journal refuses the user or the password');
  if (code === '') return error;
  return new AppError('io', `the database of the journal: ${error.message}`);
}
