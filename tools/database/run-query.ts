/** Runs one order in a process of its own: small, limited in memory and time, killed when it is late. */

import {getCompileCacheDir} from 'node:module';
import {fileURLToPath} from 'node:url';

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {type Denial, failed, refused, shortageCode} from '../containment/denial.ts';
import {type ChildEnd, type ChildOrder, runChild} from '../run/child.ts';
import type {ToolContext} from '../tool.ts';
import type {Order, Reply} from './perform.ts';
import {tooMuchMemory} from './statement.ts';

export interface Terms {
  /** Counted from the start of the process. */
  readonly limitMs: number;
  readonly signal?: AbortSignal;
  readonly onChild?: ToolContext['onChild'];
}

/** The time for the process to start on a busy machine, and its processor time for that. */
const startMs = 10_000;
const startSeconds = 5;

const maxReplyLength = 1_000_000;

/** Beside this module in the sources; in the package, at a path of its own, as the build merges modules into a few. */
const inSources = new URL('./query-process.ts', import.meta.url);
const inPackage = new URL('../tools/database/query-process.js', import.meta.url);
const program = fileURLToPath(import.meta.url.endsWith('.ts') ? inSources : inPackage);

/**
 * The system's limits hold even if this process dies: no core file, no file larger than 8 MB (the index of a
 * write-ahead log is one), seconds of CPU ($1), and KB of memory. Of the memory, Node.js reserves 600,000 KB and uses little.
 * SQLite's own memory limit is compiled out.
 */
const limits = 'ulimit -c 0; ulimit -f 16000; ulimit -t "$1"; ulimit -d 1000000; shift; exec "$@"';

const nodeOptions = ['--max-old-space-size=64', '--no-warnings'];

/** Never rejects. Resolves when the process has ended: `cancelled` after an abort, `timeout` when it was late. */
export async function runQuery(
  order: Order,
  {limitMs, signal, onChild = () => undefined}: Terms,
): Promise<ToolOutcome> {
  if (signal?.aborted === true) return cancelled;
  const stop = new AbortController();
  const decoder = new TextDecoder();
  let output = '';
  let verdict: ToolOutcome | undefined;
  const end = (outcome: ToolOutcome): void => {
    verdict ??= outcome;
    stop.abort();
  };
  const abort = (): void => end(cancelled);
  let timer = setTimeout(() => end(notStarted), startMs);
  signal?.addEventListener('abort', abort, {once: true});
  const ended = await runChild({
    ...queryProcess(limitMs),
    input: JSON.stringify(order),
    signal: stop.signal,
    ending: 'SIGKILL',
    onOutput: (chunk) => {
      if (output === '') {
        clearTimeout(timer);
        timer = setTimeout(() => end(late(limitMs)), limitMs);
      }
      output += decoder.decode(chunk, {stream: true});
      if (output.length > maxReplyLength) end(brokenOff('a reply without end'));
    },
    onChild,
  });
  clearTimeout(timer);
  signal?.removeEventListener('abort', abort);
  return verdict ?? replyIn(output) ?? broken(ended);
}

function queryProcess(limitMs: number): Pick<ChildOrder, 'file' | 'args' | 'cwd' | 'env'> {
  const cpuSeconds = String(Math.ceil(limitMs / 1_000) + startSeconds);
  return {
    file: '/bin/sh',
    args: ['-c', limits, 'sh', cpuSeconds, process.execPath, ...nodeOptions, program],
    cwd: '/',
    env: environment(),
  };
}

/** Only the time zone for `localtime` and the folder of the compile cache, as compiling takes most of a start. */
function environment(): Record<string, string> {
  const {TZ: zone, NODE_COMPILE_CACHE: cache = getCompileCacheDir()} = process.env;
  return {
    ...(zone === undefined ? {} : {TZ: zone}),
    ...(cache === undefined ? {} : {NODE_COMPILE_CACHE: cache}),
  };
}

function replyIn(output: string): Reply | undefined {
  try {
    const reply: Reply = JSON.parse(output.slice(output.indexOf('\n') + 1));
    return reply;
  } catch {
    return undefined;
  }
}

const cancelled: ToolOutcome = {kind: 'cancelled', message: 'the query was cancelled'};

const notStarted: Denial = {
  ...failed('not_started', `the process that reads the database did not start in ${startMs} ms`),
  kind: 'failed',
  retryable: true,
};

function late(ms: number): Denial {
  const message = `it took longer than ${ms / 1_000} s and was stopped; filter earlier, or bound the recursion or the join`;
  return refused('timeout', message);
}

/** The signals with which V8 or the system ends a process that needs too much memory. */
const memorySignals: ReadonlySet<string> = new Set(['SIGABRT', 'SIGILL', 'SIGKILL', 'SIGTRAP']);

function broken(end: ChildEnd): Denial {
  if (end.kind === 'not_started') {
    return failed(end.isShortage ? shortageCode : 'not_started', `the query: ${end.message}`);
  }
  if (end.signal !== undefined && memorySignals.has(end.signal)) return tooMuchMemory;
  return brokenOff(end.signal ?? `code ${end.exitCode}`);
}

function brokenOff(how: string): Denial {
  return failed(
    'crashed',
    `the process that reads the database broke off (${how}); try again, or a simpler query`,
  );
}
