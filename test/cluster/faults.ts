/** The faults of a cluster: processes that die or stop, lost connections, restarts of the server, a full disk under its tables. */

import {spawnSync} from 'node:child_process';
import {chownSync, mkdtempSync, rmdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

import {Client} from 'pg';

import type {Chooser} from '../support/dice.ts';
import {nobody, type PostgresServer} from '../support/postgres.ts';
import {mountSmallDisk} from '../support/small-disk.ts';
import type {Process} from './site.ts';

interface Faulty {
  readonly server: PostgresServer;
  readonly processes: readonly Process[];
  /** The tables are on a disk that can be filled. */
  readonly hasSmallDisk: boolean;
}

type Fault = (world: Faulty, chooser: Chooser) => Promise<void>;

const pauseMs = 10_000;
const fullMs = 3_000;

const faultKinds: Readonly<Record<string, Fault>> = {
  kill: async ({processes}, {pick}) => await pick(processes).kill(),
  pause: async ({processes}, {pick}) => await pick(processes).pause(pauseMs),
  cut: async ({server}) =>
    await sql(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quorate'`,
    ),
  restart: async ({server}) => {
    await server.kill();
    await server.start();
  },
};

const full: Fault = async ({server}) => {
  await fillTablespace(server);
  await wait(fullMs);
  await sql(server, 'DROP TABLE ballast');
};

/** Until the time `until` of `performance`. Resolves with the number of faults of each kind. */
export async function disturb(
  world: Faulty,
  chooser: Chooser,
  until: number,
): Promise<ReadonlyMap<string, number>> {
  const kinds = Object.entries({...faultKinds, ...(world.hasSmallDisk ? {full} : {})});
  const counts = new Map<string, number>();
  const pauses: Promise<void>[] = [];
  const strike = async (): Promise<void> => {
    if (performance.now() >= until) return;
    await wait(500 + chooser.roll(1_500));
    const [kind, fault] = chooser.pick(kinds);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const done = fault(world, chooser);
    // A process that is stopped does not hold up the other faults.
    if (kind === 'pause') pauses.push(done);
    else await done;
    await strike();
  };
  await strike();
  await Promise.all(pauses);
  return counts;
}

async function sql({url}: PostgresServer, ...statements: readonly string[]): Promise<void> {
  const client = new Client({connectionString: url});
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const diskMegabytes = 64;

/**
 * Mounts a disk for the tables that are created from now on. Resolves with a function that removes it, once the server has ended;
 * with undefined where this user may not mount one.
 */
export async function useSmallDisk(server: PostgresServer): Promise<(() => void) | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-disk-'));
  const remove = (): void => {
    spawnSync('umount', [folder]);
    rmdirSync(folder);
  };
  if (!mountSmallDisk(folder, `${diskMegabytes}m`)) {
    rmdirSync(folder);
    return undefined;
  }
  chownSync(folder, nobody, nobody);
  await sql(
    server,
    `CREATE TABLESPACE small LOCATION '${folder}'`,
    'ALTER ROLE quorate SET default_tablespace = small',
  );
  return remove;
}

async function fillTablespace(server: PostgresServer): Promise<void> {
  await sql(
    server,
    'CREATE UNLOGGED TABLE ballast (text text)',
    'ALTER TABLE ballast ALTER COLUMN text SET STORAGE PLAIN',
  );
  const pages = `INSERT INTO ballast SELECT repeat('x', 7000) FROM generate_series(1, 1000)`;
  const page = `INSERT INTO ballast VALUES (repeat('x', 7000))`;
  await untilFull(server, pages);
  await untilFull(server, page);
}

/** Each statement commits: the space of one that fails is taken, too. */
async function untilFull(server: PostgresServer, statement: string): Promise<void> {
  try {
    await sql(server, ...Array.from({length: 20 * diskMegabytes}, () => statement));
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && error.code === '53100';
    if (!isFull) throw error;
  }
}
