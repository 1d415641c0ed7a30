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

import type {LawReading} from '../../actors/verify/law.ts';
import {readLaws, recordLaws} from '../../actors/verify/laws.ts';
import type {RecordedRun} from '../../actors/verify/recorded-run.ts';
import {keptBudget} from './laws-budget.ts';
import {cancelEnds} from './laws-cancel.ts';
import {earlyDecisions} from './laws-early.ts';
import {effectsOnce} from './laws-effects.ts';
import {reviewedFields} from './laws-interview.ts';
import {honestResult} from './laws-result.ts';
import {boundedDepth} from './laws-tree.ts';

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
