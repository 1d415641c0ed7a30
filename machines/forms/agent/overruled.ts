/** Decisions at a gate that went against the panel, or without it. */

import type {Decision} from '../../domain/result.ts';
import {type ReviewRound, unjudgedIn, vetoText} from '../../domain/review.ts';
import type {Recorded} from '../../facts/fact.ts';
import {roundsIn, decisionsIn, withRefusals} from '../../facts/folds.ts';

/** One sentence that lists them. Empty if every decision agreed with the panel. */
export function overruledText(facts: readonly Recorded[]): string {
  const rounds = roundsIn(facts);
  const sentences = decisionsIn(withRefusals(facts)).flatMap((decision) => {
    if (decision.by === 'panel' || !isAllowance(decision)) return [];
    const round = rounds.findLast((each) => each.proposalHash === decision.hash);
    return round && !round.approved ? [sentence(decision, round)] : [];
  });
  const text = [...new Set(sentences)].join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function isAllowance({decision, refused}: Decision): boolean {
  if (refused !== undefined) return false;
  return decision === 'approve' || decision === 'always' || decision === 'edit';
}

function sentence({by, decision}: Decision, round: ReviewRound): string {
  const who = by === 'person' ? 'a person' : by;
  const what = `the ${round.kind} "${round.title}"`;
  return decision === 'edit'
    ? `${who} edited ${what}, ${againstText(round)}; the edited plan was not voted on`
    : `${who} allowed ${what}, ${againstText(round)}`;
}

function noQuorumText(round: ReviewRound): string {
  const unjudged = unjudgedIn(round);
  return unjudged.length === 0
    ? 'too few reviewers voted'
    : `nobody decided (${unjudged.join('; ')})`;
}

function againstText(round: ReviewRound): string {
  if (round.verdict === 'noQuorum') return `on which ${noQuorumText(round)}`;
  const veto = vetoText(round);
  return `which the panel rejected${veto === undefined ? '' : ` (${veto})`}`;
}
