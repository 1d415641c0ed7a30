/** Node.js programs in processes of their own, killed at the end of their test at the latest. */

import {once} from 'node:events';
import {existsSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {execa} from 'execa';
import {onTestFinished} from 'vitest';

import {createPlace, type Place} from './place.ts';

export interface Started {
  /** Its first output. */
  readonly said: Promise<string>;
  /** Kills it and resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Its output, and the signal that ended it. */
  readonly ended: Promise<{readonly stdout: string; readonly signal?: string | undefined}>;
}

export function startNode(program: string, ...args: readonly string[]): Started {
  const child = execa(process.execPath, ['-e', program, ...args], {
    stdin: 'pipe',
    stderr: 'inherit',
    reject: false,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    said: once(child.stdout, 'data').then(([chunk]) => String(chunk)),
    kill: async () => {
      child.kill('SIGKILL');
      await child;
    },
    ended: child,
  };
}

const swapping = `
  const {renameSync, symlinkSync, unlinkSync} = require('node:fs');
  const [workspace, outside] = process.argv.slice(1);
  process.chdir(workspace);
  for (let swaps = 0; ; swaps += 1) {
    renameSync('d', 'd2');
    symlinkSync(outside, 'd');
    if (swaps === 3) process.stdout.write('begun');
    unlinkSync('d');
    renameSync('d2', 'd');
  }
`;

/** A place where a process swaps the folder d for a link to the outside and back until it is killed. */
export async function createRacedPlace(): Promise<{place: Place; attacker: Started}> {
  // In memory if possible, because the walk is raced, not the disk.
  const place = createPlace(undefined, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  mkdirSync(join(place.workspace, 'd'));
  place.put('d/inside.txt', '');
  const attacker = startNode(swapping, place.workspace, place.outside);
  await attacker.said;
  return {place, attacker};
}
