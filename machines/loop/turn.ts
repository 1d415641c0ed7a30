/** The calls of a turn: their order, their results, and the detection of repetitions. */

import type {Failure} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import type {ModelOutcome} from '../domain/model.ts';
import {
  type LoopStep,
  type RiskLevel,
  riskOf,
  type ToolInfo,
  type ToolResult,
} from '../domain/tool.ts';
import type {Message, ToolCall} from '../prompts/transcript.ts';
import {type CallReview, voidCode} from './action.ts';

/** At most this many calls of one turn run at once. */
const maxParallelCalls = 8;

/** The third identical call in a row ends a loop; after a rejection the fourth does. */
export const maxIdenticalCalls = 3;

/** Why a loop stopped without an answer. */
export type StopReason =
  | 'max_turns'
  | 'repeated_call'
  | 'time_limit'
  | 'invalid_calls'
  | 'tool_failure';

export interface OpenCall {
  readonly index: number;
  readonly call: ToolCall;
  readonly risk: RiskLevel;
  /** No other call of the turn runs at the same time. Calls that spawn need not be alone: their child has its own votes. */
  readonly isAlone: boolean;
}

/** The calls of one reply, from the reply until all have settled. */
export interface Turn {
  readonly thought: string;
  readonly calls: readonly ToolCall[];
  readonly waiting: readonly OpenCall[];
  readonly running: readonly OpenCall[];
  /** Of the review of its high-risk calls together, by `index` of the call. Absent: the call is reviewed by itself. */
  readonly decided: Readonly<Record<number, CallReview>>;
  readonly settled: Readonly<Record<string, ToolResult>>;
  /** The duration of the longest call. */
  readonly ms: number;
}

export const noTurn: Turn = {
  thought: '',
  calls: [],
  waiting: [],
  running: [],
  decided: {},
  settled: {},
  ms: 0,
};

/** The end of a call. */
export interface CallEnd {
  readonly callId: string;
  readonly result: ToolResult;
  /** Duration of the tool, ms, without waits for the panel, the lock or a person. */
  readonly ms: number;
}

/**
 * The calls to start now. A call that runs alone, such as a high-risk one, waits for all calls before it, and those after
 * it wait for its end; other calls run in parallel.
 */
export function nextCalls(waiting: readonly OpenCall[], running: readonly OpenCall[]): OpenCall[] {
  if (running.some(({isAlone}) => isAlone)) return [];
  const [first] = waiting;
  if (first?.isAlone === true) return running.length === 0 ? [first] : [];
  const firstAlone = waiting.findIndex(({isAlone}) => isAlone);
  const together = firstAlone === -1 ? waiting : waiting.slice(0, firstAlone);
  return together.slice(0, Math.max(0, maxParallelCalls - running.length));
}

/** True if a call before this one in the same proposal has not succeeded. */
export function isAfterFailure({calls, decided, settled}: Turn, {index}: OpenCall): boolean {
  return calls
    .slice(0, index)
    .some(
      ({id}, at) => decided[at] !== undefined && ownMember(settled, id)?.status !== 'succeeded',
    );
}

/** Calls of a turn may overlap, so a turn takes as long as its longest call. */
export function withEnd(turn: Turn, {callId, result, ms}: CallEnd): Turn {
  return {
    ...turn,
    running: turn.running.filter(({call}) => call.id !== callId),
    settled: {...turn.settled, [callId]: result},
    ms: Math.max(turn.ms, ms),
  };
}

/** True if the turn ends with the running call. */
export function isLastCall({waiting, running}: Turn): boolean {
  return waiting.length === 0 && running.length <= 1;
}

export function openCalls(calls: readonly ToolCall[], tools: readonly ToolInfo[]): OpenCall[] {
  return calls.map((call, index) => {
    const tool = tools.find(({name}) => name === call.name);
    const risk = tool ? riskOf(tool, call.args) : 'low';
    return {index, call, risk, isAlone: risk === 'high' && tool?.spawns === undefined};
  });
}

/** The turn's results as messages for the model, in the order of its calls. */
export function resultMessages(
  calls: readonly ToolCall[],
  results: Readonly<Record<string, ToolResult>>,
): Message[] {
  return calls.map(({id, name}) => {
    const result = ownMember(results, id);
    return {
      role: 'tool',
      callId: id,
      name,
      text: result?.text ?? 'No result.',
      isError: result?.status !== 'succeeded',
      ...(isSkipped(result) ? {isSkipped: true as const} : {}),
    };
  });
}

/** Nothing went wrong with the call: it was not allowed, or did not run because of another. */
function isSkipped(result: ToolResult | undefined): boolean {
  return result?.status === 'rejected' || result?.failure?.code === voidCode;
}

export interface Repetition {
  readonly signature: string;
  readonly count: number;
}

/** The calls of a turn one by one, each with the number of identical calls in a row, across turns. */
export function repetitionsOf(before: Repetition, calls: readonly ToolCall[]): Repetition[] {
  let last = before;
  return calls.map(({name, args, problem}) => {
    // Unreadable arguments can't be compared.
    const signature = problem === undefined ? `${name} ${JSON.stringify(args)}` : '';
    const isSame = signature !== '' && signature === last.signature;
    last = {signature, count: isSame ? last.count + 1 : 1};
    return last;
  });
}

/** A reply with neither an answer nor a call can be requested again, with the problem. */
export function isMendable({kind}: ModelOutcome): boolean {
  return kind === 'protocol' || kind === 'truncated';
}

export function failureOf(outcome: ModelOutcome): Failure {
  if (outcome.kind === 'ok') return {code: 'protocol', message: 'the reply could not be used here'};
  return {code: outcome.code ?? outcome.kind, message: outcome.message};
}

/** The thought is kept with the first action that it led to. */
export function stepsOf({thought, calls, settled}: Turn): LoopStep[] {
  return calls.flatMap(({id}, index) => {
    const result = ownMember(settled, id);
    return result ? [{thought: index === 0 ? thought : '', ...result}] : [];
  });
}

export function isAllRefused({calls, settled}: Turn): boolean {
  const results = calls.map(({id}) => ownMember(settled, id));
  return (
    results.every((result) => result?.status === 'refused') &&
    results.some((result) => result?.failure?.code !== voidCode)
  );
}
