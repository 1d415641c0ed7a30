/** Replays a run, and reads the statements that are always true in its record. */

import {namedPoints, type NamedPoint} from '../../history/points.ts';
import {readRecordedRun} from '../../history/record.ts';
import {versionsIn} from '../../run/run-input.ts';
import {chartsVersion} from '../../version.ts';
import type {LawReading, Violation} from '../law.ts';
import {readLaws, recordLaws} from '../laws.ts';
import {type Check, isBroken, type Verifiable} from './check.ts';

/** The statement that a replay checks. */
const replayLaw = 9;
/** The others, as verify.md numbers them. */
const votedLaws = [1, 2, 3];

export async function checkReplayed(run: Verifiable): Promise<readonly Check[]> {
  if (isBroken(run) || run.entries[0]?.type !== 'opened') {
    return [
      {check: 'replay', state: 'unchecked', finding: 'notReached'},
      {check: 'laws', state: 'unchecked', finding: 'notReached'},
    ];
  }
  const recorded = await readRecordedRun(run.id, run.entries);
  const reading = readLaws(recorded, recordLaws);
  const isOurs = versionsIn(run.entries).every((version) => version === chartsVersion());
  const points = recorded.replayed ? namedPoints(run.entries, recorded.replayed.reports) : [];
  return [...replayChecks(reading, isOurs, points), ...lawChecks(reading, isOurs)];
}

function replayChecks(
  {violations, unchecked}: LawReading,
  isOurs: boolean,
  points: readonly NamedPoint[],
): readonly Check[] {
  const check = 'replay';
  const broken = violations.filter(({law}) => law === replayLaw);
  const unread = unchecked.find(({law}) => law === replayLaw);
  if (!isOurs && unread) {
    return [{check, state: 'unchecked', finding: 'otherVersion', detail: unread.because}];
  }
  if (unread) return [{check, state: 'unchecked', finding: 'notReached', detail: unread.because}];
  if (broken.length === 0) return [{check, state: 'holds', finding: 'replayed', points}];
  return broken.map((violation) => brokenCheck(check, violation, isOurs));
}

function lawChecks({violations, unchecked}: LawReading, isOurs: boolean): readonly Check[] {
  const check = 'laws';
  const broken = violations.filter(({law}) => law !== replayLaw);
  const unread = unchecked.filter(({law}) => law !== replayLaw);
  const others = new Set([...broken, ...unread].map(({law}) => law));
  const held = votedLaws.filter((law) => !others.has(law));
  return [
    ...(held.length > 0 ? [{check, state: 'holds', finding: 'lawsHold', laws: held} as const] : []),
    ...broken.map((violation) => brokenCheck(check, violation, isOurs)),
    ...unread.map(({law, because: detail, isContradicted}): Check => ({
      check,
      state: 'unchecked',
      finding: isContradicted ? 'otherVersion' : 'lawUnread',
      laws: [law],
      detail,
    })),
  ];
}

/** Charts of another version may report something else, or in another form: that is not a fault of the record. */
function brokenCheck(
  check: 'replay' | 'laws',
  {law, entry, message: detail}: Violation,
  isOurs: boolean,
): Check {
  const shown = {check, ...(check === 'laws' ? {laws: [law]} : {}), entry, detail};
  if (!isOurs) return {...shown, state: 'unchecked', finding: 'otherVersion'};
  return {...shown, state: 'fails', finding: check === 'replay' ? 'diverged' : 'lawBroken'};
}
