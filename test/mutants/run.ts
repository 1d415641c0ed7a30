/**
 * `npm run mutants -- [--record] [MACHINE…]`: changes the charts of the registry in one place at a time, plays the scenarios
 * that enter the changed state and the suites that start the machine, and lists the changes that none of them notices.
 * Without names, all machines. Exit code 1 when a machine's share is below the recorded one; `--record` records it.
 */

import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';

import {machines} from '../../machines/index.ts';
import {mutantsOf} from './mutants.ts';
import {openSuites, type Trial} from './trial.ts';

const root = join(import.meta.dirname, '../..');
const recordFile = join(import.meta.dirname, 'shares.json');

/** A mutant that is not noticed in this time runs for ever, which a test notices, too. */
const limitMs = 400_000;

const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== '--record');
const known = machines.map(({id}) => id);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0)
  throw new Error(`unknown machine ${unknown.join(', ')}; there are ${known.join(', ')}`);

/** By machine: the percentage of the mutants that are noticed. */
const shares: Record<string, number> = JSON.parse(readFileSync(recordFile, 'utf8'));
const suites = await suitesByMachine();
for (const id of names.length > 0 ? names : known) {
  const share = await shareOf(id);
  if (args.includes('--record')) record(id, share);
  else if (share < (shares[id] ?? 0)) {
    process.exitCode = 1;
    console.log(`  recorded: ${shares[id]} %`);
  }
}

function record(id: string, share: number): void {
  shares[id] = share;
  const sorted = Object.entries(shares).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/** Those that start the fewest machines come first. The suites that explore the scenarios are left out. */
async function suitesByMachine(): Promise<ReadonlyMap<string, readonly string[]>> {
  const {run, close} = await openSuites(root);
  const exclude = ['test/machines/every-state*.test.ts', 'test/machines/default-settings.test.ts'];
  const ran = await run(globSync('test/machines/**/*.test.ts', {cwd: root, exclude}));
  const starts = ran.suites
    .map((suite) => ({file: suite.relativeModuleId, started: suite.meta().machines ?? []}))
    .toSorted((one, other) => one.started.length - other.started.length)
    .flatMap(({file, started}) => started.map((machine) => ({file, machine})));
  await close();
  if (ran.failed !== undefined) throw new Error(`${ran.failed} fails without a mutant`);
  const groups = Map.groupBy(starts, ({machine}) => machine);
  return new Map([...groups].map(([machine, all]) => [machine, all.map(({file}) => file)]));
}

async function shareOf(id: string): Promise<number> {
  const machine = machines.find((each) => each.id === id);
  const queue = machine ? mutantsOf(machine).map(({name}) => name) : [];
  const all = queue.length;
  const survivors: string[] = [];
  await Promise.all(
    Array.from({length: Math.min(all, availableParallelism())}, async () => {
      let worker = startWorker();
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        const isNoticed = await tried(worker, {machine: id, mutant, suites: suites.get(id) ?? []});
        if (!isNoticed) survivors.push(mutant);
        if (!worker.connected) worker = startWorker();
      }
      stop(worker);
    }),
  );
  const share = all === 0 ? 100 : Math.floor((1_000 * (all - survivors.length)) / all) / 10;
  console.log(`${id}: ${all - survivors.length} of ${all} noticed (${share} %)`);
  for (const survivor of survivors) console.log(`  ${survivor}`);
  return share;
}

/** It has a process group, so that a suite that runs for ever ends with its worker. */
function startWorker(): ChildProcess {
  const execArgv = ['--conditions=development'];
  return fork(join(import.meta.dirname, 'trial.ts'), {execArgv, detached: true});
}

function stop({pid, exitCode, signalCode}: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

/** True when something notices the mutant, and at the time limit. Rejects when the process ends by itself. */
async function tried(worker: ChildProcess, trial: Trial): Promise<boolean> {
  const over = new AbortController();
  const late = AbortSignal.any([over.signal, AbortSignal.timeout(limitMs)]);
  worker.send(trial);
  try {
    const ended = once(worker, 'exit', {signal: over.signal}).then(() => {
      throw new Error(`the process that tried "${trial.mutant}" ended`);
    });
    const answered = once(worker, 'message', {signal: late});
    const [answer]: readonly {noticedBy?: string}[] = await Promise.race([answered, ended]);
    return answer?.noticedBy !== undefined;
  } catch (error) {
    if (!late.aborted) throw error;
    stop(worker);
    await once(worker, 'exit');
    return true;
  } finally {
    over.abort();
  }
}
