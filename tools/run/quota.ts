/**
 * The resource limits and the environment variables of a command. The limits of its processes apply in a sandbox and without one, to all
 * that it starts: a lower existing limit stays, and a limit that the kernel does not enforce for this user (that of processes for root)
 * has no effect. Where a scope can be made, its limits apply to all of them together.
 */

import {readFileSync} from 'node:fs';
import {availableParallelism, totalmem} from 'node:os';

export interface Limits {
  /** For all processes of a command, in bytes: memory and files in memory; swap is not added. */
  readonly memory: number;
  /** The number of processes and threads that a command has at once. */
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

/** The default time limit of a command, and the maximum. */
export const defaultSeconds = 120;
export const maxSeconds = 3_600;

/** The size limit of one file. */
const maxFileMegabytes = 512;
const maxOpenFiles = 8_192;
const defaultThreads = 4_096;

/**
 * Lines for a shell, which then becomes the command. The CPU limit of each process is the time of all cores during the command's
 * time limit: a process that outlives the command ends. The limit of processes is added to the number on the whole system, as the kernel
 * counts all of a user. The data of one process are limited by the memory of the machine; the command itself may raise that limit, for programs
 * that reserve terabytes without using them.
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

/** The message after a limit has ended a command, by the name of the signal. */
export const limitTexts: Readonly<Record<string, string>> = {
  SIGXFSZ: `a file would have grown beyond ${maxFileMegabytes} MB, which is the limit of commands`,
  SIGXCPU: 'a process has computed for longer than commands may',
};

interface Started {
  readonly command: string;
  readonly argv?: readonly string[];
}

/**
 * `quota`: lines for a shell, which becomes the command. The words of `argv` are its parameters, so it never reads them as code. One
 * pipe for both outputs keeps their order.
 */
export function startWords({command, argv}: Started, quota: string): readonly string[] {
  if (argv) return ['/bin/sh', '-c', `${quota}\nexec "$@" 2>&1`, 'sh', ...argv];
  return ['/bin/sh', '-c', `${quota}\nexec /bin/sh -c "$1" 2>&1`, 'sh', command];
}

const allowedNames = ['HOME', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR'];

/**
 * Keys and tokens of this process are not passed on. Relative folders of PATH are left out, as the workspace could put programs into
 * them. `added`: variables that a person passes on by name.
 */
export function allowedEnv(
  env: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept = allowedNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const folders = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return {
    ...Object.fromEntries(kept),
    ...added,
    PATH: folders.join(':') || '/usr/local/bin:/usr/bin:/bin',
  };
}
