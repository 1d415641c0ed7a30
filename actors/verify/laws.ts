/**
 * Reads laws, statements that are always true, in the record of a run: those of verify.md, and the equality of its replay. Pure. They
 * are checked against entries; the replay only shows the requests of the charts at each of them.
 */

import {canonicalJson} from '../../machines/domain/digest.ts';
import {asJson, isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {isNoted} from '../../machines/facts/progress.ts';
import {onCall, seatsOnCall} from '../../machines/panel/quorum.ts';
import {countedSeatsIn, type RecordedRound} from '../../machines/panel/recorded-votes.ts';
import {decide, ruleOrStrictest} from '../../machines/panel/rule.ts';
import type {RecordedRun} from '../history/record.ts';
import {hostNotes} from '../history/recorded-facts.ts';
import {Ledger} from '../run/ledger.ts';
import {toResult} from '../run/run-result.ts';
import {approvedCalls, approvedPlans} from './laws-calls.ts';
import {
  type Findings,
  indexRecord,
  type Law,
  type LawReading,
  outcomeIn,
  type PlacedRound,
  type RecordIndex,
  textOf,
  type Unchecked,
  type Violation,
} from './record-index.ts';

// Law 9: the replay reaches the same states and results, and no outcome counts twice.

export const equalReplay: Law = (record, findings) => {
  for (const [key, [, second]] of record.outcomes) {
    if (second) findings.violated(9, second.seq, `${key} has a second outcome`);
  }
  const {replayed, divergence, otherVersion} = record;
  if (!replayed) {
    if (otherVersion !== undefined)
      findings.unchecked(
        9,
        `version ${otherVersion} of the charts wrote the run; it is not replayed`,
      );
    else if (divergence) findings.violated(9, entryIn(divergence.message), divergence.message);
    else findings.unchecked(9, 'the run was not replayed');
    return;
  }
  checkNotes(record, findings);
  checkResult(record, findings);
};

/** The usage is booked by the program, and effects in doubt are added by it. */
const ofProgram: ReadonlySet<string> = new Set(['usage', 'inDoubt']);

// Law 3: an abstaining, failed, late or malformed reviewer never contributes to an approval.

const countedVotes: Law = (record, findings) => {
  for (const placed of record.rounds) {
    const {round, entry} = placed;
    round.votes.forEach((vote, index) => {
      const isSecond = round.votes.findIndex(({model}) => model === vote.model) < index;
      const problem = isSecond ? 'is counted twice' : ballotProblem(placed, vote);
      if (problem !== undefined)
        findings.violated(3, entry, `the ballot of ${vote.model} ${problem}`);
      else if (vote.verdict === 'approve' && !hasApproved(record, placed, vote.model))
        findings.unproven(3, entry, `the ballot of ${vote.model} is in no recorded reply`);
    });
    checkVerdict(placed, findings);
    checkCalls(record, placed, findings);
  }
};

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

/** The entry that the message of a divergence names. */
function entryIn(message: string): number {
  return Number(/entry (\d+)/.exec(message)?.[1] ?? 0);
}

/** A process that dies can leave the last notes unwritten; the next one writes them. */
function checkNotes({notes, replayed, entries, closed}: RecordIndex, {unproven}: Findings): void {
  const recorded = notes.filter(({note, entry}) => {
    const noted = entries[entry];
    const isOfHost = noted?.type === 'noted' && noted.by === 'host';
    return !isOfHost && !hostNotes.has(note['type']);
  });
  const made = (replayed?.reports ?? []).filter(({report}) => isNoted(report));
  recorded.forEach(({note, entry}, index) => {
    const own = made[index];
    const again = own && canonicalJson(asJson({...own.report, actor: own.actor}));
    if (again !== canonicalJson(note))
      unproven(9, entry, `the note ${textOf(note['type'])} is not what the charts report`);
  });
  const missing = made[recorded.length];
  if (closed && missing)
    unproven(9, closed.seq, `the note ${missing.report.type} of entry ${missing.entry} is missing`);
}

function checkResult({id, closed, replayed, opened}: RecordIndex, {unproven}: Findings): void {
  if (!closed || !replayed || !opened) return;
  if (!replayed.end) {
    const isUnreplayed = textOf(closed.result['summary']).includes('could not be replayed');
    if (!isUnreplayed)
      unproven(9, closed.seq, 'the run is closed, and its charts are still at work');
    return;
  }
  const ledger = new Ledger(opened.limits, () => undefined);
  const again = asJson(toResult(replayed.end, {id, form: opened.form, ledger}));
  if (canonicalJson(comparable(again)) !== canonicalJson(comparable(closed.result)))
    unproven(9, closed.seq, 'the result is not the one that the charts reach');
}

function comparable(result: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !ofProgram.has(name)));
}

/** The decisions on the single calls of a proposal. */
function checkCalls(record: RecordIndex, placed: PlacedRound, findings: Findings): void {
  const {round, entry} = placed;
  (round.calls ?? []).forEach(({title, verdict}, at) => {
    const own = {...placed, round: onCall(round, at + 1)};
    const full = fullVerdict(own.round, seatsOnCall(round, at + 1));
    if (verdict === 'approved' && full !== 'approved')
      findings.violated(3, entry, `the recorded ballots do not approve "${title}"`);
    for (const vote of own.round.votes) {
      const isFor = vote.verdict === 'approve' && vote.calls !== undefined;
      if (isFor && !hasApproved(record, own, vote.model, at + 1))
        findings.unproven(
          3,
          entry,
          `the ballot of ${vote.model} on "${title}" is in no recorded reply`,
        );
    }
  });
}

type RecordedVote = RecordedRound['votes'][number];

function ballotProblem(
  placed: PlacedRound,
  {model: seat, verdict, abstainedBecause}: RecordedVote,
): string | undefined {
  const {round, note} = placed;
  const {withdrawn} = note;
  if (!round.seats.includes(seat)) return 'is of no seat of the panel';
  if (Array.isArray(withdrawn) && withdrawn.includes(seat)) return 'came after the decision';
  if (verdict !== 'approve') return undefined;
  if (abstainedBecause !== undefined) return `is of one that did not vote (${abstainedBecause})`;
  return undefined;
}

/** True if a reply of the seat, or of the policies, approves the proposal, or one call of it. */
function hasApproved(
  {outcomesBelow}: RecordIndex,
  {actor, entry}: PlacedRound,
  seat: string,
  call?: number,
): boolean {
  const quorum = `i/${actor}`;
  const own = `${quorum}/poll/seat:${encodeURIComponent(seat)}`;
  const replies = seat.startsWith('policy/')
    ? outcomesBelow(quorum).filter(({key}) => key.startsWith(`${quorum}/screen#`))
    : outcomesBelow(own);
  return replies.some(
    (reply) =>
      reply.seq < entry && ballotsIn(outcomeIn(reply)).some((ballot) => approves(ballot, call)),
  );
}

/** The ballots of policies, or the arguments of the calls in the reply of a model. */
function ballotsIn({ballots, calls}: JsonObject): readonly Json[] {
  if (Array.isArray(ballots)) return ballots;
  return Array.isArray(calls)
    ? calls.flatMap((call) => (isJsonObject(call) ? (call['args'] ?? []) : []))
    : [];
}

/** A call without a verdict of its own has that of the whole. */
function approves(ballot: Json, call?: number): boolean {
  if (!isJsonObject(ballot)) return false;
  const {verdict, calls} = ballot;
  const own = Array.isArray(calls)
    ? calls.find((each) => isJsonObject(each) && each['number'] === call)
    : undefined;
  return (isJsonObject(own) ? own['verdict'] : verdict) === 'approve';
}

function checkVerdict(placed: PlacedRound, {violated, unchecked}: Findings): void {
  const {round, entry} = placed;
  const {verdict, title} = round;
  const full = fullVerdict(round);
  if (full === undefined) {
    unchecked(3, 'rounds do not record weights, vetoes and participation');
    return;
  }
  if ((placed.note['approved'] === true) !== (verdict === 'approved'))
    violated(3, entry, `the round is recorded as ${verdict} and as its opposite`);
  if (verdict === 'approved' && full !== 'approved')
    violated(3, entry, `the recorded ballots do not approve "${title}": ${full}`);
}

/** The verdict if every missing ballot is an abstention. Undefined when the record lacks what counts. */
export function fullVerdict(
  round: RecordedRound,
  seats = countedSeatsIn(round),
): RecordedRound['verdict'] | undefined {
  const {weights, vetoes, participation, screened = []} = round;
  if (weights === undefined || vetoes === undefined || participation === undefined)
    return undefined;
  if (screened.some(({verdict}) => verdict === 'reject')) return 'rejected';
  return decide(ruleOrStrictest(round.rule), seats, participation.required);
}
