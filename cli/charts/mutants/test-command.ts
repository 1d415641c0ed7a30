/** Runs the user's test command once, in its own process group. */

import {runChild} from '../../../tools/run/child.ts';
import type {Environment} from '../../terminal.ts';
import {type MutantOrder, orderVariable} from './order.ts';

export interface TestCommand {
  /** For the shell. */
  readonly line: string;
  readonly cwd: string;
  readonly env: Environment;
}

export interface TestRun {
  readonly end: 'passed' | 'failed' | 'timed_out' | 'interrupted';
  readonly ms: number;
  /** The last lines of stdout and stderr. */
  readonly tail: string;
}

export interface TestLimits {
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/** The preload module: beside this module in the sources, at its own place in the package, whose modules are bundled. */
const inSources = new URL('preload.ts', import.meta.url);
const inPackage = new URL('../cli/charts/mutants/preload.js', import.meta.url);
const preload = import.meta.url.endsWith('.ts') ? inSources : inPackage;

const maxTail = 16_000;

/** Resolves when all processes of the command have ended; stops them at the time-out. Never rejects. */
export async function runTests(
  {line, cwd, env}: TestCommand,
  order: MutantOrder,
  {timeoutMs, signal}: TestLimits,
): Promise<TestRun> {
  const late = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(), timeoutMs);
  const started = performance.now();
  let tail = '';
  const decoder = new TextDecoder();
  const ended = await runChild({
    file: '/bin/sh',
    args: ['-c', `exec 2>&1\n${line}`],
    cwd,
    env: environmentFor(env, order),
    signal: AbortSignal.any([late.signal, signal]),
    ending: 'SIGTERM',
    onOutput: (chunk) => {
      tail = (tail + decoder.decode(chunk, {stream: true})).slice(-maxTail);
    },
    onChild: () => undefined,
  });
  clearTimeout(timer);
  const ms = performance.now() - started;
  if (ended.kind === 'not_started') return {end: 'failed', ms, tail: ended.message};
  if (signal.aborted) return {end: 'interrupted', ms, tail};
  if (late.signal.aborted) return {end: 'timed_out', ms, tail};
  return {end: ended.exitCode === 0 ? 'passed' : 'failed', ms, tail};
}

/** Every Node process started by the command reads NODE_OPTIONS; its worker threads do, too. */
function environmentFor(env: Environment, order: MutantOrder): Record<string, string> {
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const {NODE_OPTIONS: options = ''} = env;
  return {
    ...Object.fromEntries(given),
    NODE_OPTIONS: `${options} --import=${preload.href}`.trim(),
    [orderVariable]: JSON.stringify(order),
  };
}
