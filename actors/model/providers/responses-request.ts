/**
 * Builds a request for OpenAI's Responses. The provider stores nothing: every call sends the whole conversation, with the encrypted
 * reasoning of earlier replies.
 */

import type {OpenAI} from 'openai';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {layOut, toTurns} from './turns.ts';
import type {CallTurn, Turn} from './turns.ts';

/** Opaque items are sent as they came: their types are the provider's. */
type Item = OpenAI.Responses.ResponseInputItem | JsonObject;

export type ResponsesBody = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'input'> & {
  readonly input: readonly Item[];
};

/** The API rejects a smaller limit. */
const minOutputTokens = 16;

export function toResponsesRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): ResponsesBody {
  const system = request.system.toWellFormed();
  const body: ResponsesBody = {
    model,
    ...(system.trim() === '' ? {} : {instructions: system}),
    input: toTurns(request.transcript).flatMap(toItems),
    max_output_tokens: Math.max(request.maxOutputTokens, minOutputTokens),
    store: false,
    include: ['reasoning.encrypted_content'],
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
  const items = layOut<Item>(turn, {
    part: (part) => part,
    text: (content) => ({role: 'assistant', content}),
    call: toCall,
  });
  return [...items, ...turn.calls.map(toResult)];
}

function toCall({id, name, args}: CallTurn): Item {
  return {type: 'function_call', call_id: id, name, arguments: JSON.stringify(args)};
}

function toResult({id, result: {text, isError}}: CallTurn): Item {
  const output = isError ? `error: ${text}` : text;
  return {type: 'function_call_output', call_id: id, output};
}
