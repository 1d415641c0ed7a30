/**
 * `npm run mutants -- [MACHINE…]`: changes the charts of the registry in one place at a time, plays the scenarios that enter
 * the changed state, then the suites that start the machine, and lists the changes that none of them notices. Without names,
 * all machines.
 */

import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';

import {machines} from '../../machines/index.ts';
import {mutantsOf} from '../../machines/testing/mutants/mutants.ts';
import type {MutantName} from './mutant-name.ts';
import {type MachineReport, type MutantOutcome, reportText, shareNoticed} from './report.ts';

/** A worker may need a minute before its first trial. A mutant that takes longer runs for ever, which a test notices, too. */
const maxMs = 180_000;

const names = process.argv.slice(2);
const known = machines.map(({id}) => id);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  throw new Error(`unknown machine ${unknown.join(', ')}; there are ${known.join(', ')}`);
}
await reportAll(names.length > 0 ? names : known);

async function reportAll(ids: readonly string[]): Promise<void> {
  const chosen = machines.filter(({id}) => ids.includes(id));
  const trials = chosen.map((machine) => ({id: machine.id, changes: mutantsOf(machine)}));
  const queue = trials.flatMap(({id, changes}) =>
    changes.mutants.map((mutant): MutantName => ({machine: id, mutant: mutant.name})),
  );
  const outcomes = new Map<string, MutantOutcome[]>(trials.map(({id}) => [id, []]));
  const reports: MachineReport[] = [];
  const note = (id: string, outcome: MutantOutcome) => {
    const tried = outcomes.get(id) ?? [];
    tried.push(outcome);
    const trial = trials.find((each) => each.id === id);
    if (trial?.changes.mutants.length !== tried.length) return;
    const report = {machine: id, outcomes: tried, excluded: trial.changes.excluded.length};
    reports.push(report);
    console.log(reportText(report));
  };
  await Promise.all(Array.from({length: availableParallelism()}, () => work(queue, note)));
  console.log(`${shareNoticed(reports).toFixed(1)} % noticed in ${reports.length} machines`);
}

async function work(
  queue: MutantName[],
  note: (machine: string, outcome: MutantOutcome) => void,
): Promise<void> {
  let worker = startWorker();
  try {
    for (let named = queue.shift(); named; named = queue.shift()) {
      const outcome = await outcomeFrom(worker, named);
      note(named.machine, outcome ?? timedOut(named));
      if (outcome) continue;
      worker.kill('SIGKILL');
      worker = startWorker();
    }
  } finally {
    worker.kill();
  }
}

function startWorker(): ChildProcess {
  return fork(join(import.meta.dirname, 'worker.ts'), {execArgv: ['--conditions=development']});
}

/** Undefined when the mutant runs for ever. Rejects when the process ends before its answer. */
async function outcomeFrom(
  worker: ChildProcess,
  named: MutantName,
): Promise<MutantOutcome | undefined> {
  const settled = new AbortController();
  const {signal} = settled;
  const ended = once(worker, 'exit', {signal}).then(() => {
    throw new Error(`the process ended that tried "${named.mutant}" of ${named.machine}`);
  });
  const late = setTimeout(maxMs, [], {signal});
  worker.send(named);
  const answered = once(worker, 'message', {signal});
  try {
    const [outcome]: MutantOutcome[] = await Promise.race([answered, ended, late]);
    return outcome;
  } finally {
    settled.abort();
    await Promise.allSettled([answered, ended, late]);
  }
}

function timedOut({mutant}: MutantName): MutantOutcome {
  return {name: mutant, hint: '', noticedBy: 'time limit', seconds: maxMs / 1_000};
}
