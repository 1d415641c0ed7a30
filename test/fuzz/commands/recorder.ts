/**
 * Runs a command in a scratch copy of a world, in bubblewrap and without a network, under strace; reports all its effects.
 * Inside, the copy has the world's path, so that the paths are the judged ones.
 */

import {execFile, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {type Change, createScratch} from './scratch.ts';
import {type Reached, readTrace, tracedCalls} from './trace.ts';

export interface Recorded extends Reached {
  /** In the world, paths relative to it. */
  readonly changes: readonly Change[];
  /** Output, at most 200 KB. */
  readonly output: string;
  /** 127: the program is not installed here. */
  readonly exitCode: number | undefined;
}

export interface Recorder {
  readonly record: (command: string, shell: string) => Promise<Recorded>;
  readonly remove: () => void;
}

const timeLimitMs = 4_000;

/** Limits of a file that a command writes, in KB, and of its processor time, in seconds. */
const fileLimitKb = 20_000;
const processorLimitS = 3;

/** A name and a value that a command must not print unless its effects list them. */
export const environmentSecret = 'secret-of-the-environment';

/** The reason why recording is impossible here: it requires Linux, bubblewrap and strace, and permission to trace. */
export function recordingProblem(): string | undefined {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const tracing = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', 'true'];
  const {error, status, stderr} = spawnSync('bwrap', ['--unshare-all', ...mounts, ...tracing]);
  if (status === 0) return undefined;
  return `bubblewrap and strace can't be used here: ${error?.message ?? String(stderr).trim()}`;
}

/** @param world A folder with the workspace in `workspace` and a home folder in `home`. */
export function createRecorder(world: string): Recorder {
  const parent = mkdtempSync(join(tmpdir(), 'quorate-fuzz-'));
  const scratch = createScratch(world, parent);
  const temporary = join(parent, 'tmp');
  const logs = join(parent, 'log');
  mkdirSync(logs);
  return {
    record: async (command, shell) => {
      rmSync(temporary, {recursive: true, force: true});
      mkdirSync(join(temporary, world.slice('/tmp/'.length)), {recursive: true});
      const args = [...confinement({world, scratch: scratch.folder, temporary, logs}), '--'];
      const {output, exitCode} = await run([...args, ...traced(command, shell)], world);
      const reached = readTrace(readFileSync(join(logs, 'log'), 'utf8'));
      return {...reached, changes: scratch.changes(), output, exitCode};
    },
    remove: scratch.remove,
  };
}

interface Places {
  readonly world: string;
  readonly scratch: string;
  readonly temporary: string;
  readonly logs: string;
}

function confinement({world, scratch, temporary, logs}: Places): readonly string[] {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'];
  const writable = [
    '--bind',
    temporary,
    '/tmp',
    '--bind',
    scratch,
    world,
    '--bind',
    logs,
    '/run/log',
  ];
  const folder = ['--chdir', join(world, 'workspace')];
  return ['--unshare-all', '--die-with-parent', '--new-session', ...mounts, ...writable, ...folder];
}

function traced(command: string, shell: string): readonly string[] {
  const limits = `ulimit -f ${fileLimitKb} -t ${processorLimitS} 2>/dev/null; exec "$0" -c "$1" </dev/null`;
  const strace = [
    'strace',
    '-f',
    '-y',
    '-qq',
    '-s',
    '4096',
    '--seccomp-bpf',
    '-o',
    '/run/log/log',
    '-e',
    `trace=${tracedCalls}`,
    '-e',
    'signal=none',
  ];
  return [...strace, 'sh', '-c', limits, shell, command];
}

/** Also the environment of bubblewrap itself: its arguments are visible in the list of processes. */
function environmentIn(world: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: join(world, 'home'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    API_TOKEN: environmentSecret,
  };
}

async function run(
  args: readonly string[],
  world: string,
): Promise<{readonly output: string; readonly exitCode: number | undefined}> {
  return await new Promise((resolve) => {
    const env = environmentIn(world);
    const options = {env, timeout: timeLimitMs, killSignal: 'SIGKILL', maxBuffer: 200_000} as const;
    const child = execFile('bwrap', args, options, (error, stdout, stderr) => {
      const code = error?.code;
      resolve({
        output: `${stdout}\n${stderr}`,
        exitCode: error ? (typeof code === 'number' ? code : undefined) : 0,
      });
    });
    child.stdin?.end();
  });
}
