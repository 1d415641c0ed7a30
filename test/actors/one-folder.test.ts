/** High-risk calls over the real runtime: several rejections at the same time, and runs that change one folder in turn. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {z} from 'zod';

import {type ConfigInput, createFunctionModel, createRuntime} from '../../actors/index.ts';
import {createWorkspaceLocks} from '../../actors/performers/workspace-locks.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {defineTool} from '../../tools/index.ts';
import {passTime, stopTime} from '../support/fast-time.ts';
import {answer, reply, vote} from '../support/scenario.ts';

let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'one-folder-')));
});

afterEach(() => {
  rmSync(folder, {recursive: true, force: true});
});

/** Runs that plan `writes` calls of a tool at the same time; `onWrite` runs inside the tool. */
function writingRuntime(
  writes: number,
  verdict: 'approve' | 'reject',
  onWrite: () => Promise<void> = async () => {},
  limits: ConfigInput['limits'] = {},
) {
  const tasks = Array.from({length: writes}, (_, at) => ({
    id: `t${at}`,
    description: 'write',
    tool: 'write',
    args: {at},
  }));
  const model = createFunctionModel('test/m', ({purpose}) => {
    if (purpose === 'explore') return answer('nothing to know');
    if (purpose === 'plan') {
      return reply('create_plan', {objective: 'write', reasoning: 'asked for', tasks});
    }
    if (purpose === 'evaluate') return reply('evaluate_result', {successful: true, problems: []});
    return vote(purpose === 'review-action' ? verdict : 'approve');
  });
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    parameters: z.strictObject({at: z.number()}),
    repeatability: 'checkable',
    run: async () => {
      await onWrite();
      return {kind: 'succeeded', text: 'written'};
    },
  });
  return createRuntime({
    config: {
      agent: {
        exploration_model: 'test/m',
        decision_model: 'test/m',
        review_models: ['test/m'],
        max_replans: 0,
      },
      limits,
    },
    named: new Set(),
    models: [model],
    tools: [write],
    env: {},
    lockFolder: join(folder, 'locks'),
  });
}

async function eventsOf(run: Run, onEvent: (event: ProgressEvent) => void): Promise<void> {
  for await (const event of run.events) onEvent(event);
}

test('four rejected writes in four parallel tasks, the default, open the gate', async () => {
  const runtime = writingRuntime(4, 'reject');
  const run = runtime.start({form: 'agent', request: 'write', workspace: folder});
  let gates = 0;
  await eventsOf(run, (event) => {
    if (event.type !== 'human.requested') return;
    gates += 1;
    run.send({type: 'human.decided', gate: event.gate, decision: 'reject', reason: 'enough'});
  });
  const result = await run.result;
  expect(gates).toBe(2);
  expect(result.denied).toHaveLength(4);
  expect(result.decisions?.filter(({by}) => by === 'person')).toMatchObject([
    {decision: 'reject', reason: 'enough', at: expect.any(Number), hash: expect.any(String)},
    {decision: 'reject', reason: 'enough'},
  ]);
  await runtime.close();
});

test('two runs of one runtime change a folder one at a time, and the second reports that it waits', async () => {
  let atWork = 0;
  let most = 0;
  const first = Promise.withResolvers<void>();
  const runtime = writingRuntime(1, 'approve', async () => {
    atWork += 1;
    most = Math.max(most, atWork);
    await first.promise;
    atWork -= 1;
  });
  const runs = [0, 1].map(() =>
    runtime.start({form: 'agent', request: 'write', workspace: folder}),
  );
  let waits = 0;
  await Promise.all(
    runs.map(async (run) => {
      await eventsOf(run, (event) => {
        if (event.type !== 'warning' || event.code !== 'workspaceBusy') return;
        waits += 1;
        first.resolve();
      });
    }),
  );
  const results = await Promise.all(runs.map(async (run) => await run.result));
  expect(results.map(({status}) => status)).toEqual(['completed', 'completed']);
  expect([most, waits]).toEqual([1, 1]);
  await runtime.close();
});

test('waiting for a folder does not count as running time', async () => {
  stopTime();
  try {
    const locks = createWorkspaceLocks(undefined);
    const wait = {signal: new AbortController().signal, onBusy: () => {}};
    await locks.lock('other', folder, wait);
    const runtime = writingRuntime(1, 'approve', async () => {}, {timeout_ms: 30_000});
    const waits = Promise.withResolvers<void>();
    const run = runtime.start({
      form: 'agent',
      request: 'write',
      workspace: folder,
      onEvent: (event) => {
        if (event.type === 'warning' && event.code === 'workspaceBusy') waits.resolve();
      },
    });
    await waits.promise;
    await passTime(60_000);
    locks.unlock('other');
    expect(await run.result).toMatchObject({status: 'completed'});
    await runtime.close();
  } finally {
    vi.useRealTimers();
  }
});

const holder = `
  import {createWorkspaceLocks} from ${JSON.stringify(new URL('../../actors/performers/workspace-locks.ts', import.meta.url).href)};
  const [folder, workspace] = process.argv.slice(1);
  const wait = {signal: new AbortController().signal, onBusy: () => {}};
  await createWorkspaceLocks(folder).lock('other', workspace, wait);
  process.stdout.write('locked');
  setInterval(() => {}, 1_000);
`;

test('a folder locked by a run of another process is free once that process is killed', async () => {
  const locks = createWorkspaceLocks(join(folder, 'locks'));
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', holder, join(folder, 'locks'), folder],
    {stdio: ['ignore', 'pipe', 'inherit']},
  );
  await once(child.stdout, 'data');
  const busy = Promise.withResolvers<string>();
  const wait = {signal: new AbortController().signal, onBusy: () => busy.resolve('busy')};
  const locked = locks.lock('mine', folder, wait);
  expect(await Promise.race([busy.promise, locked])).toBe('busy');
  child.kill('SIGKILL');
  expect(await locked).toEqual({locked: true});
  locks.unlock('mine');
});
