/** The calls of a turn: which run when, what comes back, when a loop repeats itself. */

import type {Failure} from '../domain/failure.ts';
import type {ModelOutcome} from '../domain/model.ts';
import type {RiskLevel, ToolInfo, ToolResult} from '../domain/tool.ts';
import type {Message, ToolCall} from '../domain/transcript.ts';

/** At most this many calls of one turn run at once. */
const maxParallelCalls = 8;

/** The third identical call in a row ends a loop. */
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
}

/** A call's last word. */
export interface CallEnd {
  readonly callId: string;
  readonly result: ToolResult;
  /** Time at work, ms: neither the panel, nor the lane, nor a person. */
  readonly ms: number;
}

/**
 * The calls to start now. Calls keep their order around every high-risk one: low-risk neighbours run together, a
 * high-risk call runs alone.
 */
export function nextCalls(waiting: readonly OpenCall[], running: readonly OpenCall[]): OpenCall[] {
  if (running.some(({risk}) => risk === 'high')) return [];
  const [first] = waiting;
  if (first?.risk === 'high') return running.length === 0 ? [first] : [];
  const firstHigh = waiting.findIndex(({risk}) => risk === 'high');
  const harmless = firstHigh === -1 ? waiting : waiting.slice(0, firstHigh);
  return harmless.slice(0, Math.max(0, maxParallelCalls - running.length));
}

export function openCalls(calls: readonly ToolCall[], tools: readonly ToolInfo[]): OpenCall[] {
  return calls.map((call, index) => ({
    index,
    call,
    risk: tools.find(({name}) => name === call.name)?.risk ?? 'low',
  }));
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
  return {code: outcome.kind, message: outcome.message};
}

/** Rejections in a row: a high-risk call that ran ends the row, a low-risk one does not. */
export function rejectionsAfter(
  before: number,
  result: ToolResult,
  tools: readonly ToolInfo[],
): number {
  if (result.status === 'rejected') return before + 1;
  const isHigh = tools.some(({name, risk}) => name === result.tool && risk === 'high');
  return isHigh && result.status !== 'refused' ? 0 : before;
}
