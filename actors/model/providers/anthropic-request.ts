/**
 * Builds a request for Anthropic Messages, ordered for prompt caching: tools, system, messages. One cache marker ends the
 * constant part, another ends the conversation.
 */

import type {Anthropic} from '@anthropic-ai/sdk';

import type {ModelRequest} from '../../../machines/domain/model.ts';
import type {OfferedTool} from '../model.ts';
import {toTurns} from './turns.ts';
import type {CallTurn, Turn} from './turns.ts';

type Body = Anthropic.MessageCreateParamsStreaming;
type Block =
  | Anthropic.TextBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam;
interface Param {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

const cached = {cache_control: {type: 'ephemeral'}} as const;

export function toAnthropicRequest(
  model: string,
  request: ModelRequest,
  offered: readonly OfferedTool[],
): Body {
  const system = request.system.toWellFormed();
  const hasSystem = system.trim() !== '';
  const body: Body = {
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
  return {...body, tools, tool_choice: toToolChoice(model, request.toolChoice)};
}

function toTool({name, description, schema}: OfferedTool): Anthropic.Tool {
  return {name, description, input_schema: {...schema, type: 'object'}};
}

/** These models reject a forced tool call (400). The call is then optional, and the caller checks the reply. */
const unforced = /^claude-(?:opus-5-5|fable-5-[1-9]|mythos-5-[1-9])/;

function toToolChoice(
  model: string,
  choice: ModelRequest['toolChoice'],
): Anthropic.MessageCreateParams['tool_choice'] & object {
  if (choice === 'required') return {type: unforced.test(model) ? 'auto' : 'any'};
  return {type: choice};
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
      add('user', [{type: 'text', text: turn.text}]);
    } else {
      add('assistant', [...toText(turn.text), ...turn.calls.map(toToolUse)]);
      add('user', turn.calls.map(toToolResult));
    }
  }
  return messages;
}

function toText(text: string): Anthropic.TextBlockParam[] {
  return text.trim() === '' ? [] : [{type: 'text', text}];
}

function toToolUse({id, name, args}: CallTurn): Anthropic.ToolUseBlockParam {
  return {type: 'tool_use', id, name, input: args};
}

function toToolResult({id, result: {text, isError}}: CallTurn): Anthropic.ToolResultBlockParam {
  return {type: 'tool_result', tool_use_id: id, content: text, is_error: isError};
}

function markLast(messages: Param[]): Param[] {
  const block = messages.at(-1)?.content.at(-1);
  if (block) Object.assign(block, cached);
  return messages;
}
