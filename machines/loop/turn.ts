/** The calls of a turn: which run when, what comes back, when a loop repeats itself. */

import type {Failure} from '../domain/failure.ts';
import type {ModelOutcome} from '../domain/model.ts';
import {
  type LoopStep,
  type RiskLevel,
  riskOf,
  type ToolInfo,
  type ToolResult,
} from '../domain/tool.ts';
import type {Message, ToolCall} from '../prompts/transcript.ts';

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
  /** No other call of the turn is made meanwhile. What a call spawns is voted on there, call by call. */
  readonly isAlone: boolean;
}

/** The calls of one reply, from when it came until all have settled. */
export interface Turn {
  readonly thought: string;
  readonly calls: readonly ToolCall[];
  readonly waiting: readonly OpenCall[];
  readonly running: readonly OpenCall[];
  readonly settled: Readonly<Record<string, ToolResult>>;
  /** The longest call's time at work. */
  readonly ms: number;
}

export const noTurn: Turn = {thought: '', calls: [], waiting: [], running: [], settled: {}, ms: 0};

/** A call's last word. */
export interface CallEnd {
  readonly callId: string;
  readonly result: ToolResult;
  /** Time at work, ms: neither the panel, nor the lock, nor a person. */
  readonly ms: number;
}

/**
 * The calls to start now. Calls keep their order around every one that is made alone, as high-risk ones are; their
 * neighbours run together.
 */
export function nextCalls(waiting: readonly OpenCall[], running: readonly OpenCall[]): OpenCall[] {
  if (running.some(({isAlone}) => isAlone)) return [];
  const [first] = waiting;
  if (first?.isAlone === true) return running.length === 0 ? [first] : [];
  const firstAlone = waiting.findIndex(({isAlone}) => isAlone);
  const together = firstAlone === -1 ? waiting : waiting.slice(0, firstAlone);
  return together.slice(0, Math.max(0, maxParallelCalls - running.length));
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

/** Whether the turn is over when the call that runs has ended. */
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

/** The turn's results as the model reads them, in the order of its calls. */
export function resultMessages(
  calls: readonly ToolCall[],
  results: Readonly<Record<string, ToolResult>>,
): Message[] {
  return calls.map(({id, name}) => {
    const result = results[id];
    return {
      role: 'tool',
      callId: id,
      name,
      text: result?.text ?? 'No result.',
      isError: result?.status !== 'succeeded',
      ...(result?.status === 'rejected' ? {isSkipped: true as const} : {}),
    };
  });
}

export interface Repetition {
  readonly signature: string;
  readonly count: number;
}

/** The calls of a turn one by one, each with how often it was made in a row, across turns. */
export function repetitionsOf(before: Repetition, calls: readonly ToolCall[]): Repetition[] {
  let last = before;
  return calls.map(({name, args, problem}) => {
    // Arguments that could not be read may have been any.
    const signature = problem === undefined ? `${name} ${JSON.stringify(args)}` : '';
    const isSame = signature !== '' && signature === last.signature;
    last = {signature, count: isSame ? last.count + 1 : 1};
    return last;
  });
}

/** A reply that is no answer and no call can be asked for again, saying what was wrong with it. */
export function isMendable({kind}: ModelOutcome): boolean {
  return kind === 'protocol' || kind === 'truncated';
}

export function failureOf(outcome: ModelOutcome): Failure {
  if (outcome.kind === 'ok') return {code: 'protocol', message: 'the reply was of no use here'};
  return {code: outcome.code ?? outcome.kind, message: outcome.message};
}

/** The thought stands with the first action that it led to. */
export function stepsOf({thought, calls, settled}: Turn): LoopStep[] {
  return calls.flatMap(({id}, index) => {
    const result = settled[id];
    return result ? [{thought: index === 0 ? thought : '', ...result}] : [];
  });
}

export function isAllRefused({calls, settled}: Turn): boolean {
  return calls.every(({id}) => settled[id]?.status === 'refused');
}
