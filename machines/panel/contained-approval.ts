/** Approvals by rule of commands that do more than read: the reviewer gives the reason, and every view shows it. */

import type {ModelVote} from '../domain/review.ts';

/** Why a command that does more than read may run. Those parts follow it. */
export const containedReason = 'it runs confined and can be undone';

/** The reasons of such an approval; none of any other vote. */
export function containedReasons({
  verdict,
  reasons,
}: Pick<ModelVote, 'verdict' | 'reasons'>): readonly string[] {
  if (verdict !== 'approve') return [];
  return reasons.filter((reason) => reason.startsWith(containedReason));
}
