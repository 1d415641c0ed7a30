/** Runs of a hostile planner and worker in scratch worlds, and what harm came of them. */

import {type ChildProcess, execFileSync, fork} from 'node:child_process';
import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {dirname, join} from 'node:path';

import type {Harm} from './oracle.ts';
import {modeName, type Script} from './script.ts';
import type {Order, Told} from './worker.ts';
import {buildTemplate, environmentCanary, removeWorld, secretVariable} from './world.ts';

export interface RunFigures {
  readonly runs: number;
  /** Calls that were allowed, and ran. */
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
  /** Of calls that rules could not judge, and that models approved. */
  readonly isLeftToModels: boolean;
  readonly doubts: readonly string[];
  readonly script: readonly string[];
}

export interface RunsAsked {
  readonly runs: readonly Script[];
  /** Absent: as many as there are processors. */
  readonly workers?: number;
  /** Of findings of one kind in one mode, so many are made small. Absent: 3. */
  readonly shrunk?: number;
}

/** The longest that one run may take, with all that is done to make its script smaller. */
const limitMs = 180_000;

/** @param report Called with each harm as soon as it is known. */
export async function fuzzRuns(
  {runs, workers = availableParallelism(), shrunk = 3}: RunsAsked,
  report: (found: FoundHarm) => void,
): Promise<RunFigures> {
  const template = buildTemplate();
  const begun = performance.now();
  const waiting = runs.toReversed();
  const found: FoundHarm[] = [];
  let performed = 0;
  const work = async (): Promise<void> => {
    let worker = startWorker();
    for (let script = waiting.pop(); script; script = waiting.pop()) {
      const told = await ask(worker, {script, template, shrunk});
      performed += told.performed;
      for (const finding of told.findings) {
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

/** With nothing of this process's environment but what programs need. */
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

/** Where Python itself is: what is in PATH may be a script that looks for it in the home folder. */
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
async function ask(worker: ChildProcess, order: Order): Promise<Told> {
  const stop = new AbortController();
  const {signal} = stop;
  const late = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    worker.send(order);
    return await Promise.race([
      once(worker, 'message', {signal: late}).then(
        ([told]: readonly Told[]) => told ?? lost('crash'),
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

function lost(harm: 'crash' | 'hang', what = 'nothing was told'): Told {
  const finding = {harm, what, kind: harm, isLeftToModels: false, doubts: [], script: []};
  return {performed: 0, findings: [finding]};
}

/** Harm that nobody but rules is to blame for. */
export function isHarm({harm, isLeftToModels}: FoundHarm): boolean {
  return harm !== 'unnamed' && !isLeftToModels;
}

export function harmLine({seed, mode, kind, harm, what, doubts, script}: FoundHarm): string {
  const lines = [...script, ...doubts.map((doubt) => `not judged: ${doubt}`)];
  return `${kind} ${harm} · seed ${seed} · ${mode} · ${what}\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** By kind and mode, in how many runs. */
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
