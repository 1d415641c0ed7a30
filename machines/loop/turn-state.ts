/** The state of a turn loop as data, the steps it takes, and what it asks of its model and of its tool calls. */

import {type Evidence, evidenceOf} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import type {ModelOutcome, ModelPurpose, ModelReply, ModelRequest} from '../domain/model.ts';
import type {Outage} from '../domain/outage.ts';
import {type LoopStep, isArgumentFault, type ToolInfo} from '../domain/tool.ts';
import {appendMessages, openTranscript, type Transcript} from '../domain/transcript.ts';
import type {ActionBrief, PanelRules} from './action.ts';
import {toolResult} from './call-result.ts';
import type {RetryRule, ToolCallInput} from './call-state.ts';
import {bound, compact} from './compaction.ts';
import {guarded} from './taint.ts';
import {
  failureOf,
  isMendable,
  maxIdenticalCalls,
  isAllRefused,
  nextCalls,
  noTurn,
  type OpenCall,
  openCalls,
  type CallEnd,
  type Repetition,
  repetitionsOf,
  resultMessages,
  stepsOf,
  type StopReason,
  type Turn,
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
  readonly tools: readonly ToolInfo[];
  /** Who votes on high-risk calls. */
  readonly panel: PanelRules;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  /** Turns in a row all of whose calls may be refused: one more ends the loop. */
  readonly maxRefusedTurns: number;
  /** More messages are compacted. */
  readonly maxMessages?: number;
  readonly retries: RetryRule;
  /** Whether replies are kept from everybody until the answer is checked. */
  readonly isWithheld: boolean;
  /** Whether a call that failed for good ends the loop, or is an observation like any other. */
  readonly isDegradable: boolean;
  readonly brief: ActionBrief;
  /** What reviewers of an action may read beside it. */
  readonly background: string;
  readonly task?: string;
  readonly timeLimitMs?: number;
}

/** Repairs of the loop so far. */
interface Repairs {
  readonly mends: number;
  readonly compactions: number;
}

/** Few members, for every step copies them: beyond 16 a copy is some 20 times slower (V8). */
export interface TurnState {
  readonly input: TurnLoopInput;
  readonly transcript: Transcript;
  readonly turns: number;
  readonly turn: Turn;
  readonly repairs: Repairs;
  /** Turns in a row all of whose calls were refused. */
  readonly refusedTurns: number;
  readonly repetition: Repetition;
  readonly steps: readonly LoopStep[];
  /** Running time spent, ms. */
  readonly spentMs: number;
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly outage?: Outage;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'degraded' | 'failed';
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly steps: readonly LoopStep[];
  readonly evidence: readonly Evidence[];
}

interface Timed {
  readonly ms: number;
}

export function opened(input: TurnLoopInput): TurnState {
  return {
    input,
    transcript: openTranscript(input.message),
    turns: 0,
    turn: noTurn,
    repairs: {mends: 0, compactions: 0},
    refusedTurns: 0,
    repetition: {signature: '', count: 0},
    steps: [],
    spentMs: 0,
    answer: '',
  };
}

export function turnOpened(state: TurnState, reply: ModelReply & Timed): TurnState {
  const {text, calls, ms} = reply;
  return {
    ...state,
    transcript: appendMessages(state.transcript, {role: 'assistant', text, calls}),
    turns: state.turns + 1,
    turn: {...noTurn, thought: text, calls, waiting: openCalls(calls, state.input.tools)},
    repetition: repetitionsOf(state.repetition, calls).at(-1) ?? state.repetition,
    spentMs: state.spentMs + ms,
  };
}

/** What a call's actor is started with. */
export interface CallStart {
  readonly id: string;
  readonly input: ToolCallInput;
}

/** Has `start` called for every call whose turn it is. */
export function startCalls(state: TurnState, start: (call: CallStart) => void): TurnState {
  const {turn} = state;
  const next = nextCalls(turn.waiting, turn.running);
  if (next.length === 0) return state;
  for (const open of next) start({id: callActor(state, open), input: toolCallInput(state, open)});
  const waiting = turn.waiting.filter((open) => !next.includes(open));
  return {...state, turn: {...turn, waiting, running: [...turn.running, ...next]}};
}

/** Low-risk calls of a turn overlap, so a turn takes as long as its longest call. */
export function recorded(state: TurnState, {callId, result, ms}: CallEnd): TurnState {
  const {turn} = state;
  return {
    ...state,
    turn: {
      ...turn,
      running: turn.running.filter(({call}) => call.id !== callId),
      settled: {...turn.settled, [callId]: result},
      ms: Math.max(turn.ms, ms),
    },
  };
}

/** A call whose actor crashed, which is a bug: the model reads that it failed. */
export function crashed(state: TurnState, actorId: string, failure: Failure): TurnState {
  const open = state.turn.running.find((each) => callActor(state, each) === actorId);
  if (!open) return {...state, failure};
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
    refusedTurns: isAllRefused(turn) ? state.refusedTurns + 1 : 0,
    spentMs: state.spentMs + turn.ms,
    turn: noTurn,
  };
}

export function mended(state: TurnState, outcome: ModelOutcome & Timed): Partial<TurnState> {
  const {code, message} = failureOf(outcome);
  return {
    repairs: {...state.repairs, mends: state.repairs.mends + 1},
    spentMs: state.spentMs + outcome.ms,
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {role: 'user', text: `Your last reply could not be used (${code}: ${message}). Reply again.`},
    ),
  };
}

export function shortened(
  {transcript, repairs, spentMs}: TurnState,
  {ms}: Timed,
): Partial<TurnState> {
  return {
    transcript: compact(transcript, repairs.compactions),
    repairs: {...repairs, compactions: repairs.compactions + 1},
    spentMs: spentMs + ms,
  };
}

export function mayMend({repairs}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && repairs.mends < maxMends;
}

export function mayCompact({repairs}: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && repairs.compactions < maxCompactions;
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
  const {turn, turns, refusedTurns, input, spentMs} = state;
  if (!isTurnOver(state)) return undefined;
  if (isAllRefused(turn) && refusedTurns >= input.maxRefusedTurns) return 'invalid_calls';
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

/** Running time left, ms; undefined when there is no limit. */
export function timeLeft({input, spentMs}: TurnState): number | undefined {
  return input.timeLimitMs === undefined ? undefined : Math.max(0, input.timeLimitMs - spentMs);
}

/** The id of the actor that makes a call. */
function callActor({turns}: TurnState, {index}: Pick<OpenCall, 'index'>): string {
  return `call:${turns}.${index}`;
}

export function outputOf(state: TurnState, kind: TurnLoopOutput['kind']): TurnLoopOutput {
  const {answer, stopped, failure, steps} = state;
  return {
    kind,
    answer,
    ...(stopped ? {stopped} : {}),
    ...(failure ? {failure} : {}),
    steps,
    evidence: evidenceOf(steps, state.input.tools),
  };
}

export function modelRequest({input, transcript}: TurnState): ModelRequest {
  const {purpose, model, system, offered, maxOutputTokens, isWithheld} = input;
  return {
    purpose,
    model,
    system,
    transcript,
    tools: offered,
    toolChoice: 'auto',
    maxOutputTokens,
    ...(isWithheld ? {isWithheld} : {}),
  };
}

function toolCallInput(state: TurnState, {call, risk}: OpenCall): ToolCallInput {
  const {input, steps} = state;
  const {offered, tools, panel, brief, retries, background, task} = input;
  const tool = offered.includes(call.name) ? tools.find(({name}) => name === call.name) : undefined;
  const done = risk === 'high' ? evidenceOf(steps, tools) : [];
  return {
    call: guarded(call, brief, steps, tools),
    tool,
    offered,
    panel,
    retries,
    brief: risk === 'high' ? {...brief, evidence: [...brief.evidence, ...done]} : brief,
    background,
    task,
    timeLeftMs: timeLeft(state),
  };
}
