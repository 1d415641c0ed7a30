/** The state of a turn loop as data, and the steps it takes. */

import {type Evidence, evidenceOf} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import {
  type ModelOutcome,
  type ModelPurpose,
  type ModelReply,
  retryDelayMs,
} from '../domain/model.ts';
import type {Settings} from '../domain/settings.ts';
import {type LoopStep, isArgumentFault, type ToolResult} from '../domain/tool.ts';
import {
  appendMessages,
  openTranscript,
  type ToolCall,
  type Transcript,
} from '../domain/transcript.ts';
import {type ActionBrief, toolResult} from './action.ts';
import type {RetryRule} from './call-state.ts';
import {bound, compact} from './compaction.ts';
import {
  failureOf,
  isMendable,
  maxIdenticalCalls,
  type OpenCall,
  openCalls,
  rejectionsAfter,
  type CallEnd,
  type Repetition,
  repetitionsOf,
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
  /** More messages are compacted. */
  readonly maxMessages?: number;
  readonly retries: RetryRule;
  /** Whether replies are kept from everybody until the answer is checked. */
  readonly isWithheld: boolean;
  /** Whether the parent hears of each turn's steps at once: it may end before the loop does. */
  readonly tellsSteps: boolean;
  /** Whether a call that failed for good ends the loop, or is an observation like any other. */
  readonly isDegradable: boolean;
  readonly brief: ActionBrief;
  /** What reviewers of an action may read beside it. */
  readonly context: string;
  /** Unique in the run: prefixes the names under which the lane finds tool calls. */
  readonly name: string;
  readonly task?: string;
  readonly timeLimitMs?: number;
  readonly rejectionsInARow: number;
}

/** The calls of one reply, from when it came until all have settled. */
interface Turn {
  readonly thought: string;
  readonly calls: readonly ToolCall[];
  readonly waiting: readonly OpenCall[];
  readonly running: readonly OpenCall[];
  readonly settled: Readonly<Record<string, ToolResult>>;
  /** The longest call's time at work. */
  readonly ms: number;
}

/** Tries of the call at hand, and repairs of the loop so far. */
interface Tries {
  readonly attempts: number;
  readonly last?: ModelOutcome;
  readonly mends: number;
  readonly compactions: number;
}

/** Few members, for every step copies them: beyond 16 a copy is some 20 times slower (V8). */
export interface TurnState {
  readonly input: TurnLoopInput;
  readonly transcript: Transcript;
  readonly turns: number;
  readonly turn: Turn;
  readonly tries: Tries;
  readonly invalidTurns: number;
  readonly repetition: Repetition;
  readonly steps: readonly LoopStep[];
  /** Running time spent, ms. */
  readonly spentMs: number;
  readonly rejectionsInARow: number;
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'degraded' | 'failed';
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly steps: readonly LoopStep[];
  readonly evidence: readonly Evidence[];
  readonly rejectionsInARow: number;
}

const noTurn: Turn = {thought: '', calls: [], waiting: [], running: [], settled: {}, ms: 0};

export function opened(input: TurnLoopInput): TurnState {
  return {
    input,
    transcript: openTranscript(input.message),
    turns: 0,
    turn: noTurn,
    tries: {attempts: 1, mends: 0, compactions: 0},
    invalidTurns: 0,
    repetition: {signature: '', count: 0},
    steps: [],
    spentMs: 0,
    rejectionsInARow: input.rejectionsInARow,
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
    turn: {...noTurn, thought: text, calls, waiting: openCalls(calls, state.input.settings.tools)},
    tries: {...state.tries, attempts: 1},
    repetition: repetitionsOf(state.repetition, calls).at(-1) ?? state.repetition,
    spentMs: state.spentMs + ms,
  };
}

export function started({turn}: TurnState, next: readonly OpenCall[]): Partial<TurnState> {
  const waiting = turn.waiting.filter((open) => !next.includes(open));
  return {turn: {...turn, waiting, running: [...turn.running, ...next]}};
}

/** Low-risk calls of a turn overlap, so a turn takes as long as its longest call. */
export function recorded(state: TurnState, {callId, result, ms}: CallEnd): Partial<TurnState> {
  const {turn, rejectionsInARow, input} = state;
  return {
    turn: {
      ...turn,
      running: turn.running.filter(({call}) => call.id !== callId),
      settled: {...turn.settled, [callId]: result},
      ms: Math.max(turn.ms, ms),
    },
    rejectionsInARow: rejectionsAfter(rejectionsInARow, result, input.settings.tools),
  };
}

/** A call whose actor crashed, which is a bug: the model reads that it failed. */
export function crashed(state: TurnState, actorId: string, failure: Failure): Partial<TurnState> {
  const open = state.turn.running.find((each) => callActor(state, each) === actorId);
  if (!open) return {failure};
  const result = toolResult(open.call, {kind: 'failed', ...failure});
  return recorded(state, {callId: open.call.id, result, ms: 0});
}

export function turnClosed(state: TurnState): Partial<TurnState> {
  const {turn, input} = state;
  const transcript = appendMessages(state.transcript, ...resultMessages(turn.calls, turn.settled));
  const isLong = transcript.messages.length > (input.maxMessages ?? Infinity);
  return {
    transcript: isLong ? bound(transcript, input.maxMessages ?? Infinity) : transcript,
    steps: [...state.steps, ...stepsOf(turn)],
    invalidTurns: isAllRefused(turn) ? state.invalidTurns + 1 : 0,
    spentMs: state.spentMs + turn.ms,
    turn: noTurn,
  };
}

/** To the parent, when it wants to hear. */
export interface TurnClosed {
  readonly type: 'turn.closed';
  readonly steps: readonly LoopStep[];
}

/** The thought stands with the first action that it led to. */
export function stepsOf({thought, calls, settled}: Turn): LoopStep[] {
  return calls.flatMap(({id}, index) => {
    const result = settled[id];
    return result ? [{thought: index === 0 ? thought : '', ...result}] : [];
  });
}

function isAllRefused({calls, settled}: Turn): boolean {
  return calls.every(({id}) => settled[id]?.status === 'refused');
}

export function mended(state: TurnState, outcome: ModelOutcome): Partial<TurnState> {
  const {code, message} = failureOf(outcome);
  return {
    tries: {...state.tries, mends: state.tries.mends + 1},
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {role: 'user', text: `Your last reply could not be used (${code}: ${message}). Reply again.`},
    ),
  };
}

export function shortened({transcript, tries}: TurnState): Partial<TurnState> {
  return {
    transcript: compact(transcript),
    tries: {...tries, compactions: tries.compactions + 1},
  };
}

export function mayMend({tries}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && tries.mends < maxMends;
}

export function mayCompact({tries}: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && tries.compactions < maxCompactions;
}

export function isRepeated({repetition}: TurnState, outcome: ModelOutcome): boolean {
  if (outcome.kind !== 'ok') return false;
  return repetitionsOf(repetition, outcome.calls).some(({count}) => count >= maxIdenticalCalls);
}

export function isTurnOver({turn}: TurnState): boolean {
  return turn.waiting.length === 0 && turn.running.length === 0;
}

/** Why there is no further turn after the one that is over. */
export function endOfTurns(state: TurnState): StopReason | undefined {
  const {turn, turns, invalidTurns, input, spentMs} = state;
  if (!isTurnOver(state)) return undefined;
  if (isAllRefused(turn) && invalidTurns >= input.settings.agent.maxToolRetries)
    return 'invalid_calls';
  if (turns >= input.maxTurns) return 'max_turns';
  return spentMs + turn.ms >= (input.timeLimitMs ?? Infinity) ? 'time_limit' : undefined;
}

/** A call failed for good, where that is no mere observation. */
export function isDegraded(state: TurnState): boolean {
  const {turn, input} = state;
  const isFailed = Object.values(turn.settled).some(
    ({status, failure}) => status === 'failed' && !(failure && isArgumentFault(failure)),
  );
  return input.isDegradable && isTurnOver(state) && isFailed;
}

export function timeLeft({input, spentMs}: TurnState): number | undefined {
  return input.timeLimitMs === undefined ? undefined : Math.max(0, input.timeLimitMs - spentMs);
}

export function delayOf({tries: {last, attempts}}: TurnState): number {
  return last ? retryDelayMs(last, attempts) : 0;
}

/** The id of the actor that makes a call. */
export function callActor({turns}: TurnState, {index}: Pick<OpenCall, 'index'>): string {
  return `call:${turns}.${index}`;
}

export function outputOf(state: TurnState): TurnLoopOutput {
  const {answer, stopped, failure, steps, rejectionsInARow} = state;
  return {
    kind: kindOf(state),
    answer,
    ...(stopped ? {stopped} : {}),
    ...(failure ? {failure} : {}),
    steps,
    evidence: evidenceOf(steps, state.input.settings.tools),
    rejectionsInARow,
  };
}

function kindOf({failure, stopped}: TurnState): TurnLoopOutput['kind'] {
  if (failure) return 'failed';
  if (stopped === 'tool_failure') return 'degraded';
  return stopped ? 'exhausted' : 'answered';
}
