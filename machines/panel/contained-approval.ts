/** Approvals by rule of commands that the rules do not understand: the reviewer gives the reason, and every view shows it. */

import type {ModelVote} from '../domain/review.ts';

/** Why a command that is not understood may run. The parts that are not understood follow it. */
export const containedReason = 'not understood, but it runs confined and can be undone';

/** The reasons of an approval of a command that is not understood; none of any other vote. */
export function containedReasons({
  verdict,
  reasons,
}: Pick<ModelVote, 'verdict' | 'reasons'>): readonly string[] {
  if (verdict !== 'approve') return [];
  return reasons.filter((reason) => reason.startsWith(containedReason));
}
