/** The last step of every adapter: turns a finished stream into an outcome. */

import {isJsonArray, isJsonObject, type Json} from '../../../machines/domain/json.ts';
import {
  type ModelFailureCode,
  type ModelOutcome,
  type ModelRequest,
  textCall,
  type Usage,
} from '../../../machines/domain/model.ts';
import {capBytes, estimateTokens} from '../../../machines/domain/text-limits.ts';
import {billedText, type Opaque, type ToolCall} from '../../../machines/prompts/transcript.ts';
import type {OfferedTool, Price} from '../model.ts';
import {failure, type FaultContext} from './faults.ts';
import type {Exchange} from './fetch.ts';
import {readStrictJson} from './strict-json.ts';

/** The reason why the model stopped. `unknown` has the provider's own stop reason. */
export type Stop =
  | 'answered'
  | 'calls'
  | 'truncated'
  | 'refused'
  | 'contextOverflow'
  /** The provider continues when its content is sent back. */
  | 'paused'
  | {readonly unknown: string};

/** Maps the stop reason of a provider by its table. Returns undefined if there is none. */
export function readStop(
  word: string | null | undefined,
  table: Readonly<Record<string, Stop>>,
): Stop | undefined {
  if (!word) return undefined;
  return Object.hasOwn(table, word) ? table[word] : {unknown: word};
}

export interface CallDraft {
  id: string;
  name: string;
  /** The JSON text received so far. */
  args: string;
}

export interface StreamedReply {
  readonly text: string;
  readonly drafts: readonly CallDraft[];
  /** Undefined: the stream broke off before a stop reason. */
  readonly stop: Stop | undefined;
  readonly counts: TokenCounts | undefined;
  /** State of the provider beside the text and the calls. */
  readonly opaque?: Json | undefined;
}

export interface ReplyContext extends FaultContext {
  /** The names of the tools that the model may call. */
  readonly tools: ReadonlySet<string>;
}

/** The limit of the text of a model, which is passed to other models. Truncated text is marked as such. */
const maxTextBytes = 256 * 1024;
/** The limit of the name of a tool; no offered tool has a longer name. */
const maxNameLength = 256;
/** Some servers put data into ids, which are sent back to them unchanged. */
const maxIdLength = 16_384;
/** The limit of the opaque state of a reply, in UTF-16 units of its JSON. A longer one is dropped: a cut one would be invalid. */
const maxOpaqueLength = 512 * 1024;

/** Returns the outcome without its usage. `isWhole`: the stream ended by itself. */
export function toOutcome(
  reply: StreamedReply,
  isWhole: boolean,
  context: ReplyContext,
): ModelOutcome {
  const problem = isWhole ? findProblem(reply) : brokenOff;
  if (problem !== undefined) return failure('protocol', problem, context);
  const stopped = typeof reply.stop === 'string' ? stoppedShort[reply.stop] : undefined;
  if (stopped) return failure(stopped.kind, stopped.message, context);
  if (reply.drafts.length === 0 && writesCall(reply.text, context.tools))
    return {...failure('protocol', textCallMessage, context), code: textCall};
  const text = capBytes(reply.text.toWellFormed(), maxTextBytes);
  const opaque = text.length === reply.text.length && toOpaque(reply.opaque, context.name);
  return {
    kind: 'ok',
    text,
    calls: reply.drafts.map(toToolCall),
    ...(opaque ? {opaque} : {}),
  };
}

function toOpaque(parts: Json | undefined, model: string): Opaque | undefined {
  if (parts === undefined) return undefined;
  const text = tryText(parts);
  if (text === undefined || text.length > maxOpaqueLength) return undefined;
  const read = readStrictJson(text);
  return read.ok ? {model, parts: read.value} : undefined;
}

/** Undefined for a value that is nested too deep for the stack. */
function tryText(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

interface Stopped {
  readonly kind: ModelFailureCode;
  readonly message: string;
}

const stoppedShort: Readonly<Partial<Record<Stop & string, Stopped>>> = {
  truncated: {kind: 'truncated', message: 'the reply was cut off at its limit'},
  refused: {kind: 'refused', message: 'the model refused to answer'},
  contextOverflow: {kind: 'contextOverflow', message: 'the context window is full'},
};

const brokenOff = 'the reply broke off before its end';

function findProblem({text, drafts, stop}: StreamedReply): string | undefined {
  if (stop === undefined) return brokenOff;
  if (typeof stop === 'object')
    return `the reply ended for an unknown reason: ${show(stop.unknown)}`;
  if (stop === 'answered') return findAnswerProblem(text, drafts);
  if (stop === 'paused') return 'the reply was paused too often';
  return stop === 'calls' ? findCallProblem(drafts) : undefined;
}

function findAnswerProblem(text: string, drafts: readonly CallDraft[]): string | undefined {
  if (drafts.length > 0)
    return 'the reply contains tool calls, but its stop reason is not tool calls';
  return text.trim() === '' ? 'the reply is empty' : undefined;
}

function findCallProblem(drafts: readonly CallDraft[]): string | undefined {
  if (drafts.length === 0)
    return 'the stop reason of the reply is tool calls, but it contains none';
  const ids = new Set<string>();
  for (const {id} of drafts) {
    if (id === '') return 'a tool call has no id';
    if (id.length > maxIdLength) return `a tool call has an id of ${id.length} characters`;
    if (ids.has(id)) return `two tool calls have the same id ${show(id)}`;
    ids.add(id);
  }
  return undefined;
}

function show(text: string): string {
  return JSON.stringify(text.toWellFormed().slice(0, 80));
}

/** True if the arguments are a JSON object. */
export function isComplete({args}: CallDraft): boolean {
  const read = readStrictJson(args);
  return read.ok && isJsonObject(read.value);
}

/** Missing arguments count as `{}`; any others must be a valid JSON object. */
function toToolCall(draft: CallDraft): ToolCall {
  const call = {id: draft.id.toWellFormed(), name: nameOf(draft)};
  const read = readStrictJson(draft.args.trim() === '' ? '{}' : draft.args);
  if (!read.ok) return {...call, args: {}, problem: `the arguments are not valid: ${read.problem}`};
  if (isJsonObject(read.value)) return {...call, args: read.value};
  return {...call, args: {}, problem: 'the arguments are not valid: not a JSON object'};
}

function nameOf({name}: CallDraft): string {
  const shown = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
  return shown.toWellFormed();
}

/**
 * Of a tool call that a model wrote as text, because its server does not read it: it is neither made nor taken as an answer. For a
 * person, with the settings of the usual servers.
 */
export const textCallMessage = [
  'the model wrote a tool call as text, which is not made; let its server read tool calls',
  '(llama.cpp: --jinja; vLLM: --enable-auto-tool-choice and --tool-call-parser; Ollama: a model with tools)',
  'or choose another model',
].join(' ');

/** Prose before a call; with more, the text is an answer that quotes one. */
const maxProse = 400;

/** The places of the name in calls of the usual shapes. */
const marked: readonly RegExp[] = [
  // Hermes and Qwen: JSON in a tag, also of several calls.
  /<tool_calls?>\s*\[?\s*\{[^{}]*?"name"\s*:\s*"([^"]+)"/g,
  // Qwen Coder and Llama: the name in the tag.
  /<function=\s*"?([\w.-]+)/g,
  // GLM: the name after the tag.
  /<tool_call>\s*([\w.-]+)\s*(?:<arg_key>|\n|<\/tool_call>)/g,
  // Mistral: a list of JSON objects, or the name before its arguments.
  /\[TOOL_CALLS\]\s*\[?\s*\{[^{}]*?"name"\s*:\s*"([^"]+)"/g,
  /\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[ARGS\])?\s*\{/g,
];

/** True if the text is a call of one of these tools, after a few words at most. */
export function writesCall(text: string, tools: ReadonlySet<string>): boolean {
  const trimmed = text.trim();
  if (tools.size === 0 || !/[>\]}`]$/.test(trimmed)) return false;
  const isMarked = marked.some((pattern) =>
    trimmed.matchAll(pattern).some(({index, 1: name = ''}) => index <= maxProse && tools.has(name)),
  );
  return isMarked || isJsonCall(trimmed, tools);
}

/** A JSON object with a name and arguments: the whole text, or in a fence that ends it. */
function isJsonCall(text: string, tools: ReadonlySet<string>): boolean {
  const fenced = /```(?:json|tool_call|tool_code)?\s*\n([^`]*)```$/.exec(text);
  if (fenced && fenced.index > maxProse) return false;
  const read = readStrictJson((fenced?.[1] ?? text).trim());
  if (!read.ok) return false;
  return (isJsonArray(read.value) ? read.value : [read.value]).some((call) => isCall(call, tools));
}

function isCall(call: Json, tools: ReadonlySet<string>): boolean {
  if (!isJsonObject(call)) return false;
  const {name, arguments: args = call['parameters']} = call;
  return typeof name === 'string' && tools.has(name) && args !== undefined;
}

// The usage and the cost of a call with any outcome: from the provider's counts, otherwise an estimate that is marked as one.

export interface TokenCounts {
  /** The whole input, cached or not. */
  readonly input: number;
  readonly cached: number;
  /** Tokens written to the prompt cache, which cost more than plain input. */
  readonly written?: number;
  readonly output: number;
  /** Of the call, as the provider bills it. */
  readonly costUsd?: number | undefined;
}

/** Anthropic's rate for the five-minute cache, the only one that requests use. */
const cacheWriteFactor = 1.25;

/** More than the context of any model: such a number is an error of the provider. */
const absurdTokens = 100_000_000;

/**
 * Returns undefined for implausible counts; the caller then books the worst case. A cost that the provider reports wins over the
 * price; a cost of zero only without a price, because a server that knows no cost may report that, too.
 */
export function toUsage(counts: TokenCounts | undefined, price?: Price): Usage | undefined {
  if (!counts) return undefined;
  const {input, cached, written = 0, output, costUsd = -1} = counts;
  const areSane = [input, cached, written, output].every(
    (count) => Number.isInteger(count) && count >= 0 && count <= absurdTokens,
  );
  if (!areSane || cached + written > input) return undefined;
  const usage = {inputTokens: input, outputTokens: output, cachedTokens: cached};
  if (costUsd > 0 || (costUsd === 0 && !price)) return {...usage, costUsd};
  if (!price) return usage;
  const inputUsd =
    (input - cached - written + written * cacheWriteFactor) * price.input +
    cached * price.cachedInput;
  return {...usage, costUsd: (inputUsd + output * price.output) / 1_000_000};
}

/** The progress of a call. */
export interface Course extends Exchange {
  /** The number of events that advanced the reply; most servers send one token per event. */
  pieces: number;
}

export interface Sent {
  readonly request: ModelRequest;
  readonly tools: readonly OfferedTool[];
  readonly price: Price | undefined;
}

/**
 * `reply` is undefined if no reply began. Returns undefined for a complete reply without counts or with implausible counts;
 * the caller then books the worst case.
 */
export function usageOf(
  {kind}: ModelOutcome,
  {isSent, pieces}: Course,
  reply: StreamedReply | undefined,
  {price, ...asked}: Sent,
): Usage | undefined {
  const isRefused = !reply && kind !== 'network' && kind !== 'cancelled';
  if (!isSent || isRefused) return toUsage({input: 0, cached: 0, output: 0}, price);
  if (reply?.stop !== undefined)
    return isUnaccounted(reply) ? undefined : toUsage(reply.counts, price);
  const usage = toUsage(estimate(reply ?? nothing, pieces, asked), price);
  return usage && {...usage, estimated: true};
}

/** No reply with text or calls is made of no tokens, nor for a request of none. */
function isUnaccounted({text, drafts, counts}: StreamedReply): boolean {
  const isEmpty = text === '' && drafts.length === 0;
  return !isEmpty && (counts?.input === 0 || counts?.output === 0);
}

const nothing = {text: '', drafts: [], counts: undefined};

function estimate(
  {text, drafts, counts}: Pick<StreamedReply, 'text' | 'drafts' | 'counts'>,
  pieces: number,
  {request, tools}: Omit<Sent, 'price'>,
): TokenCounts {
  const {inputTokens, cachedTokens = 0, outputTokens = 0} = toUsage(counts) ?? {};
  const came = estimateTokens(text + drafts.map(({name, args}) => name + args).join(''));
  return {
    input: inputTokens ?? estimateInput(request, tools),
    cached: cachedTokens,
    output: Math.max(outputTokens, pieces, came),
  };
}

function estimateInput({system, transcript}: ModelRequest, tools: readonly OfferedTool[]): number {
  const texts = [
    system,
    ...transcript.messages.map(billedText),
    ...tools.map((tool) => JSON.stringify(tool)),
  ];
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
