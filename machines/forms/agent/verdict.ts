/** Judging what was done: what can be checked is checked by code, and no model can talk it away. */

import {z} from 'zod';

import type {ModelOutcome} from '../../domain/model.ts';
import type {Plan} from '../../domain/plan.ts';
import type {TaskResult} from '../../domain/result.ts';

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

export type EvaluationReading =
  | {readonly ok: true; readonly evaluation: Evaluation}
  | {readonly ok: false; readonly problem: string};

/** Reads exactly one complete `evaluate_result` call. */
export function readEvaluation(outcome: ModelOutcome): EvaluationReading {
  if (outcome.kind !== 'ok') return {ok: false, problem: `${outcome.kind}: ${outcome.message}`};
  const [call, ...more] = outcome.calls;
  if (!call || more.length > 0 || call.name !== 'evaluate_result') {
    return {ok: false, problem: 'the reply did not call evaluate_result exactly once'};
  }
  if (call.problem !== undefined) return {ok: false, problem: call.problem};
  const parsed = evaluationSchema.safeParse(call.args);
  if (!parsed.success) return {ok: false, problem: z.prettifyError(parsed.error)};
  return {ok: true, evaluation: toEvaluation(parsed.data)};
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

/** What is wrong whatever a model says: tasks of this plan that did not succeed, files that are not there. */
export function checkedProblems(
  plan: Plan,
  results: readonly TaskResult[],
  missing: readonly string[],
): string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const tasks = plan.tasks.flatMap(({id, description}) => {
    const result = byId.get(id);
    if (!result) return [`task ${id} was not reached: ${description}`];
    if (result.status === 'succeeded') return [];
    return [`task ${id} ${result.status}: ${result.failure?.message ?? result.output}`];
  });
  return [...tasks, ...missing.map((path) => `the file ${path} is missing`)];
}
