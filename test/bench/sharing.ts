/** Part of `npm run bench -- --journals`: takeover of a run, memory of a worker whose runs wait, many submissions at two servers. */

import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

import {createMemoryJournal, createRuntime} from '../../actors/index.ts';
import type {Journal} from '../../actors/journal/journal.ts';
import {startWorker} from '../../actors/run/worker.ts';
import {closeSite, openSite, type Process, serverAt, type Site, workerAt} from '../cluster/site.ts';
import {known} from '../support/filling.ts';

const noModels = 'http://127.0.0.1:9/v1';
const many = 1_000;

export async function printSharing(journal: Journal, url: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bench-')));
  ends.defer(() => rmSync(place, {recursive: true, force: true}));
  const site = await openSite(place, url, noModels);
  ends.defer(async () => await closeSite(site));
  print('takeover, ms, from kill -9 to the first entry of the other worker', [
    await takeover(site, url),
    await takeover(site, url),
    await takeover(site, url),
  ]);
  const {ms, heap, rss} = await waiting(journal, site.folder);
  print(`${many} agents brought to a question by one worker, s`, [ms / 1_000]);
  print('its heap, MB, before and after', heap);
  print('its resident memory, MB, before and after', rss);
  const submitted = await submissions(site, url);
  print(`${many} submissions begun at once at two servers, s; failed`, submitted);
}

function print(label: string, figures: readonly number[]): void {
  process.stdout.write(`${label}: ${figures.map((each) => each.toFixed(1)).join(' / ')}\n`);
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  if (await isSo()) return;
  await wait(20);
  await until(isSo);
}

/** Of a run that executes a command. */
async function takeover(site: Site, url: string): Promise<number> {
  const {runtime, journal, folder} = site;
  const [first, second] = [workerAt(site, url), workerAt(site, url)];
  const owners = async (): Promise<number> =>
    (await journal.sharing?.())?.owners.filter(({pid}) => pid !== process.pid).length ?? 0;
  const args = {command: 'sleep 60'};
  const tasks = [{id: 't', description: 'Wait', tool: 'run_command', args}];
  const plan = {objective: 'Wait', reasoning: 'To be taken over.', tasks};
  const hasBegun = async (type: string): Promise<boolean> =>
    (await journal.log.read(id)).some((entry) => entry.type === type);
  await first.start();
  const request = 'Run sleep 60';
  const id = await runtime.record({form: 'agent', request, plan, workspace: folder});
  await until(async () => await hasBegun('requested'));
  await second.start();
  await until(async () => (await owners()) === 2);
  const before = await journal.log.lengthOf(id);
  const killedAt = Date.now();
  await first.end();
  await until(async () => (await journal.log.lengthOf(id)) > before);
  const at = (await journal.log.read(id))[before]?.at ?? Number.NaN;
  await second.end();
  await runtime.cancel(id);
  return at - killedAt;
}

interface Megabytes {
  readonly heap: number;
  readonly rss: number;
}

function memory(): Megabytes {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const {heapUsed, rss} = process.memoryUsage();
  return {heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20};
}

/** Agents whose plan a person has to confirm, in this process. */
async function waiting(journal: Journal, workspace: string) {
  const host = {...createMemoryJournal().host, id: 'bench'};
  const agent = {confirm_execution: true, hil_mode: 'interactive'} as const;
  const runtime = createRuntime({journal, host, config: {agent}, env: {}});
  const args = {path: 'made', content: 'it'};
  const tasks = [{id: 't', description: 'Make it', tool: 'write_file', args}];
  const plan = {objective: 'Make it', reasoning: 'It is wanted.', tasks};
  await Promise.all(
    Array.from({length: many}, async () =>
      runtime.record({form: 'agent', request: 'Make the file "made"', plan, workspace}),
    ),
  );
  const before = memory();
  const since = performance.now();
  let left = 0;
  const {owners} = journal;
  const worker = startWorker({runtime, owners, host, most: 16, onEnd: () => void (left += 1)});
  await until(() => left === many);
  const ms = performance.now() - since;
  await worker.close();
  const after = memory();
  await runtime.close();
  return {ms, heap: [before.heap, after.heap], rss: [before.rss, after.rss]};
}

/** Seconds until the first question of each, and how many were refused. */
async function submissions(site: Site, url: string): Promise<readonly [number, number]> {
  const servers = [serverAt(site, url), serverAt(site, url)];
  await Promise.all(servers.map(async (each) => await each.start()));
  await until(() => servers.every((each) => each.url !== ''));
  const since = performance.now();
  const statuses = await Promise.all(
    Array.from({length: many}, async (_, at) => await begin(servers[at % 2])),
  );
  const seconds = (performance.now() - since) / 1_000;
  await Promise.all(servers.map(async (each) => await each.end()));
  return [seconds, statuses.filter((status) => status !== 201).length];
}

async function begin(server: Process | undefined): Promise<number> {
  const response = await fetch(`${server?.url ?? ''}/v1/forms/t-shirt/submissions`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(known),
  });
  await response.text();
  return response.status;
}
