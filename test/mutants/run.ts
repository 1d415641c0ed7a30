/**
 * `npm run mutants -- [MACHINE…]`: changes the charts of the registry in one place at a time, plays the scenarios that enter
 * the changed state, then the suites that start the machine, and lists the changes that none of them notices. Without names,
 * all machines.
 */

import {type ChildProcess, fork} from 'node:child_process';
import {on} from 'node:events';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';

import {machines} from '../../machines/index.ts';
import type {Mutant} from '../../machines/testing/mutants/mutant.ts';
import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import {
  type MachineReport,
  type MutantOutcome,
  type NoticedBy,
  reportText,
  shareNoticed,
  type WorkerMessage,
} from './report.ts';

/** A mutant that takes longer runs for ever, which a test notices, too. */
const maxMs = 180_000;

const timeLimit = 'time limit';

const names = process.argv.slice(2);
const known = machines.map(({id}) => id);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`unknown machine ${unknown.join(', ')}; there are ${known.join(', ')}`);
}
await reportAll(names.length > 0 ? names : known);

interface Trial {
  readonly machine: string;
  readonly mutant: Mutant;
  readonly note: (outcome: MutantOutcome) => void;
}

async function reportAll(ids: readonly string[]): Promise<void> {
  const reports: MachineReport[] = [];
  const queue = ids.flatMap((id) =>
    trialsOf(id, (report) => {
      reports.push(report);
      console.log(reportText(report));
    }),
  );
  const workers = Math.min(queue.length, availableParallelism());
  await Promise.all(Array.from({length: workers}, () => work(queue)));
  console.log(`${shareNoticed(reports).toFixed(1)} % noticed in ${reports.length} machines`);
}

/** `done` is called with the report after the last trial. */
function trialsOf(id: string, done: (report: MachineReport) => void): Trial[] {
  const machine = machines.find((each) => each.id === id);
  if (!machine) return [];
  const {mutants, excluded} = mutantsOf(machine);
  const outcomes: MutantOutcome[] = [];
  const note = (outcome: MutantOutcome) => {
    outcomes.push(outcome);
    if (outcomes.length === mutants.length) {
      done({machine: id, outcomes, excluded: excluded.length});
    }
  };
  return mutants.map((mutant) => ({machine: id, mutant, note}));
}

async function work(queue: Trial[]): Promise<void> {
  let worker = startWorker();
  try {
    for (let trial = queue.shift(); trial; trial = queue.shift()) {
      const {machine, mutant, note} = trial;
      worker.child.send({machine, mutant: mutant.name});
      await nextFrom(worker);
      const start = performance.now();
      const noticedBy = await noticedWithin(maxMs, worker);
      note({mutant, noticedBy, seconds: (performance.now() - start) / 1_000});
      if (noticedBy !== timeLimit) continue;
      stop(worker);
      worker = startWorker();
    }
  } finally {
    stop(worker);
  }
}

interface Worker {
  readonly child: ChildProcess;
  readonly messages: AsyncIterator<WorkerMessage[]>;
}

/** It has a process group, so that a suite that runs for ever ends with its worker. */
function startWorker(): Worker {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    execArgv: ['--conditions=development'],
    detached: true,
  });
  return {child, messages: on(child, 'message', {close: ['exit']})};
}

function stop({child: {pid, exitCode, signalCode}}: Worker): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

async function noticedWithin(ms: number, worker: Worker): Promise<NoticedBy> {
  const over = new AbortController();
  const late = setTimeout(ms, timeLimit, {signal: over.signal}).catch(() => undefined);
  const tried = nextFrom(worker).then(({noticedBy}) => noticedBy);
  try {
    return await Promise.race([tried, late]);
  } finally {
    over.abort();
  }
}

/** Rejects when the process ends before its next message. */
async function nextFrom({messages}: Worker): Promise<WorkerMessage> {
  const {value, done = false} = await messages.next();
  const [message] = done ? [] : value;
  if (!message) throw new Error('a process that tries mutants ended');
  return message;
}
