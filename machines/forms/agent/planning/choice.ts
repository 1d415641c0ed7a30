/** The choice of the best draft by its scores. */

import type {Plan} from '../../../domain/plan.ts';
import type {PlanScore, ScoredDraft} from '../../../questions/evaluation.ts';

export interface Draft {
  /** The model that drafted the plan. */
  readonly by: string;
  readonly plan: Plan;
}

/** One planner's score of another planner's draft. */
export interface GivenScore extends PlanScore {
  readonly scorer: string;
  /** The draft's author. */
  readonly of: string;
}

export type ScoredPlan = ScoredDraft & Draft;

/** In the order of the drafts. */
export function scoredDrafts(
  drafts: readonly Draft[],
  scores: readonly GivenScore[],
): readonly ScoredPlan[] {
  return drafts.map(({by, plan}) => {
    const own = scores.filter(({of}) => of === by);
    const sum = own.reduce((total, {score}) => total + score, 0);
    return {
      by,
      plan,
      objective: plan.objective,
      ...(own.length === 0 ? {} : {mean: sum / own.length}),
      scores: own.map(({scorer, score, reasons}) => ({scorer, score, reasons})),
    };
  });
}

/**
 * The best draft: the one with the highest mean, then with more scores, then the first in `drafts`, which are in the order
 * of the configuration. Undefined without drafts.
 */
export function bestOf(drafts: readonly ScoredPlan[]): ScoredPlan | undefined {
  const [best] = drafts.toSorted(
    (a, b) => (b.mean ?? 0) - (a.mean ?? 0) || b.scores.length - a.scores.length,
  );
  return best;
}

/** The pairs of scorer and draft: each planner scores every draft except its own. */
export function scoring(
  planners: readonly string[],
  drafts: readonly Draft[],
): readonly {readonly scorer: string; readonly draft: Draft}[] {
  return planners.flatMap((scorer) =>
    drafts.filter(({by}) => by !== scorer).map((draft) => ({scorer, draft})),
  );
}
