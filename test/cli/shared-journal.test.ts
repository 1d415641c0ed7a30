/** `--journal`: commands on a journal that machines share, and the secrecy of its address. */

import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';

import {createLauncher, type Launcher} from '../support/launch.ts';
import {type PostgresServer, startPostgres} from '../support/postgres.ts';

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
