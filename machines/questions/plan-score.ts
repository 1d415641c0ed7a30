/** One planner's score of another planner's plan: the arguments of `score_plan`. */

import {z} from 'zod';

import {readBy, type Reading, someTexts} from './reading.ts';

export const scoreSchema = z
  .lazy(() =>
    z.strictObject({
      score: z.number().min(1).max(10).describe('From 1 to 10'),
      reasons: someTexts.describe('Your reasons, one a text'),
    }),
  )
  .describe(
    'Score the plan from 1 (it would do harm, or nothing) to 10 (it leaves nothing to improve).',
  );

export interface PlanScore {
  /** 1 … 10. */
  readonly score: number;
  readonly reasons: readonly string[];
}

export function readScore(args: unknown): Reading<PlanScore> {
  return readBy(scoreSchema, args);
}

/** A draft of an ensemble, with the scores that the other planners gave it. */
export interface ScoredDraft {
  /** The model that drafted it. */
  readonly by: string;
  readonly objective: string;
  /** Mean of all scores; absent without a score. */
  readonly mean?: number;
  readonly scores: readonly (PlanScore & {readonly scorer: string})[];
}
