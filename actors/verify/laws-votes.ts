/** Law 3: an abstaining, failed, late or malformed reviewer never contributes to an approval. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {onCall, seatsOnCall} from '../../machines/panel/count.ts';
import {countedSeatsIn, type RecordedRound} from '../../machines/panel/recorded-votes.ts';
import {decide, ruleOrStrictest} from '../../machines/panel/rule.ts';
import type {Findings, Law} from './law.ts';
import {outcomeIn, type PlacedRound, type RecordIndex} from './record-index.ts';

export const countedVotes: Law = (record, findings) => {
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
