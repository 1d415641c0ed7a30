/**
 * The gate of speed: the CPU of each part of the work as a ratio to a bare loop, which depends little on the machine. The
 * least CPU of several processes is compared, because a busy machine only adds to it. A part fails when it is more than 20 %
 * above the recorded ratio even after 15 processes. The recorded ratios are the highest of the machines measured, which differ by
 * cache and disk: the same code measured 51.6 to 65.6 in `panel`, 8.3 to 14.8 in `durable`, and by a fifth in `turns`.
 */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {z} from 'zod';

import {type Place, startChatServer} from './place.ts';

const file = join(import.meta.dirname, 'ratios.json');
const parts = ['start', 'turns', 'durable', 'resume', 'http', 'panel', 'crowd'];
const tolerance = 1.2;
/** For a check, which ends as soon as a part is within its limit, and for a record. */
const processes = {least: 2, most: 15, recorded: 6};

interface Measured {
  readonly ratio: number;
  /** Processes. */
  readonly taken: number;
}

export async function checkRatios(place: Place, isRecording: boolean): Promise<boolean> {
  const recorded = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, 'utf8')));
  const server = await startChatServer(place);
  const taken: Record<string, number> = {};
  const slow: string[] = [];
  try {
    for (const part of parts) {
      const limit = isRecording ? 0 : (recorded[part] ?? 0) * tolerance;
      const count = isRecording ? processes.recorded : processes.most;
      const take = async () => await spent(part, place, server.url);
      const {ratio, taken: times} = await measured(take, {limit, count});
      taken[part] = Number(ratio.toPrecision(3));
      const isSlow = !isRecording && !(ratio <= limit);
      if (isSlow) slow.push(part);
      process.stdout.write(
        `${part.padEnd(8)} ${ratio.toPrecision(3)} (${times} processes), recorded ${recorded[part]}${isSlow ? '  SLOWER' : ''}\n`,
      );
    }
  } finally {
    server.stop();
  }
  if (isRecording) writeFileSync(file, `${JSON.stringify(taken, undefined, 2)}\n`);
  return slow.length === 0;
}

/** Processes are measured until the ratio is within the limit, at most `count`. */
async function measured(
  take: () => Promise<{ours: number; bare: number}>,
  {limit, count}: {readonly limit: number; readonly count: number},
): Promise<Measured> {
  const least = {ours: Infinity, bare: Infinity};
  for (let done = 1; ; done += 1) {
    const {ours, bare} = await take();
    least.ours = Math.min(least.ours, ours);
    least.bare = Math.min(least.bare, bare);
    const ratio = least.ours / least.bare;
    if (done === count || (done >= processes.least && ratio <= limit)) return {ratio, taken: done};
  }
}

async function spent(part: string, {folder, run}: Place, url: string) {
  if (part !== 'start') {
    const {ours = NaN, bare = NaN} = await run('check', {part, folder, url});
    return {ours, bare};
  }
  const {cpuMs: ours = NaN} = await run('ours-first-call');
  const {cpuMs: bare = NaN} = await run('bare-start');
  return {ours, bare};
}
