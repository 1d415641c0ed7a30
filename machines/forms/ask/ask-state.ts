/** What is known while a question is answered, and what the answer comes to. */

import type {Failure} from '../../domain/failure.ts';
import type {GuardrailResult} from '../../domain/guardrail.ts';
import type {ModelOutcome} from '../../domain/model.ts';
import type {FinalStatus, FormOutput, StoppedReason} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import type {LoopStep} from '../../domain/tool.ts';
import type {TurnLoopOutput} from '../../loop/turn-state.ts';
import {failureOf, type StopReason} from '../../loop/turn.ts';
import {sourcesOf} from './sources.ts';

export interface AskInput {
  readonly request: string;
  readonly workspace: string;
  readonly settings: Settings;
}

export interface AskState extends AskInput {
  readonly steps: readonly LoopStep[];
  readonly answer: string;
  readonly stopped: StoppedReason;
  /** The guardrail that stood in the way. */
  readonly blockedBy?: GuardrailResult;
  readonly limit?: string;
  readonly failure?: Failure;
}

export function openAsk({request, workspace, settings}: AskInput): AskState {
  return {request, workspace, settings, steps: [], answer: '', stopped: 'completed'};
}

/** The tool that failed for good. */
export function failedTool(steps: readonly LoopStep[]): string {
  return steps.findLast(({status}) => status === 'failed')?.tool ?? 'A tool';
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
    steps: loop.steps,
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
  const tool = failedTool(state.steps);
  return {answer: `(${tool} failed, so this answer was given without it.)\n\n${answer}`};
}

export function directAnswer(outcome: ModelOutcome): string {
  return outcome.kind === 'ok' ? outcome.text.trim() : '';
}

function directFailure(outcome: ModelOutcome): Failure {
  if (outcome.kind !== 'ok') return failureOf(outcome);
  return {code: 'no_answer', message: 'The model gave no answer.'};
}

/** `steps` were taken since those before. */
export function withSteps(state: AskState, steps: readonly LoopStep[]): Partial<AskState> {
  return {steps: [...state.steps, ...steps]};
}

export function askOutput(state: AskState, status: FinalStatus): FormOutput {
  const {steps, stopped, blockedBy, failure} = state;
  const isOwnEnd = status !== 'error' && status !== 'cancelled';
  return {
    status,
    summary: summaryOf(state, status),
    ...(isOwnEnd ? answerOf(state) : {}),
    steps: steps.map(({thought, tool, args, text}) => ({
      thought,
      action: tool,
      input: args,
      observation: text,
    })),
    toolCalls: steps.length,
    ...(isOwnEnd ? {stoppedReason: stopped} : {}),
    ...(blockedBy ? {guardrail: blockedBy} : {}),
    ...(failure && status === 'error' ? {error: failure} : {}),
  };
}

/** A blocked answer is withheld. */
function answerOf(state: AskState): Pick<FormOutput, 'answer' | 'sources'> {
  const {answer, blockedBy, steps, settings} = state;
  if (answer === '' || blockedBy) return {};
  return {answer, sources: sourcesOf(answer, steps, settings.tools)};
}

function summaryOf(state: AskState, status: FinalStatus): string {
  const {blockedBy, limit, failure, stopped} = state;
  if (blockedBy) return `Blocked by a guardrail: ${blockedBy.reason}`;
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  if (status === 'error') return failure?.message ?? 'The question could not be answered.';
  return limit === undefined ? ends[stopped](state) : `Stopped by a limit: ${limit}`;
}

const ends: Readonly<Record<StoppedReason, (state: AskState) => string>> = {
  completed: () => 'Answered.',
  blocked: () => 'Blocked by a guardrail.',
  tool_failure_degraded: ({steps}) => `Answered without ${failedTool(steps)}.`,
  repeated_call: () => 'Stopped: the same call was made three times in a row.',
  max_steps_reached: ({settings}) => `Stopped after ${settings.ask.maxSteps} steps.`,
  limit_reached: () => 'Stopped: call after call was refused.',
};
