/** `--journal`: commands on a journal that machines share, and the secrecy of its address. */

import {join} from 'node:path';

import {Client} from 'pg';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal} from '../../actors/index.ts';
import {createPostgresJournal} from '../../actors/journal/postgres/postgres.ts';
import {createSigner, makePublicKey} from '../../actors/journal/signing-key.ts';
import {createLauncher, type Launcher} from '../support/launch.ts';
import {type PostgresServer, startPostgres} from '../support/postgres.ts';
import {folderWith, setStage, type Stage, type StageOptions} from '../support/stage.ts';

let server: PostgresServer;
let launcher: Launcher;
beforeAll(async () => {
  server = await startPostgres();
  launcher = createLauncher();
});
afterAll(async () => {
  launcher.remove();
  await server.remove();
});

const onShared = async (...args: readonly string[]) =>
  await launcher.perform([...args, '--journal', server.url]);

test('a run is recorded in the shared journal, and in no other', async () => {
  const made = await onShared('Create made.txt with the text: hello', '--output', 'json');
  expect(made).toMatchObject({code: 0});
  const {interaction: id} = JSON.parse(made.stdout);
  expect((await onShared('runs')).stdout).toContain(id);
  expect((await onShared('show', id)).stdout).toContain('made.txt');
  expect((await onShared('stats')).stdout).toMatch(/1 run/);
  expect((await onShared('undo', id)).stdout).toContain('made.txt');
  expect((await launcher.perform(['runs', '--all'])).stdout).not.toContain(id);
  const {stdout, stderr} = await onShared('show', id, '-v');
  expect(stdout + stderr).not.toContain(server.url);
});

test('what one machine has signed is verified on another that is enrolled in the journal', async () => {
  const {stdout} = await onShared('ask', 'What is 6 * 7?', '--output', 'json');
  const {interaction: id} = JSON.parse(stdout);
  const other = createLauncher();
  onTestFinished(() => other.remove());
  const verified = await other.perform(['verify', id, '--journal', server.url]);
  expect(verified).toMatchObject({code: 0, stdout: expect.stringMatching(/✓ signatures/)});
});

test('a machine writes to the journal once its owner has enrolled it', async () => {
  await onShared('ask', 'What is 6 * 7?');
  const other = createLauncher();
  onTestFinished(() => other.remove());
  const ask = async () =>
    await other.perform(['ask', 'What is 6 * 7?', '--journal', server.url, '--output', 'json']);
  const refused = await ask();
  expect(refused).toMatchObject({code: 2, stderr: expect.stringMatching(/is not enrolled/)});
  const [, key = ''] = /--enroll (\S+)/.exec(refused.stderr) ?? [];
  expect(await other.perform(['runs', '--all', '--journal', server.url])).toMatchObject({code: 0});
  expect(await other.perform(['config', '--enroll', key, '--journal', server.url])).toMatchObject({
    code: 2,
  });
  expect((await onShared('config', '--enroll', key)).stdout.match(/enrolled/g)).toHaveLength(2);
  expect(await ask()).toMatchObject({code: 0});
});

test('--detach prints the id of a run that a worker can take', async () => {
  const {stdout, stderr, code} = await onShared('ask', '--detach', 'What is 6 * 7?');
  expect(code).toBe(0);
  const id = stdout.trim();
  expect(stderr).toContain(`quorate show ${id}`);
  expect((await onShared('runs', '--all')).stdout).toContain(id);
  expect((await onShared('doctor')).stdout).toMatch(
    /ok +journal +PostgreSQL \d+.*1 waits for a worker/,
  );
  expect(await launcher.perform(['ask', '--detach', 'What is 6 * 7?'])).toMatchObject({code: 2});
});

test('a question without a folder needs no host, and takes nothing that is in a folder', async () => {
  const asked = await onShared('ask', '--no-folder', 'What is 6 * 7?');
  expect(asked).toMatchObject({code: 0, stdout: expect.stringContaining('42')});
  const refused = await onShared('ask', '--no-folder', '--db', 'data.db', 'How many?');
  expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('--db needs a folder')});
});

/** A machine with its own folder, in this process. */
async function otherMachine(options: StageOptions): Promise<Stage> {
  const keys = join(folderWith(), 'keys');
  makePublicKey(keys);
  const sign = createSigner(keys);
  const journal = await createPostgresJournal({url: server.url, host: 'other', sign});
  const host = {...createMemoryJournal().host, id: 'other'};
  const tasks = [
    {id: 'a', description: 'Make a', tool: 'write_file', args: {path: 'a', content: 'a'}},
  ];
  const stage = setStage({tasks, journal, host, ...options});
  onTestFinished(async () => {
    await stage.runtime.close();
    await journal.close();
  });
  return stage;
}

/** Connections of journals that have last read entries. */
async function readersOfEntries(): Promise<number> {
  const client = new Client({connectionString: server.url});
  await client.connect();
  const {rowCount} = await client.query(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'quorate' AND query LIKE '%seq > $2%'",
  );
  await client.end();
  return rowCount ?? 0;
}

test('resume follows a run of another machine to its end', async () => {
  const answer = Promise.withResolvers<undefined>();
  const {start, text} = await otherMachine({say: async () => await answer.promise});
  const run = start('Make the file "a"');
  await run.opened;
  const following = onShared('resume', run.id);
  // The run may end as soon as the command has read its entries.
  await expect.poll(readersOfEntries).toBeGreaterThan(0);
  answer.resolve(undefined);
  const {code, stdout, stderr} = await following;
  expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('completed')});
  expect(stderr).toContain(`following ${run.id}`);
  expect(text('a')).toBe('a');
});

test('resume shows the question of a run of another machine, and decides it', async () => {
  const {start, text} = await otherMachine({
    config: {agent: {confirm_execution: true, hil_mode: 'interactive'}},
  });
  const run = start('Make the file "a"');
  await run.quiet();
  const shown = await onShared('resume', run.id);
  expect(shown).toMatchObject({code: 4, stderr: expect.stringContaining('--decision approve')});
  const [digest = ''] = /(?<=approve:)\w+/.exec(shown.stderr) ?? [];
  const decided = await onShared('resume', run.id, '--decision', `approve:${digest}`);
  expect(decided).toMatchObject({code: 0, stderr: expect.stringContaining('left for its process')});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(text('a')).toBe('a');
});

test('a conversation follows a run of another machine', async () => {
  const {start} = await otherMachine({
    config: {agent: {confirm_execution: true, hil_mode: 'interactive'}},
  });
  const run = start('Make the file "a"');
  await run.quiet();
  const stdin = `/resume ${run.id}\n`;
  const {code, stderr} = await launcher.perform(['chat', '--journal', server.url], {stdin});
  expect(code).toBe(4);
  expect(stderr).toContain(`quorate resume ${run.id} --decision approve`);
  expect(run.gates()).toHaveLength(1);
});

test.for([
  'postgres://me:hunter2@db.example/quorate',
  'postgres://me@db.example/quorate?password=hunter2',
  'hunter2',
])('the address %s is refused, and not repeated', async (address) => {
  const {code, stdout, stderr} = await launcher.perform(['runs', '--journal', address]);
  expect({code, stdout}).toEqual({code: 2, stdout: ''});
  expect(stderr).toMatch(/--journal takes/);
  expect(stderr).not.toContain('hunter2');
});

test('journal.url_env names the variable with the address, which is not shown', async () => {
  const env = {QUORATE_JOURNAL_URL_ENV: 'TEAM_DB', TEAM_DB: server.url};
  const {stdout} = await onShared('ask', '--detach', 'What is 6 * 7?');
  expect((await launcher.perform(['runs', '--all'], {env})).stdout).toContain(stdout.trim());
  const shown = await launcher.perform(['config'], {env});
  expect(shown.stdout).toContain('journal.url_env = "TEAM_DB"');
  expect(shown.stdout).not.toContain(server.url);
  const unset = await launcher.perform(['runs'], {env: {QUORATE_JOURNAL_URL_ENV: 'NOT_SET'}});
  expect(unset).toMatchObject({code: 2, stderr: expect.stringContaining('NOT_SET')});
});
