/** Votes as a person reads them: `Rev 1: REJECTED [○●○]` and who said why. */

import {
  type ModelVote,
  refusalsAside,
  type ReviewRound,
  vetoText,
} from '../../machines/domain/review.ts';
import type {Style} from './style.ts';
import {oneLine} from './text.ts';

const verdictWords = {approved: 'APPROVED', rejected: 'REJECTED', noQuorum: 'NO QUORUM'} as const;

export function verdictText(verdict: ReviewRound['verdict'], style: Style): string {
  return (verdict === 'approved' ? style.green : style.red)(verdictWords[verdict]);
}

/** One round with the reasons of all who did not approve; `all` adds the reasons of those who did. */
export function roundLines(
  round: ReviewRound,
  style: Style,
  {width, label, all = false}: {width: number; label: string; all?: boolean},
): string[] {
  const head = `${label}: ${verdictText(round.verdict, style)} ${oneLine(round.summary)}`;
  const veto = vetoText(round);
  const notes =
    veto === undefined
      ? [
          ...(round.early ? ['early'] : []),
          ...(round.degraded ? ['degraded'] : []),
          ...(round.withdrawn.length > 0 ? [`not needed: ${round.withdrawn.join(', ')}`] : []),
        ]
      : [veto];
  const reasons = round.votes
    .filter((vote) => all || vote.verdict !== 'approve')
    .map((vote) => `  └─ ${oneLine(reasonText(vote), width - 5)}`);
  const aside = notes.length > 0 ? style.dim(` (${oneLine(notes.join('; '))})`) : '';
  return [head + aside, ...refusalLines(round, width), ...reasons];
}

/** What policies without a seat have against it. */
export function refusalLines(round: ReviewRound, width: number): string[] {
  return refusalsAside(round).map(
    ({policy, reasons}) => `  └─ ${oneLine(`${policy}: ${reasons.join('; ')}`, width - 5)}`,
  );
}

export function reasonText(vote: ModelVote): string {
  const because = vote.abstainedBecause ?? (vote.reasons.join('; ') || vote.reasoning);
  const change = vote.suggestedChange ? ` (suggests: ${vote.suggestedChange})` : '';
  return `${vote.model}: ${vote.verdict === 'abstain' ? 'abstained: ' : ''}${because}${change}`;
}
