/** What a question comes to, told from its state and from the record of the steps that were taken. */

import type {AnyActorRef} from 'xstate';

import type {FinalStatus, FormOutput, FormParts, StoppedReason} from '../../domain/result.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {factsUnder, type Recorded, stepsIn} from '../../tree/record.ts';
import {type AskState, failedTool} from './ask-state.ts';
import {sourcesOf} from './sources.ts';

interface End {
  readonly context: AskState;
  readonly self: AnyActorRef;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, self}) => askOutput(context, status, stepsIn(factsUnder(self)));
}

/** `steps` are those that were taken, also of a loop that was cut short. */
function askOutput(state: AskState, status: FinalStatus, steps: readonly LoopStep[]): FormOutput {
  const {stopped, blockedBy, failure} = state;
  const isOwnEnd = status !== 'error' && status !== 'cancelled';
  return {
    status,
    summary: summaryOf(state, status),
    ...(isOwnEnd ? answerOf(state) : {}),
    ...stepsTaken(steps),
    ...(isOwnEnd ? {stoppedReason: stopped} : {}),
    ...(blockedBy ? {guardrail: blockedBy} : {}),
    ...(failure && status === 'error' ? {error: failure} : {}),
  };
}

/** What was done for a question that has not been answered yet. */
export function askSoFar(_: AskState, facts: readonly Recorded[]): FormParts {
  return stepsTaken(stepsIn(facts));
}

function stepsTaken(steps: readonly LoopStep[]): Pick<FormParts, 'steps' | 'toolCalls'> {
  return {
    steps: steps.map(({thought, tool, args, text}) => ({
      thought,
      action: tool,
      input: args,
      observation: text,
    })),
    toolCalls: steps.length,
  };
}

/** A blocked answer is withheld. */
function answerOf(state: AskState): Pick<FormOutput, 'answer' | 'sources'> {
  const {answer, blockedBy, steps, settings} = state;
  if (answer === '' || blockedBy) return {};
  return {answer, sources: sourcesOf(answer, steps, settings.tools)};
}

function summaryOf(state: AskState, status: FinalStatus): string {
  const {blockedBy, failure, stopped} = state;
  if (blockedBy) return `Blocked by a guardrail: ${blockedBy.reason}`;
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  if (status === 'error') return failure?.message ?? 'The question could not be answered.';
  return ends[stopped](state);
}

const ends: Readonly<Record<StoppedReason, (state: AskState) => string>> = {
  completed: () => 'Answered.',
  blocked: () => 'Blocked by a guardrail.',
  tool_failure_degraded: ({steps}) => `Answered without ${failedTool(steps)}.`,
  repeated_call: () => 'Stopped: the same call was made three times in a row.',
  max_steps_reached: ({settings}) => `Stopped after ${settings.ask.maxSteps} steps.`,
  limit_reached: () => 'Stopped: call after call was refused.',
};
