/** What is known while a question is answered, and what the answer comes to. */

import type {Failure} from './failure.ts';
import type {GuardrailResult} from './guardrail.ts';
import type {ModelOutcome} from './model.ts';
import type {FinalStatus, FormOutput, StoppedReason} from './result.ts';
import type {Settings} from './settings.ts';
import {sourcesOf} from './sources.ts';
import type {TurnLoopOutput} from './turn-state.ts';
import {failureOf, type StopReason} from './turn.ts';

export interface AskInput {
  readonly request: string;
  readonly workspace: string;
  readonly settings: Settings;
}

export interface AskState extends AskInput {
  readonly loop?: TurnLoopOutput;
  readonly answer: string;
  readonly stopped: StoppedReason;
  /** The guardrail that stood in the way. */
  readonly blockedBy?: GuardrailResult;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openAsk({request, workspace, settings}: AskInput): AskState {
  return {request, workspace, settings, answer: '', stopped: 'completed'};
}

/** The tool that failed for good. */
export function failedTool(loop: TurnLoopOutput | undefined): string {
  return loop?.steps.findLast(({status}) => status === 'failed')?.tool ?? 'A tool';
}

const reasons: Readonly<Record<StopReason, StoppedReason>> = {
  max_turns: 'max_steps_reached',
  repeated_call: 'repeated_call',
  tool_failure: 'tool_failure_degraded',
  invalid_calls: 'limit_reached',
  time_limit: 'limit_reached',
};

export function withLoop(loop: TurnLoopOutput): Partial<AskState> {
  return {
    loop,
    answer: loop.answer.trim(),
    stopped: loop.stopped ? reasons[loop.stopped] : 'completed',
    ...(loop.failure ? {failure: loop.failure} : {}),
  };
}

/** An answer without the tool that should have told it says so itself: a reader may see nothing but the answer. */
export function withDirectAnswer(state: AskState, outcome: ModelOutcome): Partial<AskState> {
  const answer = directAnswer(outcome);
  if (answer === '') return {failure: directFailure(outcome)};
  if (state.stopped !== 'tool_failure_degraded') return {answer};
  const tool = failedTool(state.loop);
  return {answer: `(${tool} failed, so this answer was given without it.)\n\n${answer}`};
}

export function directAnswer(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function directFailure(outcome: ModelOutcome): Failure {
  if (outcome.kind !== 'ok') return failureOf(outcome);
  return {code: 'no_answer', message: 'The model gave no answer.'};
}

export function askOutput(state: AskState, status: FinalStatus): FormOutput {
  const {loop, answer, stopped, blockedBy, failure} = state;
  const steps = loop?.steps ?? [];
  const isAnswered = answer !== '' && !blockedBy && status !== 'error' && status !== 'cancelled';
  return {
    status,
    summary: summaryOf(state, status),
    ...(isAnswered ? {answer, sources: sourcesOf(answer, steps)} : {}),
    steps: steps.map(({thought, tool, args, text}) => ({
      thought,
      action: tool,
      input: args,
      observation: text,
    })),
    toolCalls: steps.length,
    ...(status === 'error' || status === 'cancelled' ? {} : {stoppedReason: stopped}),
    ...(failure && status === 'error' ? {error: failure} : {}),
  };
}

function summaryOf(state: AskState, status: FinalStatus): string {
  const {blockedBy, limit, failure, stopped, settings, loop} = state;
  if (blockedBy) return `Blocked by a guardrail: ${blockedBy.reason}`;
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  if (status === 'error') return failure?.message ?? 'The question could not be answered.';
  if (limit !== undefined) return `Stopped by a limit: ${limit}`;
  if (stopped === 'completed') return 'Answered.';
  if (stopped === 'tool_failure_degraded') return `Answered without ${failedTool(loop)}.`;
  if (stopped === 'repeated_call') return 'Stopped: the same call was made three times in a row.';
  if (stopped === 'max_steps_reached') return `Stopped after ${settings.ask.maxSteps} steps.`;
  return 'Stopped: call after call was refused.';
}
