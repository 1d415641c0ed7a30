/** The calls of a turn: their order, their results, and the detection of repetitions. */

import {type Evidence, evidenceOf} from '../domain/evidence.ts';
import type {Failure, Outage} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import type {ModelOutcome, ModelPurpose, ModelReply} from '../domain/model.ts';
import {usualWindow} from '../domain/settings.ts';
import {
  type LoopStep,
  type RiskLevel,
  riskOf,
  type ToolInfo,
  toolNamed,
  type ToolResult,
} from '../domain/tool.ts';
import type {Section} from '../prompts/sections.ts';
import {
  type Message,
  openTranscript,
  replyMessage,
  type ToolCall,
  type Transcript,
} from '../prompts/transcript.ts';
import {type PendingMessages, personTexts, withPendingMessages} from '../tree/messages.ts';
import {type ActionBrief, type CallReview, type PanelRules, voidCode} from './action.ts';
import type {RetryRule} from './call-state.ts';
import {bound, extended, fitted, fixedTokens, type Frame} from './context-window.ts';

/** Repairs of the loop so far. */
interface Repairs {
  readonly mends: number;
  readonly compactions: number;
  /** The context window that the model turned out to have at most, in tokens. */
  readonly window?: number;
}

/** Messages that the loop received in addition to the results of its calls. */
export interface ReceivedMessages {
  /** The number of messages of its interaction that it has read. */
  readonly readCount: number;
  /** Messages of persons. */
  readonly words: readonly string[];
  /** True if results of other interactions are among them. */
  readonly hasRetoldText: boolean;
}

/** Few members, because every step copies them: with more than 16 members a copy is about 20 times slower (V8). */
export interface TurnState {
  readonly input: TurnLoopInput;
  readonly transcript: Transcript;
  readonly received: ReceivedMessages;
  readonly turns: number;
  readonly turn: Turn;
  /** Names of the tools that were brought in, the earliest first. */
  readonly found: readonly string[];
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

/** Durations of a model call: its attempts, and the pauses between them. */
export interface CallTime {
  readonly ms: number;
  readonly pausedMs: number;
}

/** The number of last turns in which the model reads how many are left. */
const countedTurns = 10;

/** The number of found tools that a loop keeps; the earliest leave. */
const maxFound = 16;

/** Codes of calls whose arguments were invalid: the model needs the definition of the tool. */
const badArguments: ReadonlySet<string> = new Set(['schema', 'bad_args']);

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
interface Turn {
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

const noTurn: Turn = {
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

function openCalls(calls: readonly ToolCall[], tools: readonly ToolInfo[]): OpenCall[] {
  return calls.map((call, index) => {
    const tool = toolNamed(call.name, tools);
    const risk = tool ? riskOf(tool, call.args) : 'low';
    return {index, call, risk, isAlone: risk === 'high' && tool?.spawns === undefined};
  });
}

/** The turn's results as messages for the model, in the order of its calls. */
function resultMessages(
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

interface Repetition {
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

// The input and the output of a turn loop.

export interface TurnLoopInput {
  readonly purpose: ModelPurpose;
  readonly model: string;
  readonly system: string;
  readonly message: string;
  /** Names of the tools offered; others do not exist here. */
  readonly offered: readonly string[];
  /** Names of tools that are brought in from the first turn on. Absent: none. */
  readonly found?: readonly string[];
  readonly tools: readonly ToolInfo[];
  /** The panel that votes on high-risk calls. */
  readonly panel: PanelRules;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  /** The model reads how many turns are left when few are, and reports at the limit, in one more call. Absent: neither. */
  readonly reportsAtLimit?: true;
  /** Maximum number of turns in a row in which all calls are refused: one more ends the loop. */
  readonly maxRefusedTurns: number;
  /** A longer conversation is compacted. */
  readonly maxMessages?: number;
  /** Maximum size of one message to the interaction, and of the result of a spawned interaction, in bytes. */
  readonly maxMessageBytes: number;
  readonly retries: RetryRule;
  /** Replies are not streamed: nobody sees them before the answer is checked. */
  readonly isWithheld: boolean;
  /** True: a call that failed permanently ends the loop. False: it is an observation like any other. */
  readonly isDegradable: boolean;
  readonly brief: ActionBrief;
  /** Additional sections for reviewers of an action. */
  readonly background: readonly Section[];
  readonly task?: string;
  readonly timeLimitMs?: number;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'degraded' | 'failed';
  /** Of a loop that stopped at its limit of turns: the report. */
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly steps: readonly LoopStep[];
  readonly evidence: readonly Evidence[];
}

export function opened(input: TurnLoopInput): TurnState {
  return {
    input,
    transcript: openTranscript(input.message),
    received: {readCount: 0, words: [], hasRetoldText: false},
    turns: 0,
    turn: noTurn,
    found: input.found ?? [],
    repairs: {mends: 0, compactions: 0},
    refusedTurns: 0,
    repetition: {signature: '', count: 0},
    steps: [],
    spentMs: 0,
    answer: '',
  };
}

/** Running time spent at the end of a model call, ms. */
export function timeSpent({spentMs}: TurnState, {ms, pausedMs}: CallTime): number {
  return spentMs + ms + pausedMs;
}

/** Adds the messages that the interaction received meanwhile to the next turn. */
export function withReceivedMessages(
  state: TurnState,
  {items, readCount}: PendingMessages,
): Partial<TurnState> {
  const {transcript, received, input} = state;
  if (items.length === 0) return {};
  return {
    transcript: fitted(
      withPendingMessages(transcript, items, input.maxMessageBytes),
      frameOf(state),
    ),
    received: {
      readCount,
      words: [...received.words, ...personTexts(items)],
      hasRetoldText: received.hasRetoldText || items.some(({from}) => from === 'interaction'),
    },
  };
}

export function turnOpened(state: TurnState, reply: ModelReply & CallTime): TurnState {
  const {text, calls} = reply;
  return {
    ...state,
    transcript: extended(state.transcript, replyMessage(reply)),
    turns: state.turns + 1,
    turn: {...noTurn, thought: text, calls, waiting: openCalls(calls, state.input.tools)},
    repairs: {...state.repairs, mends: 0},
    repetition: repetitionsOf(state.repetition, calls).at(-1) ?? state.repetition,
    spentMs: timeSpent(state, reply),
  };
}

/** A call of the turn has ended, and others are left. */
export function callEnded(state: TurnState, end: CallEnd): TurnState {
  return {...state, turn: withEnd(state.turn, end)};
}

/** The last call of the turn has ended. */
export function turnClosed(state: TurnState, end: CallEnd): Partial<TurnState> {
  const {input} = state;
  const turn = withEnd(state.turn, end);
  const results = resultMessages(turn.calls, turn.settled);
  const transcript = extended(state.transcript, ...withTurnsLeft(results, state));
  return {
    transcript: fitted(bound(transcript, input.maxMessages ?? Infinity), frameOf(state)),
    steps: state.steps.concat(stepsOf(turn)),
    refusedTurns: isAllRefused(turn) ? state.refusedTurns + 1 : 0,
    spentMs: state.spentMs + turn.ms,
    turn: noTurn,
    found: foundAfter(state.found, turn, input.offered),
  };
}

/** Where few turns are left, the last result says how many: what precedes it stays the same, so that it stays cached. */
function withTurnsLeft(
  results: readonly Message[],
  {turns, input}: Pick<TurnState, 'turns' | 'input'>,
): readonly Message[] {
  const left = input.maxTurns - turns;
  const last = results.at(-1);
  if (!last || input.reportsAtLimit !== true || left < 1 || left > countedTurns) return results;
  const line = left === 1 ? '[1 turn is left.]' : `[${left} turns are left.]`;
  return [...results.slice(0, -1), {...last, text: `${last.text}\n\n${line}`}];
}

/** The room of a conversation. Runs of earlier versions know no window: it is as large as the model says. */
export function frameOf({input, found, repairs, steps}: TurnState): Frame {
  const {model, offered, tools, maxOutputTokens, panel} = input;
  const known = panel.windows ? (panel.windows[model] ?? usualWindow) : Infinity;
  return {
    window: Math.min(known, repairs.window ?? Infinity),
    reply: maxOutputTokens,
    fixed: fixedTokens(input, offered.length + found.length),
    tools,
    steps,
  };
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

/** The found tools after a turn. Added ones are appended, so that the tools before them stay in place: providers cache the beginning of a request. */
export function foundAfter(
  found: readonly string[],
  {calls, settled}: Pick<Turn, 'calls' | 'settled'>,
  offered: readonly string[],
): readonly string[] {
  const wanted = new Set(calls.flatMap(({id}) => broughtIn(ownMember(settled, id))));
  const added = [...wanted].filter((name) => offered.includes(name) && !found.includes(name));
  return added.length === 0 ? found : [...found, ...added].slice(-maxFound);
}

function broughtIn(result: ToolResult | undefined): readonly string[] {
  if (!result) return [];
  const isMisused = result.status === 'refused' && badArguments.has(result.failure?.code ?? '');
  return isMisused ? [result.tool] : (result.found ?? []);
}
