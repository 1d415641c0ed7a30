/** A judge's evaluation of the result of a plan: the arguments of `evaluate_result`. */

import {z} from 'zod';

import {modelText, readBy, type Reading, someText} from './reading.ts';

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
