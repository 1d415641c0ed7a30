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
import {baselinesFor} from './baseline.ts';
import type {Mutant} from './generator/mutant.ts';
import {mutantsOf} from './generator/mutants.ts';
import {
  type MachineReport,
  type MutantOutcome,
  type Noticed,
  reportText,
  shareNoticed,
  type TrialRequest,
  type WorkerMessage,
} from './report.ts';
import {type SuitesByMachine, suitesByMachine} from './suites.ts';
import {planTrial} from './trial.ts';

/** A mutant runs for ever, which a test notices, too, when no scenario and no suite ends in this time. */
const maxSilenceMs = 60_000;

const timeLimit = 'time limit';

const names = process.argv.slice(2);
const known = machines.map(({id}) => id);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`unknown machine ${unknown.join(', ')}; there are ${known.join(', ')}`);
}
await reportAll(names.length > 0 ? names : known);

interface Trial {
  readonly request: TrialRequest;
  readonly mutant: Mutant;
  readonly note: (outcome: MutantOutcome) => void;
}

async function reportAll(ids: readonly string[]): Promise<void> {
  const suites = await suitesByMachine();
  const reports: MachineReport[] = [];
  const queue = ids.flatMap((id) =>
    trialsOf(id, suites, (report) => {
      reports.push(report);
      console.log(reportText(report));
    }),
  );
  const workers = Math.min(queue.length, availableParallelism());
  await Promise.all(Array.from({length: workers}, () => work(queue)));
  console.log(`${shareNoticed(reports).toFixed(1)} % noticed in ${reports.length} machines`);
}

/** `done` is called with the report after the last trial. */
function trialsOf(
  id: string,
  suites: SuitesByMachine,
  done: (report: MachineReport) => void,
): Trial[] {
  const machine = machines.find((each) => each.id === id);
  if (!machine) return [];
  const {mutants} = mutantsOf(machine);
  const outcomes: MutantOutcome[] = [];
  const note = (outcome: MutantOutcome) => {
    outcomes.push(outcome);
    if (outcomes.length === mutants.length) done({machine: id, outcomes});
  };
  return mutants.map((mutant) => ({
    request: {
      named: {machine: id, mutant: mutant.name},
      plan: planTrial(machine, mutant, baselinesFor(id)),
      suites: suites.get(id) ?? [],
    },
    mutant,
    note,
  }));
}

async function work(queue: Trial[]): Promise<void> {
  let worker = startWorker();
  try {
    for (let trial = queue.shift(); trial; trial = queue.shift()) {
      const {request, mutant, note} = trial;
      const start = performance.now();
      worker.child.send(request);
      const outcome = await outcomeFrom(worker);
      note({mutant, ...outcome, seconds: (performance.now() - start) / 1_000});
      if (outcome.noticedBy !== timeLimit) continue;
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

async function outcomeFrom(worker: Worker): Promise<Noticed> {
  for (;;) {
    const message = await nextWithin(maxSilenceMs, worker);
    if (!message) return {noticedBy: timeLimit};
    const {type, ...outcome} = message;
    if (type === 'tried') return outcome;
  }
}

/** Undefined when no message comes in this time. Rejects when the process ends before its next message. */
async function nextWithin(ms: number, {messages}: Worker): Promise<WorkerMessage | undefined> {
  const over = new AbortController();
  const late = setTimeout(ms, undefined, {signal: over.signal}).catch(() => undefined);
  try {
    const next = await Promise.race([messages.next(), late]);
    if (!next) return undefined;
    const {value, done = false} = next;
    const [message] = done ? [] : value;
    if (!message) throw new Error('a process that tries mutants ended');
    return message;
  } finally {
    over.abort();
  }
}
