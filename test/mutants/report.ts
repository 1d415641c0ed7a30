/** The messages of the processes that try mutants, and the outcome for each machine. */

import type {Mutant} from './generator/mutant.ts';
import type {MutantName} from './mutant-name.ts';
import type {TrialPlan} from './trial.ts';

export interface TrialRequest {
  readonly named: MutantName;
  readonly plan: TrialPlan;
  /** Paths of suites. */
  readonly suites: readonly string[];
}

export interface Noticed {
  /**
   * The name of a scenario, `coverage`, the file of a suite, `unhandled error` or `time limit`. Undefined: nothing notices the
   * mutant.
   */
  readonly noticedBy?: string | undefined;
  /** The change makes no difference in any scenario that goes through it. */
  readonly isUnchanged?: boolean;
}

/** A worker sends `progress` after each scenario and each suite, and `tried` at the end. */
export interface WorkerMessage extends Noticed {
  readonly type: 'progress' | 'tried';
}

export interface MutantOutcome extends Noticed {
  readonly mutant: Mutant;
  readonly seconds: number;
}

export interface MachineReport {
  readonly machine: string;
  readonly outcomes: readonly MutantOutcome[];
}

/** The mutants that make a difference. */
function effective({outcomes}: MachineReport): readonly MutantOutcome[] {
  return outcomes.filter(({isUnchanged}) => isUnchanged !== true);
}

function survivorsOf(report: MachineReport): readonly MutantOutcome[] {
  return effective(report).filter(({noticedBy}) => noticedBy === undefined);
}

function secondsOf({outcomes}: MachineReport): number {
  return Math.round(sum(outcomes.map(({seconds}) => seconds)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** In percent; 100 for a machine without mutants. */
export function shareNoticed(reports: readonly MachineReport[]): number {
  const all = reports.flatMap(effective).length;
  const missed = reports.flatMap(survivorsOf).length;
  return all === 0 ? 100 : (100 * (all - missed)) / all;
}

export function reportText(report: MachineReport): string {
  const survivors = survivorsOf(report);
  const all = effective(report).length;
  const share = shareNoticed([report]).toFixed(1);
  const unchanged = report.outcomes.length - all;
  return [
    `${report.machine}: ${all - survivors.length} of ${all} noticed (${share} %), ${unchanged} make no difference, ${secondsOf(report)} s`,
    ...survivors.map(({mutant}) => `  ${mutant.name}: ${mutant.hint}`),
  ].join('\n');
}
