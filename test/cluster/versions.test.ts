/** Workers of two versions of the charts on one journal: a run is continued by either if its charts replay it, and left otherwise. */

import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';

import {peekRun} from '../../actors/history/peek.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {isJsonObject} from '../../machines/domain/json.ts';
import {launcherProgram} from '../support/built.ts';
import {type PostgresServer, startPostgres} from '../support/postgres.ts';
import {closeSite, openSite, type Site} from './site.ts';

let server: PostgresServer;
let place: string;
let site: Site;
beforeAll(async () => {
  server = await startPostgres();
  place = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-versions-')));
  site = await openSite(place, server.url, 'http://127.0.0.1:9/v1');
});
afterAll(async () => {
  await closeSite(site);
  await server.remove();
  rmSync(place, {recursive: true});
});

/** The launcher with other charts. */
function launcherWith(name: string, change: (chart: string) => string): string {
  const root = join(place, name);
  for (const part of ['actors', 'cli', 'diagrams', 'machines', 'tools', 'package.json'])
    cpSync(part, join(root, part), {recursive: true});
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const chart = join(root, 'machines/forms/agent/agent.ts');
  const text = readFileSync(chart, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(chart, changed);
  return join(root, 'cli/bin.ts');
}

function startWorker(program: string) {
  const child = execa(process.execPath, [program, 'worker', '--journal', server.url], {
    cwd: site.folder,
    env: {PATH: process.env['PATH'], HOME: site.home, QUORATE_HOME: join(site.home, 'data')},
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
  });
  const end = async (): Promise<void> => {
    child.kill('SIGINT');
    await child;
  };
  onTestFinished(end);
  let notes = '';
  child.stderr.on('data', (piece: Buffer) => {
    notes += piece.toString();
  });
  return {end, notes: () => notes};
}

/** An agent that asks before it carries out its plan. */
async function record(name: string): Promise<string> {
  const args = {command: `echo done >> ${name}`};
  const tasks = [{id: 't', description: `Mark ${name}`, tool: 'run_command', args}];
  return await site.runtime.record({
    form: 'agent',
    request: `Run the command that appends to ${name}`,
    plan: {objective: `Mark ${name}`, reasoning: 'The test asks for it.', tasks},
    settings: {agent: {confirm_execution: true, hil_mode: 'interactive'}},
    workspace: site.folder,
  });
}

async function approve(id: string): Promise<void> {
  await expect.poll(async () => await site.runtime.stateOf(id)).toBe('waiting');
  const {gates} = await peekRun(id, await site.runtime.entries(id));
  await site.runtime.relay(id, {
    type: 'human.decided',
    gate: gates[0]?.gate ?? '',
    decision: 'approve',
  });
}

async function completed(id: string): Promise<readonly Entry[]> {
  await expect.poll(async () => await site.runtime.stateOf(id)).toBe('ended');
  const entries = await site.runtime.entries(id);
  expect(entries.at(-1)).toMatchObject({type: 'closed', result: {status: 'completed'}});
  return entries;
}

/** Of the processes that have continued the run. */
function versionsIn(entries: readonly Entry[]): readonly unknown[] {
  return entries.flatMap((entry) => {
    const event = entry.type === 'received' && isJsonObject(entry.event) ? entry.event : {};
    return event['type'] === 'run.resumed' ? [event['version']] : [];
  });
}

test('workers whose charts differ, but replay a run alike, continue it by turns', async () => {
  const other = launcherWith('alike', (chart) => `${chart}\n// Another version.\n`);
  const before = startWorker(other);
  const [one, two] = [await record('one'), await record('two')];
  await expect.poll(async () => await site.runtime.stateOf(one)).toBe('waiting');
  await expect.poll(async () => await site.runtime.stateOf(two)).toBe('waiting');
  await before.end();

  const after = startWorker(await launcherProgram());
  await approve(one);
  expect(new Set(versionsIn(await completed(one))).size).toBe(2);

  startWorker(other);
  const three = await record('three');
  await Promise.all([approve(two), approve(three)]);
  await completed(two);
  await completed(three);
  for (const name of ['one', 'two', 'three'])
    expect(readFileSync(join(site.folder, name), 'utf8')).toBe('done\n');
  expect(after.notes()).not.toContain("can't be continued");
});

test('a worker whose charts do not replay a run leaves it as it is, says so once, and another continues it', async () => {
  const first = startWorker(await launcherProgram());
  const id = await record('four');
  await expect.poll(async () => await site.runtime.stateOf(id)).toBe('waiting');
  await first.end();
  const entries = await site.runtime.entries(id);

  const other = startWorker(
    launcherWith('unlike', (chart) => chart.replace("id: 'planning'", "id: 'plans'")),
  );
  await approve(id);
  await expect
    .poll(() => other.notes())
    .toMatch(
      new RegExp(
        `${id}  can't be continued here: it was recorded by version \\w+ of the charts, and this is version`,
      ),
    );
  expect(await site.runtime.entries(id)).toEqual(entries);

  startWorker(await launcherProgram());
  await completed(id);
  expect(other.notes().match(/can't be continued here/g)).toHaveLength(1);
  expect(readFileSync(join(site.folder, 'four'), 'utf8')).toBe('done\n');
});
