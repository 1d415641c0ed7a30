/** The launcher without a terminal, with its own data folder: as a child process, or in this process. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {execa} from 'execa';

import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {compiledCode, launcherProgram} from './built.ts';
import {runLineIn} from './command-line.ts';

export interface Launched {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launcher {
  /** A folder that is removed with the launcher. */
  readonly folder: string;
  readonly run: (args: readonly string[], options?: LaunchOptions) => Promise<Launched>;
  /**
   * The same program in this process, without starting or compiling anything: for its output, files and exit code. One call at
   * a time. Tests about processes (signals, kills, several at once) use `run`.
   */
  readonly perform: (args: readonly string[], options?: PerformOptions) => Promise<Launched>;
  readonly remove: () => void;
}

export interface PerformOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface LaunchOptions extends PerformOptions {
  /** Sends SIGKILL this long after the first output on stdout. */
  readonly killAfterMs?: number;
  /** The maximum size of a file. */
  readonly fileKib?: number;
}

export function createLauncher(): Launcher {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-launch-'));
  return {
    folder,
    run: async (args, options = {}) => await launch(args, folder, options),
    perform: async (args, options = {}) => await perform(args, folder, options),
    remove: () => rmSync(folder, {recursive: true, force: true}),
  };
}

async function launch(
  args: readonly string[],
  folder: string,
  {cwd = folder, env = {}, killAfterMs, fileKib, stdin}: LaunchOptions,
): Promise<Launched> {
  const line = [process.execPath, await launcherProgram(), ...args];
  const limited = ['bash', '-c', `ulimit -f ${fileKib}; exec "$0" "$@"`, ...line];
  const [program = '', ...rest] = fileKib === undefined ? line : limited;
  const child = execa(program, rest, {
    cwd,
    env: environmentIn(folder, env),
    extendEnv: false,
    ...(stdin === undefined ? {stdin: 'ignore'} : {input: stdin}),
    stripFinalNewline: false,
    reject: false,
  });
  if (killAfterMs !== undefined) {
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs));
  }
  const {exitCode = null, signal = null, stdout, stderr} = await child;
  return {code: exitCode, signal, stdout, stderr};
}

/** The environment of the program. */
export function environmentIn(folder: string, env: Readonly<Record<string, string>>) {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: process.env['TMPDIR'] ?? tmpdir(),
    NODE_COMPILE_CACHE: compiledCode(),
    QUORATE_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...env,
  };
}

async function perform(
  args: readonly string[],
  folder: string,
  {cwd = folder, env = {}, stdin}: PerformOptions,
): Promise<Launched> {
  const {code, out, err} = await runLineIn(cwd, args, environmentIn(folder, env), stdin);
  return {code, signal: null, stdout: out, stderr: err};
}

/** The events of a JSONL output; a line cut off by a kill is left out. */
export function eventsOf(stdout: string): ProgressEvent[] {
  return stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ProgressEvent => JSON.parse(line));
}
