/** The messages of the processes that try mutants, and the outcome for each machine. */

import type {Mutant} from '../../machines/testing/mutants/mutant.ts';
import type {MutantName} from './mutant-name.ts';
import type {TrialPlan} from './trial.ts';

export interface TrialRequest {
  readonly named: MutantName;
  readonly plan: TrialPlan;
  /** Paths of suites. */
  readonly suites: readonly string[];
}

/**
 * The name of a scenario, `coverage`, the file of a suite, `unhandled error` or `time limit`. Undefined: nothing notices the
 * mutant.
 */
export type NoticedBy = string | undefined;

/** A worker sends `progress` after each scenario and each suite, and `tried` at the end. */
export interface WorkerMessage {
  readonly type: 'progress' | 'tried';
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

export function secondsOf({outcomes}: MachineReport): number {
  return Math.round(outcomes.reduce((sum, {seconds}) => sum + seconds, 0));
}

/** In percent; 100 for a machine without mutants. */
export function shareNoticed(reports: readonly MachineReport[]): number {
  const outcomes = reports.flatMap((report) => report.outcomes);
  const noticed = outcomes.filter(({noticedBy}) => noticedBy !== undefined);
  return outcomes.length === 0 ? 100 : (100 * noticed.length) / outcomes.length;
}

export function survivorNames(report: MachineReport): string[] {
  return survivorsOf(report).map(({mutant}) => mutant.name);
}

export function reportText(report: MachineReport): string {
  const {machine, outcomes, excluded} = report;
  const survivors = survivorsOf(report);
  const noticed = outcomes.length - survivors.length;
  const share = shareNoticed([report]).toFixed(1);
  return [
    `${machine}: ${noticed} of ${outcomes.length} noticed (${share} %), ${excluded} excluded, ${secondsOf(report)} s`,
    ...survivors.map(({mutant}) => `  ${mutant.name}: ${mutant.hint}`),
  ].join('\n');
}
