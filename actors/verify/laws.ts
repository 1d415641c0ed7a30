/**
 * Reads the statements that are always true (the laws of verify.md) in the record of a run. Pure. They are checked against entries; the
 * replay only shows the requests of the charts at each of them.
 */

import type {Findings, Law, LawReading, Unchecked, Violation} from './law.ts';
import {keptBudget} from './laws-budget.ts';
import {approvedCalls} from './laws-calls.ts';
import {cancelEnds} from './laws-cancel.ts';
import {effectsOnce} from './laws-effects.ts';
import {reviewedFields} from './laws-interview.ts';
import {approvedPlans} from './laws-plans.ts';
import {equalReplay} from './laws-replay.ts';
import {honestResult} from './laws-result.ts';
import {boundedDepth} from './laws-tree.ts';
import {countedVotes} from './laws-votes.ts';
import {indexRecord} from './record-index.ts';
import type {RecordedRun} from './recorded-run.ts';

const laws: readonly Law[] = [
  approvedCalls,
  approvedPlans,
  countedVotes,
  honestResult,
  cancelEnds,
  boundedDepth,
  reviewedFields,
  equalReplay,
  effectsOnce,
  keptBudget,
];

/** Statements about what no entry records. */
const unrecorded: readonly Unchecked[] = [
  {law: 11, because: 'a record does not hold what was written outside the workspace'},
  {law: 13, because: 'a record does not hold prompts'},
  {law: 15, because: 'a record does not hold contents of files'},
];

/** `chosen`: the laws to read. Absent: all. */
export function readLaws(run: RecordedRun, chosen: readonly Law[] = laws): LawReading {
  const violations: Violation[] = [];
  const notes = new Map<string, Unchecked>();
  const record = indexRecord(run);
  const {otherVersion} = record;
  /** Laws that other charts may have kept in another way; the first place of each is named. */
  const doubted = new Set<number>();
  const violated: Findings['violated'] = (law, entry, message) => {
    violations.push({law, entry, message});
  };
  const note = (unread: Unchecked): void => {
    notes.set(`${unread.law} ${unread.because}`, unread);
  };
  const unchecked: Findings['unchecked'] = (law, because) => note({law, because});
  const unproven: Findings['unproven'] = (law, entry, message) => {
    if (otherVersion === undefined) violated(law, entry, message);
    else if (!doubted.has(law)) {
      const because = `version ${otherVersion} of the charts wrote entry ${entry}: ${message}`;
      note({law, because, isContradicted: true});
    }
    doubted.add(law);
  };
  for (const law of chosen) law(record, {violated, unproven, unchecked});
  return {
    violations: violations.toSorted((a, b) => a.entry - b.entry),
    unchecked: [...notes.values(), ...unrecorded].toSorted((a, b) => a.law - b.law),
  };
}
