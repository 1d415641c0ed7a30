/** Builds a request for Chat Completions. The constant part comes first, because OpenAI caches prefixes automatically. */

import type {OpenAI} from 'openai';

import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import type {Demand} from '../wire/demands.ts';
import {toTurns} from './turns.ts';
import type {CallTurn, ReplyTurn, Turn} from './turns.ts';

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Param = OpenAI.Chat.ChatCompletionMessageParam;

/** The opaque state of a reply: members of its message, and of its calls in their order. */
export type ChatState = {
  readonly message?: JsonObject;
  readonly calls?: readonly (JsonObject | null)[];
};

/** Differences between compatible servers. */
interface Dialect {
  /** False: the server rejects a request for its usage. */
  readonly asksUsage?: boolean | undefined;
  readonly demands?: ReadonlySet<Demand>;
}

export function toOpenAiRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
  {asksUsage = true, demands = new Set()}: Dialect = {},
): Body {
  const system = request.system.toWellFormed();
  const body: Body = {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{role: 'system' as const, content: system}]),
      ...toTurns(request.transcript).flatMap((turn) => toMessages(turn, demands)),
    ],
    // OpenAI has a newer name for it, but is called through Responses; most other servers accept only this one.
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(asksUsage ? {stream_options: {include_usage: true}} : {}),
  };
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  return {...body, tools, tool_choice: request.toolChoice};
}

function toTool({name, description, schema}: OfferedTool): OpenAI.Chat.ChatCompletionTool {
  return {type: 'function', function: {name, description, parameters: {...schema}}};
}

function toMessages(turn: Turn, demands: ReadonlySet<Demand>): Param[] {
  if (turn.role === 'user') return [{role: 'user', content: turn.text}];
  const state = stateOf(turn, demands);
  const own = {...state.message, role: 'assistant'} as const;
  if (turn.calls.length === 0) return [{...own, content: turn.text}];
  const content = turn.text.trim() === '' ? null : turn.text;
  const calls = turn.calls.map((call, index) => ({...state.calls?.[index], ...toToolCall(call)}));
  return [{...own, content, tool_calls: calls}, ...turn.calls.map(toResult)];
}

/** With substitutes for what the provider demands of replies that it did not make, or whose state was dropped. */
function stateOf({opaque, calls}: ReplyTurn, demands: ReadonlySet<Demand>): ChatState {
  const {message = {}, calls: [first, ...rest] = []} = toState(opaque);
  const {reasoning_content: reasoning} = message;
  const isReasoned = typeof reasoning === 'string' && reasoning.trim() !== '';
  const needsSignature = demands.has('signed') && calls.length > 0 && !isSigned(first);
  return {
    // DeepSeek rejects a message without reasoning, and an empty one.
    message:
      demands.has('reasoned') && !isReasoned ? {...message, reasoning_content: ' '} : message,
    calls: [needsSignature ? {...first, ...unsigned} : (first ?? null), ...rest],
  };
}

function toState(value: Json | undefined): ChatState {
  if (!isJsonObject(value)) return {};
  const {message, calls} = value;
  return {
    ...(isJsonObject(message) ? {message} : {}),
    ...(isJsonArray(calls) ? {calls: calls.map((call) => (isJsonObject(call) ? call : null))} : {}),
  };
}

/** Google documents it for calls that its model did not make. */
const unsigned = {
  extra_content: {google: {thought_signature: 'skip_thought_signature_validator'}},
};

function isSigned(call: JsonObject | null | undefined): boolean {
  const google = isJsonObject(call?.['extra_content']) && call['extra_content']['google'];
  return isJsonObject(google) && typeof google['thought_signature'] === 'string';
}

function toToolCall({id, name, args}: CallTurn): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return {id, type: 'function', function: {name, arguments: JSON.stringify(args)}};
}

function toResult({id, result: {text, isError}}: CallTurn): Param {
  return {role: 'tool', tool_call_id: id, content: isError ? `error: ${text}` : text};
}
