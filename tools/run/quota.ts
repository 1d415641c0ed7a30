/**
 * What a command may take. By the limits of its processes, which hold in a sandbox and without one, for whatever it starts: a
 * limit that is lower already stays, and where the kernel does not enforce one for this user (that of processes for root), it
 * is not there. And by the limits of its control group, where one can be made.
 */

import {readFileSync} from 'node:fs';
import {availableParallelism, totalmem} from 'node:os';

export interface Limits {
  /** Of all that a command runs, in bytes: memory, what it keeps in memory as files, and no swap beside it. */
  readonly memory: number;
  /** Processes and threads that a command has at once. */
  readonly processes: number;
}

export interface LimitSettings {
  readonly max_memory_percent: number;
  readonly max_processes: number;
}

export const defaultLimits = {max_memory_percent: 75, max_processes: 4_096};

export function limitsOf({max_memory_percent, max_processes}: LimitSettings): Limits {
  return {
    memory: Math.floor((totalmem() / 100) * max_memory_percent),
    processes: max_processes,
  };
}

/** How long it may run, unless a call says so, and at most. */
export const defaultSeconds = 120;
export const maxSeconds = 3_600;

/** Of one file. */
export const maxFileMegabytes = 512;
const maxOpenFiles = 8_192;
const defaultThreads = 4_096;

/**
 * Lines for a shell, which then becomes the command. None of its processes computes for longer than all cores do in its
 * time: what outlives it ends. Its processes come beside those of the whole system, for the kernel counts all of a user. The
 * data of one process are bounded by the memory of the machine; that limit may be lifted by the command itself, for what
 * reserves terabytes that it never touches.
 */
export function quotaFor(seconds: number, {processes}: Pick<Limits, 'processes'>): string {
  const cpuSeconds = seconds * availableParallelism();
  const all = threadsOfAll() + processes;
  const limits = [
    'ulimit -c 0',
    `ulimit -f ${maxFileMegabytes * 2_048}`,
    `ulimit -t ${cpuSeconds}`,
    `ulimit -n ${maxOpenFiles}`,
    `ulimit -u ${all} || ulimit -p ${all}`,
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
