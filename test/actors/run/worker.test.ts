/** Workers on several hosts: which runs they perform, which they leave, and what happens when one ends. */

import {spawn} from 'node:child_process';
import {readFileSync, rmSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

import {Client} from 'pg';
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';

import {peekRun} from '../../../actors/history/peek.ts';
import {createMemoryJournal} from '../../../actors/index.ts';
import type {Entry, Journal} from '../../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {createSigner, makePublicKey, type Sign} from '../../../actors/journal/signing-key.ts';
import {relayedMessage} from '../../../actors/run/messages.ts';
import {startWorker, type Worker} from '../../../actors/run/worker.ts';
import {type PostgresServer, startPostgres} from '../../support/postgres.ts';
import {createScenario} from '../../support/scenario.ts';
import {
  folderWith,
  journalIn,
  setStage,
  type Stage,
  type StageOptions,
} from '../../support/stage.ts';

const script = fileURLToPath(new URL('worker-child.ts', import.meta.url));

let server: PostgresServer;
let schemas = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => await server.remove());

let folder: string;
beforeEach(() => {
  schemas += 1;
  folder = folderWith();
});

interface Machine extends Stage {
  readonly sign: Sign;
  readonly work: (most?: number) => Worker;
}

const tasks = [
  {id: 'a', description: 'Make it', tool: 'write_file', args: {path: 'made', content: 'it'}},
];

async function machine(
  id: string,
  options: StageOptions = {},
  url: string = server.url,
): Promise<Machine> {
  const keys = join(folderWith(), 'keys');
  const {id: keyId, pem} = makePublicKey(keys);
  const sign = createSigner(keys);
  const schema = `worker_${schemas}`;
  const journal = await createPostgresJournal({url, schema, host: id, sign});
  await journal.hosts?.enroll({id: keyId, name: id, key: pem});
  const {host} = createMemoryJournal({sign});
  const named = {...host, id};
  const stage = setStage({tasks, folder, journal, host: named, ...options});
  onTestFinished(async () => {
    await stage.runtime.close();
    await journal.close();
  });
  const work = (most = 4): Worker => {
    const {runtime} = stage;
    const worker = startWorker({runtime, owners: journal.owners, host: named, most});
    onTestFinished(async () => await worker.close());
    return worker;
  };
  return {...stage, sign, work};
}

async function statusOf({log}: Journal, id: string): Promise<string | undefined> {
  const [row] = await log.list({id});
  return row?.status;
}

async function sql(url: string, statements: string): Promise<void> {
  const client = new Client({connectionString: url});
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

const record = async ({runtime}: Stage, form: 'agent' | 'discuss' = 'agent'): Promise<string> =>
  await runtime.record({form, request: 'Make the file "made"', workspace: folder});

test('a recorded run is performed by a worker of the host with its folder, and by no other', async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const id = await record(here);
  expect(await here.journal.log.list({id})).toMatchObject([{id, host: 'here', entries: 1}]);
  there.work();
  const other = await record(there, 'discuss');
  await expect.poll(async () => await statusOf(here.journal, other)).toBeDefined();
  expect(await statusOf(here.journal, id)).toBeUndefined();

  here.work();
  await expect.poll(async () => await statusOf(here.journal, id)).toBe('completed');
  expect(here.text('made')).toBe('it');
});

test('a run of a folder is not resumed on another host, which says where', async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const id = await record(here);
  await expect(there.runtime.resume(id)).rejects.toMatchObject({
    code: 'elsewhere',
    message: expect.stringMatching(`${id} works in ${folder} of the host here, and this is there`),
  });
  expect(await there.runtime.stateOf(id)).toBe('suspended');
});

test('a run of a folder is not undone, forked or rewound in the folder of that name on another host', async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const id = await record(here);
  here.work();
  await expect.poll(async () => await statusOf(here.journal, id)).toBe('completed');
  const elsewhere = {code: 'elsewhere'};
  await expect(there.runtime.undo(id)).rejects.toMatchObject(elsewhere);
  await expect(there.runtime.fork(id, {at: 3})).rejects.toMatchObject(elsewhere);
  await expect(there.runtime.rewind(id, {to: 3})).rejects.toMatchObject(elsewhere);
  expect(here.text('made')).toBe('it');
  expect((await there.journal.log.list()).map((row) => row.id)).toEqual([id]);
  await here.runtime.undo(id);
  expect(() => here.text('made')).toThrow('ENOENT');
});

test('a discussion is performed by any host, also where its folder is not there', async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const id = await here.runtime.record({form: 'discuss', request: 'Tabs?', workspace: folder});
  expect((await here.journal.log.list({id}))[0]).not.toHaveProperty('host');
  rmSync(folder, {recursive: true});
  there.work();
  await expect.poll(async () => await statusOf(here.journal, id)).toBeDefined();
});

test('a question without a folder is answered by a worker of any host, and one in a folder is not', async () => {
  const [here, there] = [await machine('here'), await machine('there')];
  const ask = {form: 'ask', request: 'What is it?'} as const;
  const placed = await here.runtime.record({...ask, workspace: folder});
  const id = await here.runtime.record({...ask, workspace: null});
  const [row] = await here.journal.log.list({id});
  expect(row).toMatchObject({workspace: ''});
  expect(row).not.toHaveProperty('host');
  there.work();
  await expect.poll(async () => await statusOf(here.journal, id)).toBe('completed');
  expect(await statusOf(here.journal, placed)).toBeUndefined();
});

test('a run that waits for a person is left, and continues where the answer is given', async () => {
  const config = {agent: {confirm_execution: true, hil_mode: 'interactive' as const}};
  const [one, other] = [await machine('here', {config}), await machine('here', {config})];
  const id = await record(one);
  one.work();
  await expect.poll(async () => await other.runtime.stateOf(id)).toBe('waiting');

  const run = await other.runtime.resume(id);
  await run.quiet();
  run.send({type: 'human.decided', decision: 'approve'});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(one.text('made')).toBe('it');
});

test('a decision and a cancel from another machine reach a run that waits in a folder', async () => {
  const config = {agent: {confirm_execution: true, hil_mode: 'interactive' as const}};
  const [here, there] = [await machine('here', {config}), await machine('there', {config})];
  const [kept, dropped] = [await record(here), await record(here)];
  here.work();
  for (const id of [kept, dropped])
    await expect.poll(async () => await there.runtime.stateOf(id)).toBe('waiting');
  const gate = async (id: string): Promise<string> =>
    (await peekRun(id, await there.journal.log.read(id))).gates[0]?.gate ?? '';

  // Without a signature of an enrolled machine, a decision is none.
  const decided = {type: 'human.decided', gate: await gate(kept), decision: 'approve'};
  const forged = {relayed: {run: kept, id: 'f', event: decided}};
  const payload = Buffer.from(JSON.stringify(forged)).toString('base64');
  const signatures = [{keyid: 'f'.repeat(16), sig: ''}];
  const signed = {payloadType: 'application/vnd.quorate.entry+json', payload, signatures};
  await there.journal.inbox.post(kept, {type: 'event.relayed', signed});
  await expect.poll(async () => await there.journal.inbox.read(kept)).toEqual([]);
  await expect.poll(async () => await there.runtime.stateOf(kept)).toBe('waiting');

  // A signed decision that the question does not allow is ignored, and the run waits on.
  const done = {type: 'human.decided', gate: await gate(kept), decision: 'done'} as const;
  await expect(there.runtime.relay(kept, done)).rejects.toMatchObject({code: 'usage'});
  const message = relayedMessage(kept, done, there.sign);
  if (!message) throw new Error('the machine has no key');
  await there.journal.inbox.post(kept, message);
  await expect.poll(async () => await there.journal.inbox.read(kept)).toEqual([]);
  await expect.poll(async () => await there.runtime.stateOf(kept)).toBe('waiting');

  expect(await there.runtime.cancel(dropped)).toBe('told');
  await expect.poll(async () => await statusOf(there.journal, dropped)).toBe('cancelled');
  await there.runtime.relay(kept, {
    type: 'human.decided',
    gate: await gate(kept),
    decision: 'approve',
    reason: 'from there',
  });
  await expect.poll(async () => await statusOf(there.journal, kept)).toBe('completed');
  expect(here.text('made')).toBe('it');
  const entries = await there.journal.log.read(kept);
  expect(entries).toContainEqual(
    expect.objectContaining({
      type: 'received',
      event: expect.objectContaining({decision: 'approve', reason: 'from there'}),
    }),
  );
});

test('a worker that ends hands its runs over, and another continues them', async () => {
  const called = Promise.withResolvers<void>();
  const never = Promise.withResolvers<undefined>();
  const slow = await machine('here', {
    say: async () => {
      called.resolve();
      return await never.promise;
    },
  });
  const id = await record(slow);
  const worker = slow.work();
  await called.promise;
  expect(await slow.journal.owners.tenureOf(id)).toBe('owned');
  await worker.close();
  expect(await slow.runtime.stateOf(id)).toBe('suspended');

  const next = await machine('here');
  next.work();
  await expect.poll(async () => await statusOf(next.journal, id)).toBe('completed');
});

test('a worker performs no more runs at once than it may', async () => {
  const never = Promise.withResolvers<undefined>();
  const slow = await machine('here', {say: async () => await never.promise});
  for (const _ of [1, 2, 3]) await record(slow);
  const worker = slow.work(2);
  const owned = async (): Promise<number> =>
    (await slow.journal.sharing?.())?.owners.reduce((sum, {runs}) => sum + runs, 0) ?? 0;
  await expect.poll(owned).toBe(2);
  expect((await slow.journal.sharing?.())?.unclaimed.runs).toBe(1);
  await worker.close();
});

test('a worker that was stopped while another took its run over writes and performs nothing', async () => {
  const schema = `worker_${schemas}`;
  const journal = await createPostgresJournal({url: server.url, schema});
  onTestFinished(async () => await journal.close());
  const {runtime, performed} = createScenario({journal});
  const id = await runtime.record({form: 'agent', request: 'Change it', workspace: folder});
  const child = spawn(process.execPath, [script, server.url, schema], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const before = JSON.parse((await lines.next()).value ?? '');
  expect(before).toMatchObject({status: 'called', tools: ['look here', 'look there']});
  child.kill('SIGSTOP');

  const {host} = createMemoryJournal();
  const worker = startWorker({runtime, owners: journal.owners, host, most: 1});
  onTestFinished(async () => await worker.close());
  await expect.poll(async () => await statusOf(journal, id)).toBe('completed');
  expect(performed.tools).toContain('prove it');
  const entries = await journal.log.read(id);

  child.stdin.write('answer\n');
  child.kill('SIGCONT');
  expect(JSON.parse((await lines.next()).value ?? '')).toEqual({
    status: 'error',
    why: 'busy',
    tools: before.tools,
  });
  expect(await journal.log.read(id)).toEqual(entries);
});

/** Sets a run back, as a copy of the database does that takes the place of the server without its last transactions. */
async function setBack(id: string, {log}: Journal, isFirstLost: (entry: Entry) => boolean) {
  const entries = await log.read(id);
  const end = entries.findIndex(isFirstLost);
  const client = new Client({connectionString: server.url});
  await client.connect();
  const at = `worker_${schemas}`;
  await client.query(`DELETE FROM ${at}.entries WHERE run = $1 AND seq >= $2`, [id, end]);
  await client.query(`UPDATE ${at}.runs SET entries = $2, hash = $3 WHERE id = $1`, [
    id,
    end,
    entries[end - 1]?.hash,
  ]);
  await client.end();
}

test('a database that loses the end of a run makes no command run twice on the host that ran it', async () => {
  const data = folderWith();
  const host = {...journalIn(data).host, id: 'here'};
  const command = {id: 'a', tool: 'run_command', args: {command: 'echo once >>made'}};
  const options = {host, tasks: [command], config: {agent: {hil_mode: 'interactive' as const}}};
  const evaluating = Promise.withResolvers<void>();
  const dying = await machine('here', {
    ...options,
    say: async ({purpose}) => {
      if (purpose !== 'evaluate') return undefined;
      evaluating.resolve();
      return await new Promise(() => {});
    },
  });
  const {id} = dying.start();
  await evaluating.promise;
  await dying.runtime.close();
  expect(dying.text('made')).toBe('once\n');
  await setBack(
    id,
    dying.journal,
    (entry) => entry.type === 'requested' && entry.tool !== undefined,
  );

  const next = await machine('here', options);
  const run = await next.runtime.resume(id);
  await run.quiet();
  expect(run.gates()).toMatchObject([{question: {kind: 'in-doubt'}}]);
  run.send({type: 'human.decided', decision: 'done'});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(next.text('made')).toBe('once\n');

  // Of a run that ended long ago the host keeps nothing; of one that another journal may have, it does.
  host.witness?.testify('other', {begun: [], hasEnded: true});
  for (const file of [id, 'other'])
    utimesSync(join(data, 'witness', file), 0, Date.now() / 1000 - 90_000);
  const last = await machine('here', options);
  const ended = await last.run();
  await expect.poll(() => host.witness?.interactions()).not.toContain(id);
  expect(new Set(host.witness?.interactions())).toEqual(new Set(['other', ended.interaction]));
});

test('a role with the grants that the README names performs a run, undoes and erases it, and makes no table', async () => {
  const schema = `worker_${schemas}`;
  const owner = await machine('here');
  const id = await record(owner);
  const readme = readFileSync('actors/journal/README.md', 'utf8');
  const [, grants = ''] = /```sql\n([^`]*)/.exec(readme) ?? [];
  await sql(server.url, `CREATE ROLE worker LOGIN; ${grants.replaceAll('quorate', schema)}`);
  const url = server.url.replace('//quorate@', '//worker@');
  await expect(sql(url, `CREATE TABLE ${schema}.other (id text)`)).rejects.toThrow('permission');

  const limited = await machine('here', {}, url);
  limited.work();
  await expect.poll(async () => await statusOf(owner.journal, id)).toBe('completed');
  expect(limited.text('made')).toBe('it');
  expect(await limited.runtime.undo(id)).toMatchObject({
    files: [{path: 'made', outcome: 'removed'}],
  });
  await limited.runtime.erase(id);
  expect(await owner.journal.log.list({id})).toEqual([]);
});

test('a journal that one machine has takes no recorded runs, and no workers', async () => {
  const stage = setStage({tasks});
  await expect(
    stage.runtime.record({form: 'agent', request: 'Make it', workspace: stage.workspace}),
  ).rejects.toMatchObject({code: 'usage'});
  const {owners, host} = createMemoryJournal();
  expect(() => startWorker({runtime: stage.runtime, owners, host, most: 1})).toThrow(
    expect.objectContaining({code: 'usage'}),
  );
});
