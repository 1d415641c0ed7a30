/** The outcome of the mutants of one machine. */

import type {Mutant} from '../../machines/testing/mutants/mutant.ts';

/**
 * The name of a scenario, `coverage`, the file of a suite, `unhandled error` or `time limit`. Undefined: nothing notices the
 * mutant.
 */
export type NoticedBy = string | undefined;

/** A worker sends two for each mutant: that the trial begins, and its outcome. */
export interface WorkerMessage {
  readonly type: 'began' | 'tried';
  readonly noticedBy?: NoticedBy;
}

export interface MutantOutcome {
  readonly mutant: Mutant;
  readonly noticedBy: NoticedBy;
  readonly seconds: number;
}

export interface MachineReport {
  readonly machine: string;
  readonly outcomes: readonly MutantOutcome[];
  /** The number of changes that change nothing. */
  readonly excluded: number;
}

function survivorsOf({outcomes}: MachineReport): readonly MutantOutcome[] {
  return outcomes.filter(({noticedBy}) => noticedBy === undefined);
}

function secondsOf({outcomes}: MachineReport): number {
  return outcomes.reduce((sum, {seconds}) => sum + seconds, 0);
}

/** In percent; 100 for a machine without mutants. */
export function shareNoticed(reports: readonly MachineReport[]): number {
  const outcomes = reports.flatMap((report) => report.outcomes);
  const noticed = outcomes.filter(({noticedBy}) => noticedBy !== undefined);
  return outcomes.length === 0 ? 100 : (100 * noticed.length) / outcomes.length;
}

export function reportText(report: MachineReport): string {
  const {machine, outcomes, excluded} = report;
  const survivors = survivorsOf(report);
  const noticed = outcomes.length - survivors.length;
  const share = shareNoticed([report]).toFixed(1);
  const seconds = secondsOf(report).toFixed(0);
  return [
    `${machine}: ${noticed} of ${outcomes.length} noticed (${share} %), ${excluded} excluded, ${seconds} s`,
    ...survivors.map(({mutant}) => `  ${mutant.name}: ${mutant.hint}`),
  ].join('\n');
}
