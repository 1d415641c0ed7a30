/** The recorded outcomes of `npm run mutants`, one for each machine. */

import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

export interface RecordedOutcome {
  /** The number of explored scenarios that go through a state of the machine. */
  readonly scenarios: number;
  /** The number of runs that together take every step of these scenarios. */
  readonly tours: number;
  readonly steps: number;
  readonly noticed: number;
  readonly seconds: number;
  /** Names of the mutants that nothing notices. */
  readonly survivors: readonly string[];
  /** Names of the mutants that make no difference in any scenario that goes through the change. */
  readonly unchanged: readonly string[];
}

export type RecordedOutcomes = Readonly<Record<string, RecordedOutcome>>;

const file = join(import.meta.dirname, 'outcomes.json');

export function readOutcomes(): RecordedOutcomes {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces the outcome of one machine. */
export function recordOutcome(machine: string, outcome: RecordedOutcome): void {
  const outcomes = Object.entries({...readOutcomes(), [machine]: outcome});
  const sorted = Object.fromEntries(
    outcomes.toSorted(([one], [other]) => one.localeCompare(other)),
  );
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
