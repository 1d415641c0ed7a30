/** Runs of a hostile planner and worker in scratch worlds, and the harm that they did. */

import {type ChildProcess, execFileSync, fork} from 'node:child_process';
import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {dirname, join} from 'node:path';

import type {Harm} from './oracle.ts';
import {modeName, type Script} from './script.ts';
import type {Order, RunReport} from './worker.ts';
import {
  buildTemplate,
  environmentCanary,
  type MoreFiles,
  removeWorld,
  secretVariable,
} from './world.ts';

export interface RunFigures {
  readonly runs: number;
  /** Calls that were allowed and ran. */
  readonly performed: number;
  readonly found: readonly FoundHarm[];
  readonly seconds: number;
}

export interface FoundHarm {
  readonly seed: number;
  readonly mode: string;
  readonly kind: string;
  readonly harm: Harm;
  readonly what: string;
  /** True for harm by calls that rules could not judge and models approved. */
  readonly isLeftToModels: boolean;
  readonly doubts: readonly string[];
  readonly script: readonly string[];
}

export interface RunsAsked {
  readonly runs: readonly Script[];
  /** Absent: the number of processors. */
  readonly workers?: number;
  /** The number of findings of one kind in one mode whose scripts are shortened. Absent: 3. */
  readonly shrunk?: number;
  /** Absent: none. */
  readonly files?: MoreFiles;
  /** As in {@link Order}. Absent: false. */
  readonly separates?: boolean;
}

/** The longest time of one run, including the shortening of its script. */
const limitMs = 180_000;

/** @param report Called with each harm as soon as it is known. */
export async function fuzzRuns(
  {runs, workers = availableParallelism(), shrunk = 3, files, separates = false}: RunsAsked,
  report: (found: FoundHarm) => void,
): Promise<RunFigures> {
  const template = buildTemplate(files);
  const begun = performance.now();
  const waiting = runs.toReversed();
  const found: FoundHarm[] = [];
  let performed = 0;
  const work = async (): Promise<void> => {
    let worker = startWorker();
    for (let script = waiting.pop(); script; script = waiting.pop()) {
      const outcome = await ask(worker, {script, template, shrunk, separates});
      performed += outcome.performed;
      for (const finding of outcome.findings) {
        const one = {...finding, seed: script.seed, mode: modeName(script.mode)};
        found.push(one);
        report(one);
      }
      if (!worker.connected) worker = startWorker();
    }
    worker.kill('SIGKILL');
  };
  try {
    await Promise.all(Array.from({length: Math.min(workers, runs.length)}, work));
  } finally {
    removeWorld({folder: template});
  }
  return {runs: runs.length, performed, found, seconds: (performance.now() - begun) / 1_000};
}

/** Only with the environment that programs need. */
function startWorker(): ChildProcess {
  return fork(join(import.meta.dirname, 'worker.ts'), {
    env: {
      PATH: [
        dirname(process.execPath),
        ...pythonFolder(),
        '/usr/local/bin',
        '/usr/bin',
        '/bin',
      ].join(':'),
      HOME: '/nonexistent',
      LANG: 'C.UTF-8',
      [secretVariable]: environmentCanary.text,
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The folder of Python itself: the one in PATH may be a script that searches the home folder. */
function pythonFolder(): readonly string[] {
  try {
    return [
      execFileSync('python3', ['-c', 'import sys; print(sys.prefix + "/bin")'], {
        encoding: 'utf8',
      }).trim(),
    ];
  } catch {
    return [];
  }
}

/** A worker that dies or takes too long is a finding, and is not used again. */
async function ask(worker: ChildProcess, order: Order): Promise<RunReport> {
  const stop = new AbortController();
  const {signal} = stop;
  const late = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    worker.send(order);
    return await Promise.race([
      once(worker, 'message', {signal: late}).then(
        ([outcome]: readonly RunReport[]) => outcome ?? lost('crash'),
      ),
      once(worker, 'exit', {signal}).then(([code, by]) =>
        lost('crash', `the process ended: ${String(code ?? by)}`),
      ),
    ]);
  } catch {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    return lost('hang', `no end within ${limitMs / 1_000} s`);
  } finally {
    stop.abort();
  }
}

function lost(harm: 'crash' | 'hang', what = 'no report'): RunReport {
  const finding = {harm, what, kind: harm, isLeftToModels: false, doubts: [], script: []};
  return {performed: 0, findings: [finding]};
}

/** True for harm that only rules are to blame for. */
export function isHarm({harm, isLeftToModels}: FoundHarm): boolean {
  return harm !== 'foretold' && !isLeftToModels;
}

export function harmLine({seed, mode, kind, harm, what, doubts, script}: FoundHarm): string {
  const lines = [...script, ...doubts.map((doubt) => `not judged: ${doubt}`)];
  return `${kind} ${harm} · seed ${seed} · ${mode} · ${what}\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** The number of runs, by kind and mode. */
export function figureLines(found: readonly FoundHarm[]): readonly string[] {
  const groups = Map.groupBy(found, ({kind, harm}) => `${kind} ${harm}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => {
      const modes = [...Map.groupBy(all, ({mode}) => mode)].toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      );
      const seeds = all.slice(0, 5).map(({seed}) => seed);
      const counts = modes.map(([mode, own]) => `${mode} ${own.length}`).join(', ');
      return `${name}: ${all.length} (${counts}; seeds ${seeds.join(' ')})`;
    });
}
