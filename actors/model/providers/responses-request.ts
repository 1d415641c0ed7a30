/** Builds a request for OpenAI's Responses. The provider stores nothing: every call sends the whole conversation. */

import type {OpenAI} from 'openai';

import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {toTurns} from './turns.ts';
import type {CallTurn, Turn} from './turns.ts';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

/** The API rejects a smaller limit. */
const minOutputTokens = 16;

export function toResponsesRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): Body {
  const system = request.system.toWellFormed();
  const body: Body = {
    model,
    ...(system.trim() === '' ? {} : {instructions: system}),
    input: toTurns(request.transcript).flatMap(toItems),
    max_output_tokens: Math.max(request.maxOutputTokens, minOutputTokens),
    store: false,
    stream: true,
  };
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  return {...body, tools, tool_choice: request.toolChoice};
}

function toTool({name, description, schema}: OfferedTool): OpenAI.Responses.FunctionTool {
  return {type: 'function', name, description, parameters: {...schema}, strict: false};
}

function toItems(turn: Turn): Item[] {
  if (turn.role === 'user') return [{role: 'user', content: turn.text}];
  const text: Item[] = turn.text.trim() === '' ? [] : [{role: 'assistant', content: turn.text}];
  return [...text, ...turn.calls.map(toCall), ...turn.calls.map(toResult)];
}

function toCall({id, name, args}: CallTurn): Item {
  return {type: 'function_call', call_id: id, name, arguments: JSON.stringify(args)};
}

function toResult({id, result: {text, isError}}: CallTurn): Item {
  const output = isError ? `error: ${text}` : text;
  return {type: 'function_call_output', call_id: id, output};
}
