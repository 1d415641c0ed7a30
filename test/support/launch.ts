/** The launcher as a child process without a terminal, with its own data folder. */

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import type {ProgressEvent} from '../../machines/domain/progress.ts';

const bin = resolve('cli/bin.ts');

/** Every launch loads the same sources: their types are stripped, and they are compiled, once. */
const compileCache = join(tmpdir(), 'quorate-compiled');

export interface Launched {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launcher {
  /** A folder that goes away with the launcher. */
  readonly folder: string;
  readonly run: (args: readonly string[], options?: LaunchOptions) => Promise<Launched>;
  readonly remove: () => void;
}

export interface LaunchOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** SIGKILL this long after the first output on stdout. */
  readonly killAfterMs?: number;
  readonly stdin?: string;
}

export function createLauncher(): Launcher {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-launch-'));
  return {
    folder,
    run: async (args, options = {}) => await launch(args, folder, options),
    remove: () => rmSync(folder, {recursive: true, force: true}),
  };
}

async function launch(
  args: readonly string[],
  folder: string,
  options: LaunchOptions,
): Promise<Launched> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: process.env['TMPDIR'] ?? tmpdir(),
      NODE_COMPILE_CACHE: compileCache,
      QUORATE_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...options.env,
    },
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(options.stdin);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    if (stdout === '' && options.killAfterMs !== undefined) {
      setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
    }
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done({code, signal, stdout, stderr}));
  });
}

/** The events of a JSONL output; a line cut off by a kill is left out. */
export function eventsOf(stdout: string): ProgressEvent[] {
  return stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): ProgressEvent => JSON.parse(line));
}
