/**
 * What a command may take, by the limits of its processes: they hold in a sandbox and without one, for whatever it starts.
 * A limit that is lower already stays. Where the kernel does not enforce one for this user (that of processes for root),
 * it is not there.
 */

import {readFileSync} from 'node:fs';
import {availableParallelism, totalmem} from 'node:os';

/** Of one file. */
export const maxFileMegabytes = 512;
const maxOpenFiles = 8_192;
/** Beside those of the whole system: the kernel counts all of a user. */
const maxMoreProcesses = 4_096;
const defaultThreads = 4_096;

/**
 * Lines for a shell, which then becomes the command. None of its processes computes for longer than all cores do in its
 * time: what outlives it ends. The data of one process are bounded by the memory of the machine; that limit may be lifted
 * by the command itself, for what reserves terabytes that it never touches.
 */
export function quotaFor(seconds: number): string {
  const cpuSeconds = seconds * availableParallelism();
  const processes = threadsOfAll() + maxMoreProcesses;
  const limits = [
    'ulimit -c 0',
    `ulimit -f ${maxFileMegabytes * 2_048}`,
    `ulimit -t ${cpuSeconds}`,
    `ulimit -n ${maxOpenFiles}`,
    `ulimit -u ${processes} || ulimit -p ${processes}`,
    `ulimit -S -d ${Math.floor(totalmem() / 1024)}`,
  ];
  return limits.map((limit) => `{ ${limit}; } 2>/dev/null`).join('\n');
}

function threadsOfAll(): number {
  try {
    const [, threads] = /\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1')) ?? [];
    return Number(threads ?? defaultThreads);
  } catch {
    return defaultThreads;
  }
}

/** What a command that a limit has ended is told, by the number of the signal. */
export const limitTexts: Readonly<Record<string, string>> = {
  SIGXFSZ: `a file would have grown beyond ${maxFileMegabytes} MB, which is the limit of commands`,
  SIGXCPU: 'a process has computed for longer than commands may',
};
