/** What one planner says of another's plan: the arguments of `score_plan`. */

import {z} from 'zod';

import {readBy, type Reading, someTexts} from './reading.ts';

export const scoreSchema = z
  .lazy(() => z.strictObject({score: z.number().min(1).max(10), reasons: someTexts}))
  .describe(
    'Score the plan from 1, which would do harm or nothing, to 10, which leaves nothing to wish for.',
  );

export interface PlanScore {
  /** 1 … 10. */
  readonly score: number;
  readonly reasons: readonly string[];
}

export function readScore(args: unknown): Reading<PlanScore> {
  return readBy(scoreSchema, args);
}

/** A draft of an ensemble, with what the others say of it. */
export interface ScoredDraft {
  /** The model that drafted it. */
  readonly by: string;
  readonly objective: string;
  /** Of all scores; absent when nobody scored it. */
  readonly mean?: number;
  readonly scores: readonly (PlanScore & {readonly scorer: string})[];
}
