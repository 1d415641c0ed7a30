/**
 * Builds a request for Anthropic Messages, ordered for prompt caching: tools, system, messages. One cache marker ends the
 * constant part, another the stable beginning of a message, or the conversation.
 */

import type {Anthropic} from '@anthropic-ai/sdk';

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {layOut, toTurns} from './turns.ts';
import type {CallTurn, Turn} from './turns.ts';

export type MessagesBody = Omit<Anthropic.MessageCreateParamsStreaming, 'messages'> & {
  readonly messages: readonly Param[];
};
type OwnBlock =
  | Anthropic.TextBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam;
/** Opaque blocks are sent as they came: their types are the provider's. */
type Block = OwnBlock | JsonObject;
interface Param {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

const cached = {cache_control: {type: 'ephemeral'}} as const;

export function toAnthropicRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): MessagesBody {
  const system = request.system.toWellFormed();
  const hasSystem = system.trim() !== '';
  const body: MessagesBody = {
    model,
    max_tokens: request.maxOutputTokens,
    messages: markLast(mergeTurns(toTurns(request.transcript))),
    stream: true,
  };
  if (hasSystem) body.system = [{type: 'text', text: system, ...cached}];
  if (offered.length === 0) return body;
  const tools = offered.map(toTool);
  const last = tools.at(-1);
  if (last && !hasSystem) Object.assign(last, cached);
  const {toolChoice} = request;
  return {...body, tools, tool_choice: {type: toolChoice === 'required' ? 'any' : toolChoice}};
}

function toTool({name, description, schema}: OfferedTool): Anthropic.Tool {
  return {name, description, input_schema: {...schema, type: 'object'}};
}

/** Consecutive turns of one role become one message, so the results of all calls come first in the user message. */
function mergeTurns(turns: readonly Turn[]): Param[] {
  const messages: Param[] = [];
  const add = (role: Param['role'], blocks: readonly Block[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) messages.push({role, content: [...blocks]});
  };
  for (const turn of turns) {
    if (turn.role === 'user') {
      add('user', toTexts(turn.text, turn.stable));
    } else {
      add('assistant', layOut<Block>(turn, {part: (part) => part, text: toText, call: toToolUse}));
      add('user', turn.calls.map(toToolResult));
    }
  }
  return messages;
}

/** A stable beginning is a block of its own, and cached. */
function toTexts(text: string, stable = 0): OwnBlock[] {
  const rest = text.slice(stable);
  if (stable === 0 || rest.trim() === '') return [toText(text)];
  return [{...toText(text.slice(0, stable)), ...cached}, toText(rest)];
}

function toText(text: string): Anthropic.TextBlockParam {
  return {type: 'text', text};
}

function toToolUse({id, name, args}: CallTurn): Anthropic.ToolUseBlockParam {
  return {type: 'tool_use', id, name, input: args};
}

function toToolResult({id, result: {text, isError}}: CallTurn): Anthropic.ToolResultBlockParam {
  return {type: 'tool_result', tool_use_id: id, content: text, is_error: isError};
}

/** Not cached: text after a stable beginning, which is different in each request, and a reply that the provider continues. */
function markLast(messages: Param[]): Param[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  const isCached = last?.content.some((each) => 'cache_control' in each) === true;
  if (block && last?.role === 'user' && !isCached) Object.assign(block, cached);
  return messages;
}
