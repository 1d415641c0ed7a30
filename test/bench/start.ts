/** How soon a program that uses the library, and the launcher, are at work. */

import {spawn, spawnSync} from 'node:child_process';
import {join} from 'node:path';

import {compare, middlesOf, type Place} from './place.ts';
import {median, type Row} from './table.ts';

const times = 15;

/** From the start of the process to the first call of a model. */
export async function measureFirstCall(place: Place): Promise<Row[]> {
  const compared = await compare(place, times, (side) => ({program: `${side}-first-call`}));
  const row = (label: string, name: string): Row => ({
    label,
    unit: 'ms',
    ...middlesOf(compared, name),
  });
  return [
    {...row('first model call of a program that imports the library', 'ms'), aim: 0.8},
    row('the same, CPU', 'cpuMs'),
  ];
}

/** From the start of the process to the first line of progress, as multiples of the start of bare Node. */
export async function measureLauncher(place: Place): Promise<Row[]> {
  const firstLines: number[] = [];
  const bares: number[] = [];
  for (let time = 0; time < times; time += 1) {
    firstLines.push(await firstLineMs(place, time));
    bares.push(bareMs());
  }
  const bare = median(bares);
  return [
    {label: 'start of bare node', ours: bare, unit: 'ms'},
    {label: 'the launcher: first line of progress', ours: median(firstLines), unit: 'ms'},
    {label: 'the same', ours: median(firstLines) / bare, unit: 'times bare node', aim: 5},
  ];
}

async function firstLineMs({folder, launcher}: Place, time: number): Promise<number> {
  const before = performance.now();
  const child = spawn(process.execPath, [launcher, 'ask', '--output', 'jsonl', 'What is 6 * 7?'], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, QUORATE_HOME: join(folder, `home-${time}`)},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const {promise, resolve, reject} = Promise.withResolvers<number>();
  child.stdout.once('data', () => resolve(performance.now() - before));
  child.once('close', () => reject(new Error('the launcher wrote nothing')));
  const ms = await promise;
  child.kill('SIGKILL');
  return ms;
}

function bareMs(): number {
  const before = performance.now();
  spawnSync(process.execPath, ['-e', '0'], {stdio: 'ignore'});
  return performance.now() - before;
}
