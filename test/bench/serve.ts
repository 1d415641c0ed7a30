/**
 * The server with forms that are filled by rule: requests per second, the memory of ten thousand open submissions, and the
 * time to wake one.
 */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout} from 'node:timers/promises';

import {fill, fillAgain, type Filling} from '../support/filling.ts';
import {type Ask, askAt} from '../support/serving.ts';
import type {Place} from './place.ts';
import {median, type Row} from './table.ts';

const open = 10_000;
/** Requests in flight at the same time. */
const atOnce = 32;
/** Longer than a submission stays in memory. */
const untilAsleepMs = 8_000;

const form = `id = "bench"
title = "Bench"
${['first', 'second', 'third'].map((id) => `[[fields]]\nid = "${id}"\nlabel = "The ${id}"\nrequired = true\n`).join('')}`;

export async function measureServe({folder, launcher}: Place): Promise<Row[]> {
  const {url, pid, end} = await startServer(join(folder, 'serve'), launcher);
  try {
    const ask = askAt(url);
    const emptyMb = residentMb(pid);
    const health = await rate(2_000, async () => await ask('/healthz'));
    const fillings: Filling[] = [];
    const begun = await rate(open, async () => fillings.push(await fill(ask, 'bench')));
    const few = fillings.slice(-300);
    const said = await rate(few.length, async (at) => await few[at]?.say('something'));
    const read = await rate(few.length, async (at) => await few[at]?.look());
    await setTimeout(untilAsleepMs);
    const idleMb = residentMb(pid);
    return [
      {label: 'server: requests that do nothing', ours: health, unit: '1/s'},
      {label: 'server: submissions begun', ours: begun, unit: '1/s'},
      {label: 'server: messages answered by rule, on the disk first', ours: said, unit: '1/s'},
      {label: 'server: submissions read', ours: read, unit: '1/s'},
      {label: 'server: resident memory without a submission', ours: emptyMb, unit: 'MB'},
      {label: `server: the same after ${open} were begun, all idle`, ours: idleMb, unit: 'MB'},
      {
        label: 'server: a message to one that sleeps',
        ours: await wakeMs(ask, fillings),
        unit: 'ms',
      },
    ];
  } finally {
    await end();
  }
}

/** Wakes each submission once. */
async function wakeMs(ask: Ask, fillings: readonly Filling[]): Promise<number> {
  const times: number[] = [];
  for (const asleep of fillings.slice(0, 50)) {
    const startedAt = performance.now();
    const {status} = await fillAgain(ask, asleep).say('something');
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`a message was answered with ${status}`);
  }
  return median(times);
}

/** Calls per second. */
async function rate(times: number, work: (at: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const workers = Array.from({length: atOnce}, async () => {
    while (next < times) {
      next += 1;
      await work(next - 1);
    }
  });
  await Promise.all(workers);
  return (times / (performance.now() - startedAt)) * 1_000;
}

async function startServer(folder: string, launcher: string) {
  mkdirSync(join(folder, 'forms'), {recursive: true});
  writeFileSync(join(folder, 'forms', 'bench.toml'), form);
  const args = ['serve', '--port', '0', '--forms', 'forms', '--rate', '100000'];
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, QUORATE_HOME: join(folder, 'data')},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({input: child.stdout}), 'line');
  const url = String(line).replace('listening on ', '');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return {url, pid: child.pid ?? 0, end};
}

/** The resident memory of a process on Linux. */
function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
