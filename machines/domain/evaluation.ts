/** A judge's word on what was done: the arguments of `evaluate_result`. */

import {z} from 'zod';

import {readBy, type Reading} from './reading.ts';

export const evaluationSchema = z
  .strictObject({
    successful: z.boolean(),
    problems: z.array(
      z.strictObject({task_id: z.string().nullish(), problem: z.string().trim().min(1)}),
    ),
    feedback: z.string().nullish(),
    cancel_reason: z.string().nullish(),
  })
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
