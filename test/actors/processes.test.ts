/** Processes of runs: cancelled, left running, short of descriptors, and several in one folder. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {execa} from 'execa';
import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {z} from 'zod';

import type {ConfigInput} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../actors/journal/sqlite.ts';
import {createWorkspaceLocks} from '../../actors/performers/workspace-locks.ts';
import {endChildren} from '../../actors/run/takeover.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {defineTool} from '../../tools/index.ts';
import {signalGroup, startTimeOf, statOf} from '../../tools/run/processes.ts';
import {launcherProgram} from '../support/built.ts';
import {createLauncher, environmentIn} from '../support/launch.ts';
import {pairs} from '../support/rows.ts';
import {answer, createScenario, cutJournal, type Scenario, vote} from '../support/scenario.ts';
import {folderWith, journalIn, passTime, setStage, type Stage, stopTime} from '../support/stage.ts';
import {createPlace} from '../tools/place.ts';
import {startNode} from '../tools/process.ts';
import {appendEntries} from './journal/entries.ts';

/** A run whose process died during the call of `prove`, which must not be repeated; `change` edits its entries. */
async function killed(
  change: (entries: readonly Entry[]) => readonly Entry[] = (entries) => entries,
): Promise<Scenario & {readonly id: string}> {
  const {start, runtime} = createScenario();
  const run = start();
  await run.result;
  const entries = await runtime.entries(run.id);
  const begun = entries.findLastIndex((entry) => entry.type === 'requested');
  const scenario = createScenario({
    journal: cutJournal(run.id, change(entries.slice(0, begun + 1))),
  });
  return {...scenario, id: run.id};
}

describe('a cancelled run', () => {
  test('a call in flight when its process died is reported as in doubt', async () => {
    const {runtime, performed, id} = await killed();
    const result = await runtime.cancel(id);
    expect(result).toMatchObject({status: 'cancelled', inDoubt: ['prove {"what":"it"}']});
    expect(performed.tools).toEqual([]);
    expect((await runtime.entries(id)).at(-1)).toMatchObject({type: 'closed', result});
  });

  test('a call that a person is asked about is reported as in doubt', async () => {
    const {runtime, id} = await killed();
    const run = await runtime.resume(id);
    for await (const event of run.events) {
      if (event.type === 'human.requested') run.send({type: 'user.cancel'});
    }
    expect(await run.result).toMatchObject({status: 'cancelled', inDoubt: ['prove {"what":"it"}']});
  });

  test('a run without a call in doubt reports none', async () => {
    const run = createScenario().start();
    run.send({type: 'user.cancel'});
    const result = await run.result;
    expect(result.status).toBe('cancelled');
    expect(result).not.toHaveProperty('inDoubt');
  });

  test('without a replay, a call in doubt has its name from the journal', async () => {
    const {runtime, id} = await killed((entries) =>
      entries.map((entry, at) =>
        entry.type === 'settled' && at === 3 ? {...entry, key: `${entry.key}-of-old`} : entry,
      ),
    );
    expect(await runtime.cancel(id)).toMatchObject({
      status: 'cancelled',
      inDoubt: [expect.stringMatching(/^i\/.*\/run#1$/)],
    });
  });

  test('cancelling a damaged run ends the processes that it left running', async () => {
    const {runtime: first, id} = await killed();
    const journalFolder = folderWith();
    const file = join(journalFolder, 'journal.db');
    const journal = journalIn(journalFolder);
    await appendEntries(journal, id, await first.entries(id));
    const orphan = spawn('sleep', ['60'], {detached: true, stdio: 'ignore'});
    const ended = once(orphan, 'exit');
    const group = orphan.pid ?? 0;
    await journal.host.children.remember(id, group, startTimeOf(group) ?? '');
    const database = new DatabaseSync(file);
    database.exec('UPDATE entries SET at = at + 1 WHERE seq = 5');
    database.close();

    expect(await createScenario({journal}).runtime.cancel(id)).toMatchObject({status: 'cancelled'});
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await journal.host.children.list(id)).toEqual([]);
  });
});

const tools = new URL('../../tools/', import.meta.url).href;
const command =
  "setsid sh -c 'echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 9999' >/dev/null 2>&1 & sleep 9999";

/** Starts a command, and is killed once that has started a process in its own session. */
const program = `
  Promise.all(['index.ts', 'run/processes.ts'].map((path) => import(${JSON.stringify(tools)} + path)))
    .then(([{createRunCommand, createSandbox}, {startTimeOf}]) => {
      const {existsSync, writeSync} = require('node:fs');
      const [workspace] = process.argv.slice(1);
      const onChild = (group) => void writeSync(1, group + ' ' + startTimeOf(group));
      const context = {workspace, signal: new AbortController().signal, recovering: false, onChild};
      createRunCommand({sandbox: createSandbox({mode: 'off'})}).run({command: ${JSON.stringify(command)}}, context);
      setInterval(() => existsSync(workspace + '/pid') && process.kill(process.pid, 'SIGKILL'), 5);
    });`;

test.skipIf(!existsSync('/proc/self/environ'))(
  'a process that had left its group is ended by the takeover',
  async () => {
    const place = createPlace();
    const {stdout, signal} = await startNode(program, place.workspace).ended;
    expect(signal).toBe('SIGKILL');
    const [group = '', startedAt = ''] = stdout.split(' ');
    const pid = Number(place.text('pid'));
    onTestFinished(() => {
      signalGroup(Number(group), 'SIGKILL');
      signalGroup(pid, 'SIGKILL');
    });
    expect(statOf(pid)).toMatchObject({name: 'sleep'});

    const {children} = createMemoryJournal().host;
    await children.remember('r', Number(group), startedAt);
    await endChildren('r', children);
    await vi.waitFor(() =>
      expect([statOf(Number(group)), statOf(pid)]).toEqual([undefined, undefined]),
    );
  },
  30_000,
);

let sharedFolder = '';

/** Runs that plan `writes` calls of a tool at the same time; `onWrite` runs inside the tool. */
function writing(
  writes: number,
  verdict: 'approve' | 'reject',
  onWrite: () => Promise<void> = async () => {},
  limits: ConfigInput['limits'] = {},
): Stage {
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
  return setStage({
    folder: sharedFolder,
    tasks: Array.from({length: writes}, (_, at) => ({tool: 'write', args: {at}})),
    say: ({purpose}) => (purpose === 'review-action' ? vote(verdict) : undefined),
    config: {agent: {review_models: ['t/a'], max_replans: 0, hil_mode: 'interactive'}, limits},
    tools: [write],
    journal: journalIn(sharedFolder),
  });
}

async function eventsOf(run: Run, onEvent: (event: ProgressEvent) => void): Promise<void> {
  for await (const event of run.events) onEvent(event);
}

const holder = `
  import {createWorkspaceLocks} from ${JSON.stringify(new URL('../../actors/performers/workspace-locks.ts', import.meta.url).href)};
  const [folder, workspace] = process.argv.slice(1);
  const wait = {signal: new AbortController().signal, onBusy: () => {}};
  await createWorkspaceLocks(folder).lock('other', workspace, wait);
  process.stdout.write('locked');
  setInterval(() => {}, 1_000);
`;

describe('runs in one folder', () => {
  beforeEach(() => {
    sharedFolder = folderWith();
  });

  test('four rejected writes in four parallel tasks, the default, open the gate', async () => {
    const run = writing(4, 'reject').start('write');
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
  });

  test('two runs of one runtime change a folder one at a time, and the second reports that it waits', async () => {
    let atWork = 0;
    let most = 0;
    const first = Promise.withResolvers<void>();
    const {start} = writing(1, 'approve', async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await first.promise;
      atWork -= 1;
    });
    const runs = [0, 1].map(() => start('write'));
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
  });

  test('waiting for a folder does not count as running time', async () => {
    stopTime();
    try {
      const locks = createWorkspaceLocks(undefined);
      const wait = {signal: new AbortController().signal, onBusy: () => {}};
      await locks.lock('other', sharedFolder, wait);
      const {start} = writing(1, 'approve', async () => {}, {timeout_ms: 30_000});
      const waits = Promise.withResolvers<void>();
      const run = start('write', {
        onEvent: (event) => {
          if (event.type === 'warning' && event.code === 'workspaceBusy') waits.resolve();
        },
      });
      await waits.promise;
      await passTime(60_000);
      locks.unlock('other');
      expect(await run.result).toMatchObject({status: 'completed'});
    } finally {
      vi.useRealTimers();
    }
  });

  test('a folder locked by a run of another process is free once that process is killed', async () => {
    const locks = createWorkspaceLocks(join(sharedFolder, 'locks'));
    const child = spawn(
      process.execPath,
      ['--input-type=module', '--eval', holder, join(sharedFolder, 'locks'), sharedFolder],
      {stdio: ['ignore', 'pipe', 'inherit']},
    );
    await once(child.stdout, 'data');
    const busy = Promise.withResolvers<string>();
    const wait = {signal: new AbortController().signal, onBusy: () => busy.resolve('busy')};
    const locked = locks.lock('mine', sharedFolder, wait);
    expect(await Promise.race([busy.promise, locked])).toBe('busy');
    child.kill('SIGKILL');
    expect(await locked).toEqual({locked: true});
    locks.unlock('mine');
  });
});

test.each(
  pairs(`
  EMFILE ⇒ run ¦ ENFILE ⇒ run ¦ ENOMEM ⇒ run ¦ EMFILE ⇒ preview ¦ ENOMEM ⇒ preview
`),
)(
  'a call that meets %s in its %s suspends the run, and is made when it is resumed',
  async (code, meets) => {
    let calls = 0;
    const lacking = (): void => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error(`${code}: too many`), {code});
    };
    const tool = defineTool({
      name: 'fetch_note',
      description: 'Fetches a note.',
      parameters: z.strictObject({}),
      reaches: 'workspace',
      quotes: false,
      risk: meets === 'preview' ? 'high' : 'low',
      repeatability: 'repeatable',
      ...(meets === 'preview' && {
        preview: async (args) => {
          lacking();
          return await Promise.resolve({kind: 'ready', args, preview: 'a note'});
        },
      }),
      run: async () => {
        if (meets === 'run') lacking();
        return await Promise.resolve({kind: 'succeeded', text: 'a note'});
      },
    });
    const {runtime, run} = setStage({
      folder: import.meta.dirname,
      tasks: [{id: 'a', description: 'Fetch it', tool: 'fetch_note', args: {}}],
      say: ({purpose}) => (purpose === 'close' ? answer('') : undefined),
      config: {agent: {phase_scope: 'fast'}},
      tools: [tool],
    });
    const suspended = await run('Fetch the note');
    expect(suspended).toMatchObject({status: 'waiting', exitCode: 2, resumable: true});
    expect(suspended.summary).toContain(`(${code})`);
    const resumed = await runtime.resume(suspended.interaction);
    expect(await resumed.result).toMatchObject({status: 'completed'});
    expect(calls).toBe(2);
    expect(await runtime.verify(suspended.interaction)).toMatchObject({holds: true});
  },
);

/** Descriptors that a shell may have passed on count, too, so they are closed first. */
const scarceShell = `for fd in /proc/self/fd/*; do n=\${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done
ulimit -n "$LIMIT"; exec "$0" "$@"`;

/** How many descriptors a run opens changes with each version: the limit falls until a command cannot start. */
test('a command that cannot start for lack of descriptors suspends the run, and runs once when it is resumed', async () => {
  const {folder, run, remove} = createLauncher();
  onTestFinished(remove);
  const launcher = await launcherProgram();
  const limited = async (limit: number) => {
    const workspace = join(folder, `work-${limit}`);
    mkdirSync(workspace);
    const words = ['-C', workspace, '--output', 'json', 'Run `echo x >> marks.txt` and report'];
    const line = [process.execPath, launcher, ...words];
    const {exitCode, stdout} = await execa('bash', ['-c', scarceShell, ...line], {
      cwd: folder,
      env: {...environmentIn(folder, {}), LIMIT: String(limit)},
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    });
    const marks = join(workspace, 'marks.txt');
    const text = () => (existsSync(marks) ? readFileSync(marks, 'utf8') : '');
    return {workspace, exitCode, result: JSON.parse(stdout), marks: text};
  };
  let limit = 40;
  let scarce = await limited(limit);
  while (scarce.exitCode === 0 && limit > 24) scarce = await limited((limit -= 4));
  expect(scarce).toMatchObject({exitCode: 2, result: {status: 'waiting', resumable: true}});
  expect(scarce.marks()).toBe('');
  const resume = ['resume', scarce.result.interaction, '--output', 'json'];
  const resumed = await run(['-C', scarce.workspace, ...resume]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({status: 'completed'});
  expect(scarce.marks()).toBe('x\n');
}, 120_000);
