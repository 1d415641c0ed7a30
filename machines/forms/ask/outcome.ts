/** The output of an ask, from its state and the recorded steps. */

import type {AnyActorRef} from 'xstate';

import {languagePart} from '../../domain/language.ts';
import type {FinalStatus, FormOutput, FormParts, StoppedReason} from '../../domain/result.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {stepsIn} from '../../facts/fact.ts';
import {factsUnder} from '../../facts/record.ts';
import type {StopReason} from '../../loop/turn.ts';
import type {FormNow} from '../../tree/form-event.ts';
import {type AskState, failedTool} from './ask-state.ts';
import {sourcesOf} from './sources.ts';

interface End {
  readonly context: AskState;
  readonly self: AnyActorRef;
}

/** The output of a final state. `stoppedReason` is absent if the ask was cancelled or failed with an error. */
export function ending(
  status: FinalStatus,
  stoppedReason?: StoppedReason,
): (end: End) => FormOutput {
  return ({context, self}) => {
    const {blockedBy, failure, request} = context;
    if (status === 'completed' && foundNothingInPart(context))
      return {
        ...ending('failed', 'tool_failure_degraded')({context, self}),
        summary: notSearched,
        degraded: true,
      };
    return {
      status,
      ...languagePart(request),
      summary: stoppedReason ? ends[stoppedReason](context) : unansweredText(context, status),
      ...(stoppedReason ? answerOf(context) : {}),
      ...stepsTaken(stepsIn(factsUnder(self))),
      ...(stoppedReason ? {stoppedReason} : {}),
      ...(blockedBy ? {guardrail: blockedBy} : {}),
      ...(failure && status === 'error' ? {error: failure} : {}),
    };
  };
}

const notSearched =
  'Answered without a source: over half of the files were not searched. Name a folder to search in.';

/** True if the answer has no source and a search missed most of the files. */
function foundNothingInPart({answer, steps, settings}: AskState): boolean {
  const hasMissed = steps.some(({missedMost}) => missedMost === true);
  return hasMissed && sourcesOf(answer, steps, settings.tools).length === 0;
}

/** The output after a limit: its `stoppedReason` names the limit. */
export function endingShort(end: End): FormOutput {
  const {stopped = 'invalid_calls'} = end.context;
  return ending('limited', limits[stopped])(end);
}

const limits: Readonly<Record<StopReason, StoppedReason>> = {
  max_turns: 'max_steps_reached',
  repeated_call: 'repeated_call',
  tool_failure: 'tool_failure_degraded',
  invalid_calls: 'limit_reached',
  time_limit: 'limit_reached',
};

/** The partial result of an active ask. */
export function askPartialResult({state, facts}: FormNow<AskState>): FormParts {
  return {...languagePart(state.request), ...stepsTaken(stepsIn(facts))};
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

/** Without a blocked answer. */
function answerOf(state: AskState): Pick<FormOutput, 'answer' | 'sources' | 'degraded'> {
  const {answer, blockedBy, steps, settings, isCut} = state;
  if (answer === '' || blockedBy) return {};
  return {
    answer,
    sources: sourcesOf(answer, steps, settings.tools),
    ...(isCut ? {degraded: true} : {}),
  };
}

function unansweredText({failure}: AskState, status: FinalStatus): string {
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  return failure?.message ?? 'The question could not be answered.';
}

const ends: Readonly<Record<StoppedReason, (state: AskState) => string>> = {
  completed: () => 'Answered.',
  blocked: ({blockedBy}) => `Blocked by a guardrail: ${blockedBy?.reason ?? ''}`,
  tool_failure_degraded: ({steps}) => `Answered without ${failedTool(steps)}.`,
  repeated_call: () => 'Stopped: the same call was made three times in a row.',
  max_steps_reached: ({settings}) => `Stopped after ${settings.ask.maxSteps} steps.`,
  limit_reached: () => 'Stopped: too many calls in a row were refused.',
};
