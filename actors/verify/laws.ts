/**
 * Reads laws, statements that are always true, in the record of a run: those of verify.md, and the equality of its replay. Pure. They
 * are checked against entries; the replay only shows the requests of the charts at each of them.
 */

import type {RecordedRun} from '../history/record.ts';
import type {Findings, Law, LawReading, Unchecked, Violation} from './law.ts';
import {approvedCalls} from './laws-calls.ts';
import {approvedPlans} from './laws-plans.ts';
import {equalReplay} from './laws-replay.ts';
import {countedVotes} from './laws-votes.ts';
import {indexRecord} from './record-index.ts';

export const recordLaws: readonly Law[] = [approvedCalls, approvedPlans, countedVotes, equalReplay];

export function readLaws(run: RecordedRun, chosen: readonly Law[]): LawReading {
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
    unchecked: [...notes.values()].toSorted((a, b) => a.law - b.law),
  };
}
