/**
 * Keeps a conversation within the context window of its model, without a model call: old results become one line each, then old
 * calls and whole turns are shortened. The first message, with the request and the plan, stays.
 */

import type {Json, JsonObject} from '../domain/json.ts';
import {failedChecks} from '../domain/result.ts';
import {cap, estimateTokens} from '../domain/text-limits.ts';
import {callSummary, callWords, codeOf} from '../domain/tool-facts.ts';
import type {LoopStep, ToolInfo} from '../domain/tool.ts';
import {capMessage, lineWithin} from '../prompts/section-text.ts';
import {
  billedText,
  type Message,
  type ToolCall,
  type Transcript,
  withoutOpaque,
} from '../prompts/transcript.ts';
import {isPendingMessage} from '../tree/messages.ts';

/** The latest turns, whose results stay as long as they leave room for a reply. */
const recentTurns = 6;
/** A conversation with more of the window is shortened, so far that it is not shortened again soon. */
const maxShare = 0.7;
const goalShare = 0.5;
/** Roughly the definition of a tool, in tokens. */
const toolTokens = 200;
const messageTokens = 4;
/** Lengths in UTF-16 units. */
const maxLine = 300;
const maxOldArgument = 200;
const lastResort = [8_000, 1_000, 200] as const;
const droppedNote = '\n\n[Earlier messages were dropped to keep the conversation short.]';

/** All numbers are tokens. */
export interface Frame {
  readonly window: number;
  /** The longest reply. */
  readonly reply: number;
  /** The parts of a request that are not messages. */
  readonly fixed: number;
  readonly tools: readonly ToolInfo[];
  /** The calls of the conversation, with the checks that they ran. */
  readonly steps: readonly LoopStep[];
}

type ToolMessage = Extract<Message, {readonly role: 'tool'}>;

/** `input`: of the loop that the text belongs to, which is measured once. */
export function fixedTokens(input: {readonly system: string}, toolCount: number): number {
  const system = sizes.get(input) ?? estimateTokens(input.system);
  sizes.set(input, system);
  return system + toolTokens * toolCount;
}

/** The estimated size of a request with the conversation. */
export function requestTokens({messages}: Transcript, {fixed}: Pick<Frame, 'fixed'>): number {
  return fixed + (sizes.get(messages) ?? sumOfTokens(messages));
}

function sumOfTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

/** Appends messages. The whole is not measured again. */
export function extended({messages}: Transcript, ...added: readonly Message[]): Transcript {
  const longer = messages.concat(added);
  sizes.set(longer, (sizes.get(messages) ?? sumOfTokens(messages)) + sumOfTokens(added));
  return {messages: longer};
}

/** The conversation itself if it fits. Its beginning changes as seldom as possible: providers cache it. */
export function fitted(transcript: Transcript, frame: Frame): Transcript {
  const {window, reply} = frame;
  const most = window * maxShare;
  const goal = window * goalShare;
  if (requestTokens(transcript, frame) <= most) return transcript;
  const draft = draftOf(transcript, frame);
  const old = draft.messages.keys().filter((index) => index > 0 && index < draft.recentFrom);
  const indexes = [...old];
  shorten(draft, indexes, goal, (message, index) => briefResult(draft, message, index));
  if (draft.tokens > most) shorten(draft, indexes, goal, briefCalls);
  if (draft.tokens > most) dropTurns(draft, goal, frame);
  const room = Math.max(most, window - reply);
  for (const max of lastResort) {
    if (draft.tokens <= room) break;
    const rest = draft.messages.keys().drop(1);
    shorten(draft, [...rest], room, (message) => cappedMessage(message, max));
  }
  return {messages: draft.messages};
}

interface Draft {
  readonly tools: readonly ToolInfo[];
  readonly kept: ReadonlySet<number>;
  messages: Message[];
  tokens: number;
  /** The index of the first message of the recent turns. */
  recentFrom: number;
}

function draftOf(transcript: Transcript, frame: Frame): Draft {
  const messages = [...transcript.messages];
  const turns = messages.keys().filter((index) => messages[index]?.role === 'assistant');
  const recentFrom = [...turns].at(-recentTurns) ?? 1;
  const tokens = requestTokens(transcript, frame);
  return {tools: frame.tools, kept: failedResults(messages, frame), messages, tokens, recentFrom};
}

/** In order, until the goal is met. */
function shorten(
  draft: Draft,
  indexes: readonly number[],
  goal: number,
  shorter: (message: Message, index: number) => Message,
): void {
  for (const index of indexes) {
    if (draft.tokens <= goal) return;
    const message = draft.messages[index];
    if (!message) continue;
    const now = shorter(message, index);
    const saved = tokensOf(message) - tokensOf(now);
    if (saved <= 0) continue;
    draft.messages[index] = now;
    draft.tokens -= saved;
  }
}

function briefResult({messages, tools, kept}: Draft, message: Message, at: number): Message {
  if (message.role !== 'tool') return message;
  const call = callOf(messages, at, message);
  const info = tools.find(({name}) => name === message.name);
  if (!call || kept.has(at)) return message;
  const text = `[${resultLine(message, call, info)}]`;
  return text.length < message.text.length ? {...message, text} : message;
}

function callOf(messages: readonly Message[], at: number, {callId}: ToolMessage) {
  for (let index = at; index > 0; index -= 1) {
    const message = messages[index];
    if (message?.role === 'assistant') return message.calls.find(({id}) => id === callId);
  }
  return undefined;
}

/** The indexes of the latest results of the checks whose last run failed. */
function failedResults(
  messages: readonly Message[],
  {steps, tools}: Pick<Frame, 'steps' | 'tools'>,
): ReadonlySet<number> {
  const indexes = failedChecks(steps).map(({command}) =>
    messages.findLastIndex((message, at) => {
      if (message.role !== 'tool' || !message.isError) return false;
      const info = tools.find(({name}) => name === message.name);
      const call = callOf(messages, at, message);
      return info && call && codeOf(info, call.args, 'shell') === command;
    }),
  );
  return new Set(indexes);
}

/** `read src/a.js, lines 1 to 200`, `ran npm test: exit code 1`, `searched the files for X: 3 matches in 2 files`. */
function resultLine(message: ToolMessage, call: ToolCall, info?: ToolInfo): string {
  const done = lineWithin(doneWords(call, info), maxLine);
  const isCommand = info !== undefined && codeOf(info, call.args, 'shell') !== undefined;
  if (isCommand || message.isError) return `${done}: ${endOfCommand(message)}`;
  const lines = message.text.split('\n');
  const numbers = lines.flatMap((line) => /^(\d+)\t/.exec(line)?.[1] ?? []);
  return info?.reads && numbers.length > 0
    ? `${done}, lines ${numbers[0]} to ${numbers.at(-1)}`
    : `${done}: ${lastLine(lines) ?? `${message.text.length} characters`}`;
}

function endOfCommand({text, isError}: ToolMessage): string {
  if (!isError) return 'exit code 0';
  const [first = ''] = text.split('\n');
  const code = /exited with code (\d+)/.exec(first)?.[1];
  return code === undefined ? lineWithin(first, maxLine) : `exit code ${code}`;
}

function doneWords({name, args}: ToolCall, info?: ToolInfo): string {
  const command = info && codeOf(info, args, 'shell');
  if (command !== undefined) return `ran ${command}`;
  return pastWords(callWords(args, info) ?? callSummary(name, args, info));
}

/** The totals of a search, without notes in brackets. Undefined if it is too long. */
function lastLine(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line !== '' && !line.startsWith('['));
  return last !== undefined && last.length <= maxLine ? last : undefined;
}

const irregular: Readonly<Record<string, string>> = {reads: 'read', runs: 'ran'};

/** Sentences of tools are in the present tense: `searches the files for X`. */
function pastWords(words: string): string {
  return words.replace(/^([a-z]+?)(e?s)\b/, (verb, stem: string) => irregular[verb] ?? `${stem}ed`);
}

/** Shorter arguments and words of an old turn. */
function briefCalls(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const text = cap(message.text, maxOldArgument);
  const calls = message.calls.map((call) => ({...call, args: briefArguments(call.args)}));
  const isSame = text === message.text && JSON.stringify(calls) === JSON.stringify(message.calls);
  return isSame ? message : withoutOpaque({...message, text, calls});
}

function briefArguments(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, brief(value)]));
}

function brief(value: Json): Json {
  if (typeof value === 'string') return cap(value, maxOldArgument);
  if (Array.isArray(value)) return value.map(brief);
  return typeof value === 'object' && value !== null ? briefArguments(value as JsonObject) : value;
}

function dropTurns(draft: Draft, goal: number, frame: Frame): void {
  let [tokens, from] = [draft.tokens, 1];
  for (let index = 1; index < draft.recentFrom; index += 1) {
    const message = draft.messages[index];
    if (message?.role === 'assistant') from = index;
    if (message?.role === 'assistant' && tokens <= goal) break;
    if (message && !isPendingMessage(message)) tokens -= tokensOf(message);
    if (index === draft.recentFrom - 1) from = draft.recentFrom;
  }
  const {messages} = bound(draft, 1 + draft.messages.length - from);
  draft.messages = [...messages];
  draft.tokens = requestTokens(draft, frame);
}

function cappedMessage(message: Message, max: number): Message {
  const {role, text} = message;
  if (role === 'user' && !isPendingMessage(message)) return message;
  const shorter = role === 'user' ? capMessage(text, Math.max(max, 1_000)) : cap(text, max);
  return shorter === text ? message : {...withoutOpaque(message), text: shorter};
}

/**
 * Keeps the first message, the latest turn and as many whole turns before it as fit, with a note that others were dropped.
 * Messages that were inserted between the dropped turns are kept with the first message.
 */
export function bound(transcript: Transcript, maxMessages: number): Transcript {
  const {messages} = transcript;
  const [first] = messages;
  if (!first || messages.length <= maxMessages) return transcript;
  const earliest = messages.length - (maxMessages - 1);
  const fitting = messages.findIndex(({role}, index) => index >= earliest && role === 'assistant');
  const from = fitting === -1 ? messages.findLastIndex(({role}) => role === 'assistant') : fitting;
  if (from <= 1) return transcript;
  const kept = messages.slice(from);
  const pending = messages.slice(1, from).filter(isPendingMessage);
  const base = first.text.endsWith(droppedNote)
    ? first.text.slice(0, -droppedNote.length)
    : first.text;
  const text = [base, ...pending.map((each) => each.text)].join('\n\n') + droppedNote;
  return {messages: [{...first, text}, ...kept]};
}

/** Each message and each conversation is measured once: a turn takes as long after 1,000 turns as after one. */
const sizes = new WeakMap<object, number>();

function tokensOf(message: Message): number {
  const tokens = sizes.get(message) ?? estimateTokens(billedText(message)) + messageTokens;
  sizes.set(message, tokens);
  return tokens;
}
