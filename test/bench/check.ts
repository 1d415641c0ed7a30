/**
 * The gate of speed: the CPU of each part of the work as a ratio to a bare loop of the same process, which depends little on
 * the machine and its load. A part fails when three medians of five are all more than 20 % above the recorded ratio.
 */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {type Place, startChatServer} from './place.ts';
import {median} from './table.ts';

const file = join(import.meta.dirname, 'ratios.json');
const parts = ['start', 'turns', 'durable', 'resume', 'http', 'panel', 'crowd'];
const tolerance = 1.2;
const repeats = 3;
const processes = 5;

export async function checkRatios(place: Place, isRecording: boolean): Promise<boolean> {
  const recorded = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, 'utf8')));
  const server = await startChatServer(place);
  const taken: Record<string, number> = {};
  const slow: string[] = [];
  try {
    for (const part of parts) {
      const limit = isRecording ? Infinity : (recorded[part] ?? Number.NaN) * tolerance;
      const medians = await mediansOf(limit, async () => ratioOf(part, place, server.url));
      const least = Math.min(...medians);
      taken[part] = Number(least.toPrecision(3));
      const isSlow = !isRecording && !(least <= limit);
      if (isSlow) slow.push(part);
      const shown = medians.map((ratio) => ratio.toPrecision(3)).join(', ');
      process.stdout.write(
        `${part.padEnd(8)} ${shown}  recorded ${recorded[part]}${isSlow ? '  SLOWER' : ''}\n`,
      );
    }
  } finally {
    server.stop();
  }
  if (isRecording) writeFileSync(file, `${JSON.stringify(taken, undefined, 2)}\n`);
  return slow.length === 0;
}

/** Repeated until one is within the limit, at most three times. */
async function mediansOf(limit: number, ratio: () => Promise<number>): Promise<readonly number[]> {
  const medians: number[] = [];
  while (medians.length < repeats && !medians.some((each) => each <= limit)) {
    const ratios: number[] = [];
    for (let count = 0; count < processes; count += 1) ratios.push(await ratio());
    medians.push(median(ratios));
  }
  return medians;
}

async function ratioOf(part: string, {folder, run}: Place, url: string): Promise<number> {
  if (part !== 'start') return Number((await run('check', {part, folder, url}))['ratio']);
  const ours = await run('ours-first-call');
  const bare = await run('bare-start');
  return Number(ours['cpuMs']) / Number(bare['cpuMs']);
}
