/** A judge's evaluation of the result of a plan: the arguments of `evaluate_result`. */

import {z} from 'zod';

import {modelText, readBy, type Reading, someText, someTexts} from './reading.ts';

export const evaluationSchema = z
  .lazy(() =>
    z.strictObject({
      successful: z.boolean().describe('True only if nothing is left to do'),
      problems: z
        .array(
          z.strictObject({
            task_id: modelText.nullish().describe('The id of the task, if it is about one'),
            problem: someText.describe('What is missing or wrong'),
          }),
        )
        .max(100)
        .describe('What is left to do; empty if successful'),
      feedback: modelText.nullish().describe('Advice for planning what is left'),
      cancel_reason: modelText.nullish().describe('Only if it makes no sense to continue: why'),
    }),
  )
  .describe('Judge the result of the plan.');

export interface Evaluation {
  readonly successful: boolean;
  readonly problems: readonly string[];
  readonly feedback: string;
  readonly cancelReason?: string;
}

export function readEvaluation(args: unknown): Reading<Evaluation> {
  const reading = readBy(evaluationSchema, args);
  return reading.ok ? {ok: true, value: toEvaluation(reading.value)} : reading;
}

function toEvaluation(data: z.infer<typeof evaluationSchema>): Evaluation {
  const problems = data.problems.map(({task_id: task, problem}) =>
    task ? `task ${task}: ${problem}` : problem,
  );
  return {
    successful: data.successful && problems.length === 0,
    problems,
    feedback: data.feedback ?? '',
    ...(data.cancel_reason ? {cancelReason: data.cancel_reason} : {}),
  };
}

// One planner's score of another planner's plan: the arguments of `score_plan`.

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
