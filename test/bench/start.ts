/** The time until a program that uses the library, and the launcher, begin to work. */

import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
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

/**
 * From the start of the process to the first line of progress, as multiples of the start of bare Node. The first two starts,
 * which create the data folder and store the compiled code in it, are not measured.
 */
export async function measureLauncher(place: Place): Promise<Row[]> {
  const firstLines: number[] = [];
  const bares: number[] = [];
  await firstLineMs(place);
  await firstLineMs(place);
  for (let time = 0; time < times; time += 1) {
    firstLines.push(await firstLineMs(place));
    bares.push(bareMs());
  }
  const bare = median(bares);
  return [
    {label: 'start of bare node', ours: bare, unit: 'ms'},
    {label: 'the launcher: first line of progress', ours: median(firstLines), unit: 'ms'},
    {label: 'the same', ours: median(firstLines) / bare, unit: 'times bare node', aim: 5},
  ];
}

async function firstLineMs({folder, launcher}: Place): Promise<number> {
  const before = performance.now();
  const child = spawn(process.execPath, [launcher, 'ask', '--output', 'jsonl', 'What is 6 * 7?'], {
    cwd: folder,
    env: {PATH: process.env['PATH'], HOME: folder, QUORATE_HOME: join(folder, 'home')},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let ms = NaN;
  child.stdout.once('data', () => {
    ms = performance.now() - before;
  });
  await once(child, 'close');
  if (Number.isNaN(ms)) throw new Error('the launcher wrote nothing');
  return ms;
}

function bareMs(): number {
  const before = performance.now();
  spawnSync(process.execPath, ['-e', '0'], {stdio: 'ignore'});
  return performance.now() - before;
}
