/**
 * `npm run mutants -- [MACHINE…]`: changes the charts of the registry in one place at a time, plays all scenarios that
 * enter the changed state, and lists the changes that none of them notices. Without names, all machines, on all cores.
 */

import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {availableParallelism} from 'node:os';

import {machines} from '../../machines/index.ts';
import {exploreAll} from './baseline.ts';
import {type MachineReport, reportOn, reportText} from './report.ts';

const known = machines.map(({id}) => id);

if (process.send) workOnRequest();
else await runAll(process.argv.slice(2));

/** In a child process: reports on each machine that is named in a message. */
function workOnRequest(): void {
  const baselines = exploreAll();
  process.on('message', (id) => {
    const machine = machines.find((each) => each.id === id);
    if (machine) process.send?.(reportOn(machine, baselines));
  });
}

async function runAll(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`unknown machine ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
  const queue = names.length > 0 ? [...names] : [...known];
  const reports: MachineReport[] = [];
  const workers = Math.min(queue.length, availableParallelism());
  await Promise.all(Array.from({length: workers}, () => work(queue, reports)));
  const mutants = sum(reports, (report) => report.mutants);
  const survivors = sum(reports, (report) => report.survivors.length);
  console.log(`${mutants - survivors} of ${mutants} noticed in ${reports.length} machines`);
}

async function work(queue: string[], reports: MachineReport[]): Promise<void> {
  const child = fork(import.meta.filename, {execArgv: ['--conditions=development']});
  const ended = once(child, 'exit');
  try {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const report = await reportFrom(child, ended, id);
      reports.push(report);
      console.log(reportText(report));
    }
  } finally {
    child.kill();
  }
}

/** Rejects when the process ends before its report. */
async function reportFrom(
  child: ChildProcess,
  ended: Promise<unknown>,
  id: string,
): Promise<MachineReport> {
  child.send(id);
  const [report]: MachineReport[] = await Promise.race([
    once(child, 'message'),
    ended.then(() => []),
  ]);
  if (!report) throw new Error(`the process that tried ${id} ended without a report`);
  return report;
}

function sum(reports: readonly MachineReport[], figure: (report: MachineReport) => number): number {
  return reports.reduce((total, report) => total + figure(report), 0);
}
