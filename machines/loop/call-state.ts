/** The state of one tool call as data, and its steps. */

import type {Failure} from '../domain/failure.ts';
import type {Grant, HumanDecision, HumanQuestion} from '../domain/human.ts';
import type {Denied} from '../domain/result.ts';
import {cap} from '../domain/text-limits.ts';
import {callSummary, callWords} from '../domain/tool-facts.ts';
import {
  callHash,
  type CommandRecord,
  isArgumentFault,
  type ToolInfo,
  type ToolOutcome,
  type ToolRequest,
  type ToolResult,
  unknownTool,
} from '../domain/tool.ts';
import type {Fact} from '../facts/fact.ts';
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

export interface CallState {
  readonly input: ToolCallInput;
  readonly allowed?: ReadyPreview;
  readonly allowedBy?: 'person';
  readonly attempts: number;
  readonly ms: number;
  readonly result?: ToolResult;
}

/** A call that is not offered, or not allowed with its turn, has its result at once. */
export function openedCall(input: ToolCallInput): CallState {
  const {call, offered, decided} = input;
  const state = {input, attempts: 1, ms: 0};
  if (isUnoffered(input)) return {...state, result: unofferedResult(call, offered)};
  return decided && decided.kind !== 'allowed' ? {...state, ...reviewed(call, decided)} : state;
}

export function isUnoffered({call, tool}: ToolCallInput): boolean {
  return tool === undefined || call.problem !== undefined;
}

/** The call as it was allowed: it runs with exactly the arguments that were voted on. */
export function callOf({input: {call}, allowed}: CallState): ToolCall {
  return allowed ? {...call, args: allowed.args} : call;
}

export function reviewInput({input}: CallState): ActionReviewInput {
  const {call, tool, panel, granted, decided, brief, background} = input;
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

export function mayRetry({input, attempts}: CallState, outcome: ToolOutcome): boolean {
  const {tool, retries} = input;
  if (outcome.kind !== 'failed') return false;
  const isWorthIt = outcome.retryable ?? (retries.isForAnyFailure && !isArgumentFault(outcome));
  return isWorthIt && tool?.repeatability !== 'once' && attempts <= retries.maxRetries;
}

export function ended(state: CallState, outcome: ToolOutcome): Pick<CallState, 'result'> {
  return {result: toolResult(callOf(state), outcome)};
}

export function timedOut(state: CallState): Pick<CallState, 'ms' | 'result'> {
  const result = toolResult(callOf(state), timeOutOutcome);
  return {ms: state.input.timeLeftMs ?? state.ms, result};
}

export function callEnd({input: {call}, result, allowedBy, ms}: CallState): CallEnd {
  const final = result ?? refusedResult(call, 'internal', 'The call ended without a result.');
  return {callId: call.id, result: allowedBy ? {...final, allowedBy} : final, ms};
}

/** Running time left to the call, ms; undefined when there is no limit. */
export function timeLeftOf({input: {timeLeftMs}, ms}: CallState): number | undefined {
  return timeLeftMs === undefined ? undefined : Math.max(0, timeLeftMs - ms);
}

// Results of calls from their outcomes, and the question about a call in doubt.

/** The length of a command's output for people and judges, in UTF-16 units: its beginning and its end are kept. */
const maxOutput = 4_000;

/** The result of an outcome, for the model and for the record. */
export function toolResult(
  {name: tool, args}: Pick<ToolCall, 'name' | 'args'>,
  outcome: ToolOutcome,
): ToolResult {
  const base = {tool, args};
  if (outcome.kind === 'succeeded') return successResult(base, outcome);
  if (outcome.kind === 'failed') return failureResult(base, outcome);
  if (outcome.kind === 'refused') {
    return failedResult(base, 'refused', {code: outcome.code, message: outcome.message});
  }
  return failedResult(base, 'inDoubt', {code: outcome.kind, message: outcome.message});
}

function successResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  outcome: Extract<ToolOutcome, {kind: 'succeeded'}>,
): ToolResult {
  const {text, exitCode, sources, missedMost, found} = outcome;
  return {
    ...base,
    status: 'succeeded',
    text,
    ...(exitCode === undefined ? {} : {exitCode, output: cap(text, maxOutput)}),
    ...recordOf(outcome),
    ...(sources ? {sources} : {}),
    ...(missedMost ? {missedMost} : {}),
    ...(found ? {found} : {}),
  };
}

function failureResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  outcome: Extract<ToolOutcome, {kind: 'failed'}>,
): ToolResult {
  const {code, message, text, exitCode} = outcome;
  return {
    ...failedResult(base, 'failed', {code, message}),
    ...(text === undefined ? {} : {text: `${message}\n${text}`, output: cap(text, maxOutput)}),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...recordOf(outcome),
  };
}

function recordOf({confinement, written, changes, checks}: CommandRecord): CommandRecord {
  return {
    ...(confinement ? {confinement} : {}),
    ...(written ? {written} : {}),
    ...(changes ? {changes} : {}),
    ...(checks ? {checks} : {}),
  };
}

function failedResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  status: ToolResult['status'],
  failure: Failure,
): ToolResult {
  return {...base, status, text: failure.message, failure};
}

export function refusedResult(call: ToolCall, code: string, message: string): ToolResult {
  return failedResult({tool: call.name, args: call.args}, 'refused', {code, message});
}

function rejectedResult(call: ToolCall, reasons: readonly string[]): ToolResult {
  const message = `Not allowed. ${reasons.join('\n')}`.trim();
  return failedResult({tool: call.name, args: call.args}, 'rejected', {code: 'rejected', message});
}

/** The question to a person about an effect that may or may not have happened. */
export function doubtQuestion(
  call: Pick<ToolCall, 'name' | 'args'>,
  brief: ActionBrief,
  why = 'it was started, and it is unknown whether it finished',
): HumanQuestion {
  const summary = callSummary(call.name, call.args);
  return {
    kind: 'in-doubt',
    request: brief.request,
    reason: `${summary} is in doubt: ${why}`,
    preview: `${summary}\n${JSON.stringify(call.args, undefined, 2)}`,
    proposalHash: callHash(call.name, call.args),
    history: [],
    allowed: ['retry', 'done', 'fail'],
  };
}

/** The outcome that a person's decision gives to an effect in doubt. */
export function wordOutcome(decision: HumanDecision['decision']): ToolOutcome {
  if (decision === 'done') {
    return {
      kind: 'succeeded',
      text: 'A person says that this was done. Its output is unknown.',
    };
  }
  return {
    kind: 'failed',
    code: 'in_doubt',
    message: 'It is unknown whether this was done; it was abandoned.',
  };
}

const timeOutOutcome: ToolOutcome = {
  kind: 'failed',
  code: 'time_limit',
  message: 'The time limit of the task ran out.',
};

/** The request of an allowed or harmless call; `allowed` binds it to the approved arguments. */
export function toolRequest(state: CallState): ToolRequest {
  const {name, args} = callOf(state);
  const {input, allowed, allowedBy} = state;
  const {tool, offered, isTyped, brief} = input;
  return {
    tool: name,
    args,
    workspace: brief.workspace,
    repeatability: tool?.repeatability ?? 'once',
    ...(tool ? {timeoutMs: tool.timeoutMs} : {}),
    ...(allowed ? {approval: callHash(name, args)} : {}),
    ...filesOf(allowed),
    ...(allowedBy ? {allowedBy} : {}),
    ...(isTyped ? {isTyped} : {}),
    ...amongOffered(tool, offered),
  };
}

/** The states of a file before and after a write. */
function filesOf(allowed: Partial<ReadyPreview> = {}): Pick<ToolRequest, 'basedOn' | 'becomes'> {
  const {basedOn, becomes} = allowed;
  return {...(basedOn === undefined ? {} : {basedOn}), ...(becomes === undefined ? {} : {becomes})};
}

function amongOffered(
  tool: ToolInfo | undefined,
  offered: readonly string[],
): Pick<ToolRequest, 'among'> {
  return tool?.finds ? {among: offered} : {};
}

function unofferedResult(call: ToolCall, offered: readonly string[]): ToolResult {
  if (call.problem !== undefined) return refusedResult(call, 'bad_args', call.problem);
  return refusedResult(call, 'unknown_tool', unknownTool(call.name, offered));
}

export function deniedOf({input: {call, tool}, result}: CallState): Denied {
  const {name, args} = call;
  return {tool: name, summary: callSummary(name, args, tool), reasons: result ? [result.text] : []};
}

export function calledReport({input, allowed}: CallState): Extract<Fact, {type: 'tool.called'}> {
  const {call, tool, task} = input;
  const {name, args} = call;
  const {confinement} = allowed ?? {};
  const words = callWords(args, tool);
  return {
    type: 'tool.called',
    tool: name,
    summary: callSummary(name, args, tool),
    ...(words === undefined ? {} : {words}),
    task,
    ...(confinement ? {confinement} : {}),
  };
}

export function retriedReport(state: CallState): Extract<Fact, {type: 'tool.retried'}> {
  const {input, attempts, result} = state;
  const message = result?.text ?? '';
  return {type: 'tool.retried', tool: input.call.name, attempt: attempts, message};
}

/** Undefined for a call without a result. */
export function settledFact({input: {task}, result}: CallState, denied?: Denied): Fact | undefined {
  if (!result) return undefined;
  const {tool, status, text, changes, exitCode, output, confinement} = result;
  return {
    type: 'tool.settled',
    tool,
    status,
    message: text,
    task,
    ...(changes ? {changes} : {}),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(output === undefined ? {} : {output}),
    ...(confinement ? {confinement} : {}),
    detail: denied ? {denied} : {},
  };
}
