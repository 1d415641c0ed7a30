/**
 * The laws: statements that are true of every run, read in its record. The first three and the ninth are those that
 * `quorate verify` reads.
 *
 * 1. No high-risk tool runs without an approval that covers exactly its arguments: of a panel, of a person, or by a standing
 *    rule that a person made.
 * 2. A plan is never executed without a recorded approval of that plan, by a panel or by a person.
 * 3. An abstaining, failed, late or malformed reviewer never contributes to an approval.
 * 4. The early decision equals the decision with all ballots in.
 * 5. Every interaction ends, within its limits, in one of its final states, or waits and can be resumed, and reports truthfully
 *    how.
 * 6. After a cancel nothing new starts, everything in flight is aborted, and the journal closes.
 * 7. The depth of interactions never exceeds 3.
 * 8. No field of a form is done without its reviewer's pass; nothing is submitted while a required field is not done.
 * 9. A replay of the journal reaches the same states, and performs no effect whose outcome is recorded.
 * 10. An effect that must not be repeated is performed at most once without a decision of a person.
 * 11. Nothing outside the workspace is written; no secret is written anywhere.
 * 12. The budget is never exceeded.
 * 13. No text that the engine did not establish can form a section of a prompt, or a line of the record.
 * 14. A `completed` result claims nothing that the recorded facts contradict.
 * 15. No data is destroyed, sent out or shown to a model without an approval that named it, or `undo` restores it.
 *
 * A record does not show laws 11, 13 and 15; suites of their own do.
 */

import type {RecordedRun} from '../../actors/history/record.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {fullVerdict, readLaws, recordLaws} from '../../actors/verify/laws.ts';
import {type Law, type LawReading, receivedIn, textOf} from '../../actors/verify/record-index.ts';
import {verdictOnCall} from '../../machines/panel/quorum.ts';
import {
  countedSeatsIn,
  type RecordedRound,
  verdictOf,
} from '../../machines/panel/recorded-votes.ts';
import {ruleOrStrictest} from '../../machines/panel/rule.ts';
import {keptBudget} from './laws-budget.ts';
import {effectsOnce} from './laws-effects.ts';
import {reviewedFields} from './laws-interview.ts';
import {honestResult} from './laws-result.ts';

/** Law 4. */
const earlyDecisions: Law = ({rounds}, {violated}) => {
  for (const {round, entry} of rounds) {
    const problem = earlyProblem(round);
    if (problem !== undefined) violated(4, entry, problem);
    (round.calls ?? []).forEach(({title, verdict}, at) => {
      const counted = verdictOnCall(round, at + 1);
      if (verdict !== counted)
        violated(4, entry, `"${title}" is recorded as ${verdict}; its ballots give ${counted}`);
    });
  }
};

/** An approval that the ballots do not give breaks law 3. */
function earlyProblem(round: RecordedRound): string | undefined {
  const {verdict} = round;
  if (verdict === 'approved' && fullVerdict(round) !== 'approved') return undefined;
  const counted = countedSeatsIn(round);
  const final = verdictOf(round, ruleOrStrictest(round.rule), counted);
  if (final === undefined && counted.some(({vote}) => vote === 'out'))
    return `the remaining ballots could have changed ${verdict}`;
  return final === verdict
    ? undefined
    : `the round is recorded as ${verdict}; its ballots give ${final}`;
}

/** They end what runs. */
const endingPorts: ReadonlySet<string> = new Set(['unlockWorkspace']);

const beginnings: ReadonlySet<unknown> = new Set([
  'human.requested',
  'interview.asked',
  'interaction.spawned',
]);

/** Law 6. */
const cancelEnds: Law = (record, {violated}) => {
  const [cancel] = receivedIn(record, 'user.cancel');
  if (!cancel) return;
  for (const entry of record.entries.slice(cancel.entry + 1)) {
    const begun = begunBy(entry);
    if (begun !== undefined) violated(6, entry.seq, `${begun} was begun after the cancel`);
  }
  for (const [key, {asked, entry}] of record.replayed?.requests ?? []) {
    if (entry >= cancel.entry && !endingPorts.has(asked.port))
      violated(6, entry, `${key} was requested after the cancel`);
  }
};

/** The work that the entry begins. */
function begunBy(entry: Entry): string | undefined {
  if (entry.type === 'noted')
    return beginnings.has(entry.note['type']) ? textOf(entry.note['type']) : undefined;
  if (entry.type !== 'requested') return undefined;
  const {key, isTakenBack, isLost} = entry;
  return isTakenBack === true || isLost === true ? undefined : key;
}

const maxDepth = 3;

/** Law 7. */
const boundedDepth: Law = ({notes}, {violated}) => {
  for (const {note, entry} of notes) {
    const {type, depth, child} = note;
    if (type === 'interaction.spawned' && typeof depth === 'number' && depth > maxDepth)
      violated(7, entry, `${textOf(child)} has depth ${depth}`);
  }
};

const oracles = [
  earlyDecisions,
  honestResult,
  cancelEnds,
  boundedDepth,
  reviewedFields,
  effectsOnce,
  keptBudget,
];

export function readAllLaws(run: RecordedRun): LawReading {
  return readLaws(run, [...recordLaws, ...oracles]);
}
