/** Law 4: the early decision equals the decision with all ballots in. */

import type {Law} from '../../actors/verify/law.ts';
import {fullVerdict} from '../../actors/verify/laws-votes.ts';
import {verdictOnCall} from '../../machines/panel/calls.ts';
import {countedSeatsIn, type RecordedRound, verdictOf} from '../../machines/panel/recount.ts';
import {ruleOrStrictest} from '../../machines/panel/rule.ts';

export const earlyDecisions: Law = ({rounds}, {violated}) => {
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
