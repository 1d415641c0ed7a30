/** Builds a request for Chat Completions. The constant part comes first, because OpenAI caches prefixes automatically. */

import type {OpenAI} from 'openai';

import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {toTurns} from './turns.ts';
import type {CallTurn, Turn} from './turns.ts';

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Param = OpenAI.Chat.ChatCompletionMessageParam;

export function toOpenAiRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
  asksUsage = true,
): Body {
  const system = request.system.toWellFormed();
  const body: Body = {
    model,
    messages: [
      ...(system.trim() === '' ? [] : [{role: 'system' as const, content: system}]),
      ...toTurns(request.transcript).flatMap(toMessages),
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

function toMessages(turn: Turn): Param[] {
  if (turn.role === 'user') return [{role: 'user', content: turn.text}];
  if (turn.calls.length === 0) return [{role: 'assistant', content: turn.text}];
  const content = turn.text.trim() === '' ? null : turn.text;
  return [
    {role: 'assistant', content, tool_calls: turn.calls.map(toToolCall)},
    ...turn.calls.map(toResult),
  ];
}

function toToolCall({id, name, args}: CallTurn): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return {id, type: 'function', function: {name, arguments: JSON.stringify(args)}};
}

function toResult({id, result: {text, isError}}: CallTurn): Param {
  return {role: 'tool', tool_call_id: id, content: isError ? `error: ${text}` : text};
}
