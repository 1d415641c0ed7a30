/** The state of a turn loop as data, and its steps. */

import {evidenceOf} from '../domain/evidence.ts';
import type {Failure, Outage} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import type {ModelReply} from '../domain/model.ts';
import {usualWindow} from '../domain/settings.ts';
import type {LoopStep, ToolResult} from '../domain/tool.ts';
import {
  appendMessages,
  type Message,
  openTranscript,
  replyMessage,
  type Transcript,
} from '../prompts/transcript.ts';
import {type PendingMessages, personTexts, withPendingMessages} from '../tree/messages.ts';
import {bound, fitted, fixedTokens, type Frame} from './context-window.ts';
import type {TurnLoopInput, TurnLoopOutput} from './loop-input.ts';
import {
  type CallEnd,
  isAllRefused,
  noTurn,
  openCalls,
  type Repetition,
  repetitionsOf,
  resultMessages,
  stepsOf,
  type StopReason,
  type Turn,
  withEnd,
} from './turn.ts';

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

/** Durations of a model call: its attempts, and the pauses between them. */
export interface CallTime {
  readonly ms: number;
  readonly pausedMs: number;
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
    transcript: appendMessages(state.transcript, replyMessage(reply)),
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
  const transcript = appendMessages(state.transcript, ...withTurnsLeft(results, state));
  return {
    transcript: fitted(bound(transcript, input.maxMessages ?? Infinity), frameOf(state)),
    steps: state.steps.concat(stepsOf(turn)),
    refusedTurns: isAllRefused(turn) ? state.refusedTurns + 1 : 0,
    spentMs: state.spentMs + turn.ms,
    turn: noTurn,
    found: foundAfter(state.found, turn, input.offered),
  };
}

/** The number of last turns in which the model reads how many are left. */
const countedTurns = 10;

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
  const {model, system, offered, tools, maxOutputTokens, panel} = input;
  const known = panel.windows ? (panel.windows[model] ?? usualWindow) : Infinity;
  return {
    window: Math.min(known, repairs.window ?? Infinity),
    reply: maxOutputTokens,
    fixed: fixedTokens(system, offered.length + found.length),
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

/** The number of found tools that a loop keeps; the earliest leave. */
const maxFound = 16;

/** Codes of calls whose arguments were invalid: the model needs the definition of the tool. */
const badArguments: ReadonlySet<string> = new Set(['schema', 'bad_args']);

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
