/** What is known while a question is answered, what its loop and its model are given, and what the answer comes to. */

import {type Attachment, attachedEvidence, attachedText} from '../../domain/attachment.ts';
import {cap} from '../../domain/buffer.ts';
import type {Failure} from '../../domain/failure.ts';
import type {GuardrailResult} from '../../domain/guardrail.ts';
import type {ModelOutcome, ModelRequest} from '../../domain/model.ts';
import type {Outage} from '../../domain/outage.ts';
import type {FinalStatus, FormOutput, StoppedReason} from '../../domain/result.ts';
import type {Settings} from '../../domain/settings.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {openTranscript} from '../../domain/transcript.ts';
import {panelRules} from '../../loop/action.ts';
import type {TurnLoopInput, TurnLoopOutput} from '../../loop/turn-state.ts';
import {failureOf, type StopReason} from '../../loop/turn.ts';
import {askMessage, askSystem, directMessage} from './prompt.ts';
import {sourcesOf} from './sources.ts';

export interface AskInput {
  readonly request: string;
  readonly workspace: string;
  readonly settings: Settings;
  readonly attachments?: readonly Attachment[];
}

export interface AskState extends AskInput {
  readonly attachments: readonly Attachment[];
  readonly steps: readonly LoopStep[];
  readonly answer: string;
  readonly stopped: StoppedReason;
  /** The guardrail that stood in the way. */
  readonly blockedBy?: GuardrailResult;
  readonly failure?: Failure;
  readonly outage?: Outage;
}

export function openAsk({request, workspace, settings, attachments = []}: AskInput): AskState {
  return {
    request,
    workspace,
    settings,
    attachments,
    steps: [],
    answer: '',
    stopped: 'completed',
  };
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

/** `steps` are those that were taken, also of a loop that was cut short. */
export function askOutput(
  state: AskState,
  status: FinalStatus,
  steps: readonly LoopStep[],
): FormOutput {
  const {stopped, blockedBy, failure} = state;
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

/** The loop of an ask knows the read-only tools; no other exists for it. */
export function askLoopInput(state: AskState): TurnLoopInput {
  const {request, workspace, settings, attachments} = state;
  const {ask, guardrails} = settings;
  const tools = settings.tools.filter(({risk}) => risk === 'low');
  return {
    purpose: 'ask',
    model: ask.model,
    system: askSystem,
    message: askMessage(request, attachments),
    offered: tools.map(({name}) => name),
    tools,
    panel: panelRules(settings),
    maxOutputTokens: guardrails.maxOutputTokens,
    maxTurns: ask.maxSteps,
    maxRefusedTurns: ask.maxRetries,
    maxMessages: ask.maxHistory,
    retries: {maxRetries: ask.maxRetries, isForAnyFailure: true},
    isDegradable: true,
    isWithheld: hasPatterns(state),
    brief: {
      request,
      workspace,
      evidence: attachedEvidence(attachments),
      purpose: request,
      quoted: attachedText(attachments),
    },
    background: '',
  };
}

export function directRequest(state: AskState): ModelRequest {
  const {request, settings, steps, attachments} = state;
  const message = directMessage({
    question: request,
    attachments,
    steps,
    because: becauseOf(state),
    maxChars: settings.context.maxEntryBytes,
  });
  return {
    purpose: 'ask',
    model: settings.ask.model,
    system: askSystem,
    transcript: openTranscript(cap(message, settings.context.maxTotalBytes)),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens: settings.guardrails.maxOutputTokens,
    ...(hasPatterns(state) ? {isWithheld: true} : {}),
  };
}

/** With patterns configured, an answer may turn out to be one that nobody may see. */
function hasPatterns({settings}: AskState): boolean {
  return settings.guardrails.blockedPatterns.length > 0;
}

function becauseOf({stopped, settings, steps}: AskState): string {
  if (stopped === 'tool_failure_degraded') return `${failedTool(steps)} failed for good.`;
  if (stopped === 'repeated_call') return 'The same call was made again and again.';
  if (stopped === 'max_steps_reached') return `All ${settings.ask.maxSteps} steps are used up.`;
  return 'There was no answer.';
}
