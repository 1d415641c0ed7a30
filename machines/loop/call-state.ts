/** The state of one tool call as data, and its steps. */

import type {Grant} from '../domain/human.ts';
import {isArgumentFault, type ToolInfo, type ToolOutcome, type ToolResult} from '../domain/tool.ts';
import type {Section} from '../prompts/sections.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import type {ActionReviewInput, ApprovedAction} from './action-state.ts';
import {
  type ActionBrief,
  actionHash,
  type ActionReviewOutput,
  type CallReview,
  type PanelRules,
  type ReadyPreview,
} from './action.ts';
import {
  refusedResult,
  rejectedResult,
  timeOutOutcome,
  toolResult,
  unofferedResult,
} from './call-result.ts';
import type {CallEnd} from './turn.ts';

/** The rule for repeating a call whose tool failed. */
export interface RetryRule {
  readonly maxRetries: number;
  /** True: any failure is worth a repeat. False: only a transient one. */
  readonly isForAnyFailure: boolean;
}

export interface ToolCallInput {
  readonly call: ToolCall;
  /** The catalogue entry; absent when no such tool is offered here. */
  readonly tool?: ToolInfo | undefined;
  readonly offered: readonly string[];
  /** The panel that votes on a high-risk call. */
  readonly panel: PanelRules;
  /** Set when the call was allowed with the plan that contains it. */
  readonly granted?: Grant;
  /** The decision of the review of its turn. Absent: the call is reviewed by itself. */
  readonly decided?: CallReview;
  /** A person typed the call. */
  readonly isTyped?: true;
  readonly retries: RetryRule;
  /** Maximum size of the result of a spawned interaction, in bytes. */
  readonly maxMessageBytes: number;
  readonly brief: ActionBrief;
  /** Additional sections for reviewers. */
  readonly background: readonly Section[];
  readonly task?: string | undefined;
  /** Running time left, ms. */
  readonly timeLeftMs?: number | undefined;
}

export interface CallState extends ToolCallInput {
  readonly allowed?: ReadyPreview;
  readonly allowedBy?: 'person';
  readonly attempts: number;
  readonly ms: number;
  readonly result?: ToolResult;
}

/** A call that is not offered, or not allowed with its turn, has its result at once. */
export function openedCall(input: ToolCallInput): CallState {
  const {call, offered, decided} = input;
  const state = {...input, attempts: 1, ms: 0};
  if (isUnoffered(input)) return {...state, result: unofferedResult(call, offered)};
  return decided && decided.kind !== 'allowed' ? {...state, ...reviewed(call, decided)} : state;
}

export function isUnoffered({call, tool}: ToolCallInput): boolean {
  return tool === undefined || call.problem !== undefined;
}

/** The call as it was allowed: it runs with exactly the arguments that were voted on. */
export function callOf({call, allowed}: Pick<CallState, 'call' | 'allowed'>): ToolCall {
  return allowed ? {...call, args: allowed.args} : call;
}

export function reviewInput(state: CallState): ActionReviewInput {
  const {call, tool, panel, granted, decided, brief, background} = state;
  return {
    calls: [{call, tool}],
    panel,
    ...(granted ? {granted} : {}),
    ...(decided?.kind === 'allowed' ? {approved: approvedAction(call, decided)} : {}),
    brief,
    background,
  };
}

function approvedAction(
  {name}: ToolCall,
  {preview, by}: Extract<CallReview, {kind: 'allowed'}>,
): ApprovedAction {
  return {hash: actionHash(name, preview), ...(by ? {by} : {})};
}

/** The review of the only call. */
export function reviewIn({event}: {event: {readonly output: ActionReviewOutput}}): CallReview {
  return event.output[0] ?? {kind: 'rejected', reasons: []};
}

export function reviewed(call: ToolCall, review: CallReview): Partial<CallState> {
  if (review.kind === 'allowed') {
    return {allowed: review.preview, ...(review.by ? {allowedBy: review.by} : {})};
  }
  if (review.kind === 'refused') {
    return {result: refusedResult(call, review.failure.code, review.failure.message)};
  }
  return {result: rejectedResult(call, review.kind === 'rejected' ? review.reasons : [])};
}

export function mayRetry({tool, attempts, retries}: CallState, outcome: ToolOutcome): boolean {
  if (outcome.kind !== 'failed') return false;
  const isWorthIt = outcome.retryable ?? (retries.isForAnyFailure && !isArgumentFault(outcome));
  return isWorthIt && tool?.repeatability !== 'once' && attempts <= retries.maxRetries;
}

export function ended(state: CallState, outcome: ToolOutcome): Pick<CallState, 'result'> {
  return {result: toolResult(callOf(state), outcome)};
}

export function timedOut(state: CallState): Pick<CallState, 'ms' | 'result'> {
  const result = toolResult(callOf(state), timeOutOutcome);
  return {ms: state.timeLeftMs ?? state.ms, result};
}

export function callEnd({call, result, allowedBy, ms}: CallState): CallEnd {
  const final = result ?? refusedResult(call, 'internal', 'The call ended without a result.');
  return {callId: call.id, result: allowedBy ? {...final, allowedBy} : final, ms};
}

/** Running time left to the call, ms; undefined when there is no limit. */
export function timeLeftOf({timeLeftMs, ms}: CallState): number | undefined {
  return timeLeftMs === undefined ? undefined : Math.max(0, timeLeftMs - ms);
}
