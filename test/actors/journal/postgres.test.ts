/** The journal on a PostgreSQL server: the contract, and what only processes of several machines meet. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';

import {Client} from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {
  createPostgresJournal,
  type PostgresOptions,
} from '../../../actors/journal/postgres/postgres.ts';
import {type PostgresServer, startPostgres} from '../../support/postgres.ts';
import {describeJournal} from './conformance.ts';
import {append, attempt, closed, messagesFor, opened, settled} from './entries.ts';

const script = fileURLToPath(new URL('postgres-child.ts', import.meta.url));

let server: PostgresServer;
let schemas = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.remove());

async function fresh(options: PostgresOptions = {}): Promise<Journal> {
  schemas += 1;
  return await createPostgresJournal({url: server.url, schema: `journal_${schemas}`, ...options});
}

describeJournal('the PostgreSQL journal', fresh);

async function beginAs({hosts}: Journal, at: number): Promise<boolean | undefined> {
  return await hosts?.found({id: String(at), name: `m${at}`, key: 'k'});
}

describe('journals of one database', () => {
  let one: Journal;
  let schema: string;
  const journals: Journal[] = [];
  const another = async (options: PostgresOptions = {}): Promise<Journal> => {
    const journal = await createPostgresJournal({url: server.url, schema, ...options});
    journals.push(journal);
    return journal;
  };
  beforeEach(async () => {
    one = await fresh();
    schema = `journal_${schemas}`;
    journals.push(one);
  });
  afterEach(async () => {
    await Promise.all(journals.splice(0).map(async (journal) => await journal.close()));
  });

  test('that begin at once create the tables once', async () => {
    schema = 'begun_at_once';
    const five = await Promise.all(Array.from({length: 5}, async () => await another()));
    await append(five[0] ?? one, 'a', [opened], 1);
    expect(await five[4]?.log.lengthOf('a')).toBe(1);
  });

  test('of an earlier version get what is missing', async () => {
    await append(one, 'a', [opened], 1);
    await sql(`DROP TABLE ${schema}.rates; UPDATE ${schema}.migrations SET version = 1`);
    const upgraded = await another();
    expect(await upgraded.log.lengthOf('a')).toBe(1);
    expect(await upgraded.rates?.reserve('p', 1)).toBe(0);
  });

  test('exclude each other from a run, and from no other', async () => {
    const other = await another();
    const owned = await one.owners.own('a');
    await expect(attempt(() => other.owners.own('a'))).rejects.toMatchObject({code: 'busy'});
    await expect(attempt(() => other.owners.own('b'))).resolves.toBeDefined();
    expect(await other.owners.tenureOf('a')).toBe('owned');
    await owned.release();
    await expect(attempt(() => other.owners.own('a'))).resolves.toBeDefined();
  });

  test('a message reaches the owner in another journal', async () => {
    const other = await another();
    await one.owners.own('a');
    const notified = new Promise<void>((resolve) => {
      one.inbox.watch('a', resolve);
    });
    await other.inbox.post('a', {type: 'user.cancel'});
    await notified;
    expect(await messagesFor(one, 'a')).toEqual([{type: 'user.cancel'}]);
  });

  test('a message whose notification is lost reaches the owner by the poll', async () => {
    const notified = new Promise<void>((resolve) => {
      one.inbox.watch('a', resolve);
    });
    await sql(`INSERT INTO ${schema}.inbox (run, event) VALUES ('a', '{"n":1}')`);
    await notified;
    expect(await messagesFor(one, 'a')).toEqual([{n: 1}]);
  });

  test('runs that nobody owns and that need no person are claimed, the oldest first, by one journal each', async () => {
    const suspended = {type: 'noted', note: {type: 'run.suspended', why: 'waiting'}} as const;
    await append(one, 'third', [opened], 3);
    await append(one, 'first', [opened], 1);
    await append(one, 'second', [openedAt('here')], 2);
    await append(one, 'elsewhere', [openedAt('there')], 1);
    await append(one, 'waiting', [opened, suspended], 1);
    await append(one, 'ended', [opened, closed], 1);
    await append(one, 'owned', [opened], 1);
    await one.owners.own('owned');
    const other = await another();
    expect(await claim(other, 2)).toEqual(['first', 'second']);
    expect(await claim(one, 9)).toEqual(['third']);
    expect(await claim(other, 9)).toEqual([]);
    await expect(attempt(() => one.owners.own('first'))).rejects.toMatchObject({code: 'busy'});
    const owned = await other.owners.own('first');
    await owned.release();
    expect(await claim(one, 9)).toEqual(['first']);
  });

  test('of machines that begin at once, one is the first', async () => {
    const five = await Promise.all(Array.from({length: 5}, async () => await another()));
    const begun = await Promise.all(five.map(beginAs));
    expect(begun.filter(Boolean)).toHaveLength(1);
    expect(await one.hosts?.list()).toHaveLength(1);
    // Its answer was lost.
    expect(await beginAs(one, begun.indexOf(true))).toBe(true);
  });

  test('a machine is enrolled once, with the key that it had first', async () => {
    const {hosts} = await another();
    await hosts?.enroll({id: 'a', name: 'one', key: 'first'});
    await hosts?.enroll({id: 'b', name: 'other', key: 'its own'});
    await hosts?.enroll({id: 'a', name: 'renamed', key: 'second'});
    expect(await one.hosts?.list()).toEqual([
      {id: 'a', name: 'renamed', key: 'first'},
      {id: 'b', name: 'other', key: 'its own'},
    ]);
  });

  test('a folder is one of its machine', async () => {
    const [here, there] = [await another({host: 'here'}), await another({host: 'there'})];
    await append(one, 'mine', [openedAt('here')], 1);
    await append(one, 'of-any', [opened], 2);
    await there.hosts?.enroll({id: 'here', name: 'desk', key: 'k'});
    const [row] = await one.log.list({id: 'mine'});
    expect(row).toMatchObject({host: 'here', machine: 'desk', isForWorkers: true});
    const workspace = row?.workspace ?? '';
    const listed = async ({log}: Journal) => (await log.list({workspace})).map(({id}) => id);
    expect(await listed(here)).toEqual(['of-any', 'mine']);
    expect(await listed(there)).toEqual(['of-any']);
    expect(await there.log.list()).toHaveLength(2);
  });

  test('calls of a provider are reserved one after the other, for all journals', async () => {
    const other = await another();
    const waits: number[] = [];
    for (const {rates} of [one, other, one]) waits.push((await rates?.reserve('p', 60_000)) ?? 0);
    expect(waits[0]).toBe(0);
    expect(waits[1]).toBeGreaterThan(30_000);
    expect(waits[2]).toBeGreaterThan(90_000);
    expect(await other.rates?.reserve('another', 60_000)).toBe(0);
  });

  test('lists and entries are read in pages, complete and in order', async () => {
    const bodies = Array.from({length: 2_345}, (_, at) => settled(String(at)));
    await append(one, 'a', [opened, ...bodies], 1);
    const runs = Array.from({length: 1_205}, (_, at) => `r${at}`);
    await one.log.append(
      runs.map((interaction, at) => ({interaction, bodies: [opened], at: 2 + (at >> 1)})),
    );

    expect((await one.log.read('a')).map(({seq}) => seq)).toEqual(
      bodies.map((_, at) => at).concat(2_345),
    );
    const ids = (await one.log.list()).map(({id}) => id);
    expect(new Set(ids).size).toBe(1_206);
    expect(ids.slice(-3)).toEqual(['r1', 'r0', 'a']);
  });

  test('an append goes through while the connections are cut, once', async () => {
    await one.owners.own('a');
    await append(one, 'a', [opened], 1);
    const additions = Array.from({length: 40}, (_, at) => ({
      interaction: 'a',
      bodies: [settled(String(at))],
      at: 2,
      seq: at + 1,
    }));
    const written = Promise.all(
      additions.map(async (addition) => await one.log.append([addition])),
    );
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quorate'`,
    );
    await written;
    expect(await one.log.read('a')).toHaveLength(41);
  });

  test('an address with a password is in no error', async () => {
    const url = 'postgres://quorate:hunter2@127.0.0.1:1/nowhere';
    const failed = await another({url, patienceMs: 0}).catch((error: unknown) => error);
    expect(failed).toMatchObject({code: 'io', message: expect.stringContaining('ECONNREFUSED')});
    expect(inspect(failed)).not.toMatch(/hunter2|nowhere|127\.0/);
    await expect(another({url: 'mysql://quorate:hunter2@h/d'})).rejects.toMatchObject({
      code: 'config',
      message: expect.not.stringContaining('hunter2'),
    });
  });

  const begin = async () => {
    const child = spawn(process.execPath, [script, server.url, schema, 'a'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('owned');
    const write = async (key: string): Promise<unknown> => {
      child.stdin.write(`${key}\n`);
      return JSON.parse((await lines.next()).value ?? '');
    };
    expect(await write('before')).toEqual({isHeld: true, outcome: 'written', isLost: false});
    return {child, write};
  };
  const takeOver = async (): Promise<void> => {
    const since = performance.now();
    await expect.poll(async () => await own(one, 'a'), {interval: 100}).toBe('owned');
    expect(performance.now() - since).toBeLessThan(5_000);
    await one.log.read('a');
    await append(one, 'a', [settled('mine')], 3);
  };

  test('a run whose process is killed is taken over within 5 s', async () => {
    const {child} = await begin();
    child.kill('SIGKILL');
    await takeOver();
    expect((await one.log.read('a')).slice(1)).toMatchObject([{key: 'before'}, {key: 'mine'}]);
  });

  test('a process that was stopped while its run was taken over writes nothing, and knows', async () => {
    const {child, write} = await begin();
    child.kill('SIGSTOP');
    await takeOver();
    const written = write('after');
    child.kill('SIGCONT');
    expect(await written).toEqual({isHeld: false, outcome: 'busy', isLost: true});
    expect((await one.log.read('a')).slice(1)).toMatchObject([{key: 'before'}, {key: 'mine'}]);
  });

  test('an owner outlives a restart of the server that is shorter than its lease', async () => {
    const owned = await one.owners.own('a');
    await append(one, 'a', [opened], 1);
    await server.kill();
    const written = one.log.append([{interaction: 'a', bodies: [settled('1')], at: 2, seq: 1}]);
    await server.start();
    await written;
    expect(owned.lost.aborted).toBe(false);
    expect(await one.log.read('a')).toHaveLength(2);
  });

  test('an owner that the server does not hear of in time loses its runs', async () => {
    const owned = await one.owners.own('a');
    await server.kill();
    await once(owned.lost, 'abort');
    expect(owned.lost.reason).toMatchObject({code: 'busy'});
    await server.start();
    await expect.poll(async () => await own(one, 'b')).toBe('owned');
  });
});

function openedAt(host: string) {
  return {...opened, input: {...opened.input, host}};
}

async function claim({owners}: Journal, most: number): Promise<readonly string[] | undefined> {
  return await owners.claim?.({host: 'here', most});
}

async function own({owners}: Journal, run: string): Promise<unknown> {
  try {
    await owners.own(run);
    return 'owned';
  } catch (error) {
    return error;
  }
}

async function sql(statement: string): Promise<void> {
  const client = new Client({connectionString: server.url});
  await client.connect();
  await client.query(statement);
  await client.end();
}
