/** The tables of a journal on PostgreSQL. Keys begin with the id of the run, so that a database can be divided by it. */

import {AppError} from '../../../machines/domain/app-error.ts';
import {type Database, isThere, type Query} from './pg-database.ts';

/**
 * `runs`: the head of each interaction, and what lists show. `opening` and `answer` are JSON: their texts may hold what a column
 * can't. `host`: of the folder that it works in; null: any host may run it. `claim_at`: from when a worker may take it; null: only
 * a person continues it.
 *
 * `hosts`: the machines that count as one installation. `holders`: one row a process, alive until `until`. `leases`: who owns a run; `token` grows with each owner.
 */
const first = (at: string): readonly string[] => [
  `CREATE TABLE ${at}runs (
    id text PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, entries integer NOT NULL, hash text NOT NULL,
    updated_at float8 NOT NULL, bytes bigint NOT NULL DEFAULT 0, status text, answer text, opening text, opened_at float8,
    session text, workspace text, host text, claim_at timestamptz)`,
  `CREATE INDEX runs_by_age ON ${at}runs (opened_at DESC, number DESC)`,
  `CREATE INDEX runs_by_session ON ${at}runs (session)`,
  `CREATE INDEX runs_open ON ${at}runs (opened_at) WHERE status IS NULL AND claim_at IS NOT NULL`,
  `CREATE TABLE ${at}entries (
    run text NOT NULL, seq integer NOT NULL, at float8 NOT NULL, mark text NOT NULL, body text NOT NULL, PRIMARY KEY (run, seq))`,
  `CREATE TABLE ${at}inbox (
    run text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, event text NOT NULL, PRIMARY KEY (run, id))`,
  `CREATE SEQUENCE ${at}tokens`,
  `CREATE TABLE ${at}holders (
    holder text PRIMARY KEY, host text NOT NULL, pid integer NOT NULL, until timestamptz NOT NULL)`,
  `CREATE TABLE ${at}hosts (id text PRIMARY KEY, name text NOT NULL, key text NOT NULL, enrolled_at timestamptz NOT NULL)`,
  `CREATE TABLE ${at}leases (run text PRIMARY KEY, holder text NOT NULL, token bigint NOT NULL)`,
  `CREATE INDEX leases_by_holder ON ${at}leases (holder)`,
  `CREATE TABLE ${at}backups (
    run text NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, path text NOT NULL, effect text, after text, hash text,
    mode integer, content bytea, missing text, PRIMARY KEY (run, id))`,
  `CREATE TABLE ${at}reactions (
    run text NOT NULL, about text NOT NULL, kind text NOT NULL, at float8 NOT NULL, words text, PRIMARY KEY (run, about))`,
  `CREATE TABLE ${at}submissions (
    run text PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, form text NOT NULL, token_hash text NOT NULL UNIQUE,
    created_at float8 NOT NULL, updated_at float8 NOT NULL, state text NOT NULL)`,
  `CREATE INDEX submissions_by_form ON ${at}submissions (form, number)`,
  `CREATE TABLE ${at}receipts (
    run text NOT NULL, key text NOT NULL, digest text NOT NULL, before integer NOT NULL, at float8 NOT NULL, after integer,
    PRIMARY KEY (run, key))`,
  `CREATE TABLE ${at}begun (
    run text PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY, at float8 NOT NULL)`,
];

/** `rates`: from when a provider may be called again. */
const second = (at: string): readonly string[] => [
  `CREATE TABLE ${at}rates (provider text PRIMARY KEY, next_at timestamptz NOT NULL)`,
];

/** The statements from each version to the next. */
const steps = [first, second];
const VERSION = steps.length;

/** The tables that hold rows of a run, beside `runs`. */
export const runTables = [
  'entries',
  'inbox',
  'backups',
  'reactions',
  'submissions',
  'receipts',
  'begun',
] as const;

/**
 * Creates the tables unless they are there; a role that may not create tables can use those that exist. Throws AppError
 * `newer_schema`.
 */
export async function migrate({query, transaction}: Database, schema: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new AppError('usage', `${JSON.stringify(schema)} is not a name for a schema`);
  const at = `${schema}.`;
  if ((await tryVersion(query, at)) === VERSION) return;
  await createOnce(query, `CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await createOnce(
    query,
    `CREATE TABLE IF NOT EXISTS ${at}migrations (one integer PRIMARY KEY, version integer NOT NULL)`,
  );
  await query(`INSERT INTO ${at}migrations VALUES (1, 0) ON CONFLICT DO NOTHING`);
  await transaction(async (within) => {
    // The row is the lock: of several processes that begin at once, one creates the tables.
    const version = await versionIn(within, at, 'FOR UPDATE');
    if (version > VERSION)
      throw new AppError(
        'newer_schema',
        `the database of the journal has schema ${version}, this version knows ${VERSION}; upgrade to use it`,
      );
    if (version === VERSION) return;
    const statements = steps.slice(version).flatMap((step) => step(at));
    await Promise.all(statements.map(async (statement) => await within(statement)));
    await within(`UPDATE ${at}migrations SET version = ${VERSION}`);
  });
}

async function tryVersion(query: Query, at: string): Promise<number | undefined> {
  const [row] = await query('SELECT to_regclass($1) IS NOT NULL AS found', [`${at}migrations`]);
  return row?.['found'] === true ? await versionIn(query, at) : undefined;
}

async function versionIn(query: Query, at: string, lock = ''): Promise<number> {
  const [row] = await query(`SELECT version FROM ${at}migrations WHERE one = 1 ${lock}`);
  return Number(row?.['version'] ?? 0);
}

/** IF NOT EXISTS does not exclude that two create the same at once: then one of them fails, and it is there. */
async function createOnce(query: Query, statement: string): Promise<void> {
  try {
    await query(statement);
  } catch (error) {
    if (!isThere(error)) throw error;
    await query(statement);
  }
}
