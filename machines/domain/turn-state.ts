/** The state of a turn loop as data, and the steps it takes. */

import type {ActionBrief} from './action.ts';
import type {Failure} from './failure.ts';
import {type ModelOutcome, type ModelPurpose, type ModelReply, retryDelayMs} from './model.ts';
import type {Settings} from './settings.ts';
import type {ToolResult} from './tool.ts';
import {appendMessages, openTranscript, type ToolCall, type Transcript} from './transcript.ts';
import {
  countRepeats,
  evidenceOf,
  failureOf,
  isMendable,
  maxIdenticalCalls,
  type OpenCall,
  openCalls,
  rejectionsAfter,
  type Repetition,
  resultMessages,
  type StopReason,
} from './turn.ts';

/** Replies without use that are asked for again. */
const maxMends = 2;
const maxCompactions = 2;

export interface TurnLoopInput {
  readonly purpose: ModelPurpose;
  readonly model: string;
  readonly system: string;
  readonly message: string;
  /** Names of the tools offered; others do not exist here. */
  readonly offered: readonly string[];
  readonly settings: Settings;
  readonly maxTurns: number;
  readonly brief: ActionBrief;
  /** What reviewers of an action may read beside it. */
  readonly context: string;
  /** Unique in the run: prefixes the names under which the lane finds tool calls. */
  readonly name: string;
  readonly task?: string;
  readonly timeLimitMs?: number;
  readonly rejectionsInARow: number;
}

export interface TurnState extends TurnLoopInput {
  readonly transcript: Transcript;
  readonly turns: number;
  readonly attempts: number;
  readonly mends: number;
  readonly compactions: number;
  readonly invalidTurns: number;
  readonly repetition: Repetition;
  readonly last: ModelOutcome | undefined;
  readonly calls: readonly ToolCall[];
  readonly waiting: readonly OpenCall[];
  readonly running: readonly OpenCall[];
  readonly settled: Readonly<Record<string, ToolResult>>;
  readonly turnMs: number;
  readonly results: readonly ToolResult[];
  /** Running time spent, ms. */
  readonly spentMs: number;
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'failed';
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly results: readonly ToolResult[];
  readonly evidence: readonly string[];
  readonly rejectionsInARow: number;
}

export function opened(input: TurnLoopInput): TurnState {
  return {
    ...input,
    transcript: openTranscript(input.message),
    turns: 0,
    attempts: 1,
    mends: 0,
    compactions: 0,
    invalidTurns: 0,
    repetition: {signature: '', count: 0},
    last: undefined,
    calls: [],
    waiting: [],
    running: [],
    settled: {},
    turnMs: 0,
    results: [],
    spentMs: 0,
    answer: '',
  };
}

export function turnOpened(
  state: TurnState,
  reply: ModelReply & {readonly ms: number},
): Partial<TurnState> {
  const {text, calls, ms} = reply;
  return {
    transcript: appendMessages(state.transcript, {role: 'assistant', text, calls}),
    turns: state.turns + 1,
    attempts: 1,
    repetition: countRepeats(state.repetition, calls),
    calls,
    waiting: openCalls(calls, state.settings.tools),
    running: [],
    settled: {},
    turnMs: 0,
    spentMs: state.spentMs + ms,
  };
}

export function started(
  {waiting, running}: TurnState,
  next: readonly OpenCall[],
): Partial<TurnState> {
  return {waiting: waiting.filter((open) => !next.includes(open)), running: [...running, ...next]};
}

/** Low-risk calls of a turn overlap, so a turn takes as long as its longest call. */
export function recorded(
  state: TurnState,
  callId: string,
  result: ToolResult,
  ms: number,
): Partial<TurnState> {
  return {
    running: state.running.filter(({call}) => call.id !== callId),
    settled: {...state.settled, [callId]: result},
    turnMs: Math.max(state.turnMs, ms),
    rejectionsInARow: rejectionsAfter(state.rejectionsInARow, result, state.settings.tools),
  };
}

export function turnClosed(state: TurnState): Partial<TurnState> {
  const {calls, settled} = state;
  const results = calls.flatMap(({id}) => settled[id] ?? []);
  return {
    transcript: appendMessages(state.transcript, ...resultMessages(calls, settled)),
    results: [...state.results, ...results],
    invalidTurns: isAllRefused(state) ? state.invalidTurns + 1 : 0,
    spentMs: state.spentMs + state.turnMs,
    calls: [],
    settled: {},
    turnMs: 0,
  };
}

function isAllRefused({calls, settled}: TurnState): boolean {
  return calls.every(({id}) => settled[id]?.status === 'refused');
}

export function mended(state: TurnState, outcome: ModelOutcome): Partial<TurnState> {
  const {code, message} = failureOf(outcome);
  return {
    mends: state.mends + 1,
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {role: 'user', text: `Your last reply could not be used (${code}: ${message}). Reply again.`},
    ),
  };
}

export function mayMend({mends}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && mends < maxMends;
}

export function mayCompact({compactions}: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && compactions < maxCompactions;
}

export function isRepeated({repetition}: TurnState, outcome: ModelOutcome): boolean {
  if (outcome.kind !== 'ok') return false;
  return countRepeats(repetition, outcome.calls).count >= maxIdenticalCalls;
}

export function isTurnOver({waiting, running}: TurnState): boolean {
  return waiting.length === 0 && running.length === 0;
}

export function isInvalidTooOften(state: TurnState): boolean {
  const {invalidTurns, settings} = state;
  return isTurnOver(state) && isAllRefused(state) && invalidTurns >= settings.agent.maxToolRetries;
}

export function timeLeft({timeLimitMs, spentMs}: TurnState): number | undefined {
  return timeLimitMs === undefined ? undefined : Math.max(0, timeLimitMs - spentMs);
}

export function delayOf({last, attempts}: TurnState): number {
  return last ? retryDelayMs(last, attempts) : 0;
}

/** The id of the actor that makes a call. */
export function callActor({turns}: TurnState, {index}: Pick<OpenCall, 'index'>): string {
  return `call:${turns}.${index}`;
}

export function outputOf(state: TurnState): TurnLoopOutput {
  const {answer, stopped, failure, results, rejectionsInARow} = state;
  return {
    kind: kindOf(state),
    answer,
    ...(stopped ? {stopped} : {}),
    ...(failure ? {failure} : {}),
    results,
    evidence: evidenceOf(results),
    rejectionsInARow,
  };
}

function kindOf({failure, stopped}: TurnState): TurnLoopOutput['kind'] {
  if (failure) return 'failed';
  return stopped ? 'exhausted' : 'answered';
}
