/**
 * Converts a transcript into the form that providers accept: every tool call has exactly one result and every result has a
 * call, even if calls were cancelled or skipped. All text is well-formed.
 */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Message, ToolCall, Transcript} from '../../../machines/prompts/transcript.ts';

export interface CallTurn {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly result: {readonly text: string; readonly isError: boolean};
}

export type Turn =
  | {readonly role: 'user'; readonly text: string}
  | {readonly role: 'assistant'; readonly text: string; readonly calls: readonly CallTurn[]};

export function toTurns({messages}: Transcript): readonly Turn[] {
  return messages.flatMap((message, index) => toTurn(message, messages, index));
}

function toTurn(message: Message, messages: readonly Message[], index: number): readonly Turn[] {
  if (message.role === 'tool') return [];
  const text = message.text.toWellFormed();
  if (message.role === 'user') return [{role: 'user', text: orElse(text, '(empty)')}];
  const results = resultsAfter(messages, index);
  const calls = message.calls.map((call) => toCallTurn(call, results));
  return text.trim() === '' && calls.length === 0 ? [] : [{role: 'assistant', text, calls}];
}

type ToolMessage = Extract<Message, {readonly role: 'tool'}>;

/** The results between an assistant message and the next one. The first result for an id counts. */
function resultsAfter(
  messages: readonly Message[],
  index: number,
): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (!message || message.role === 'assistant') break;
    if (message.role === 'tool' && !results.has(message.callId))
      results.set(message.callId, message);
  }
  return results;
}

function toCallTurn(call: ToolCall, results: ReadonlyMap<string, ToolMessage>): CallTurn {
  const found = results.get(call.id);
  const result = found
    ? {
        text: orElse(found.text.toWellFormed(), '(no output)'),
        isError: found.isError && found.isSkipped !== true,
      }
    : {text: 'this call was not made', isError: true};
  return {id: toToken(call.id), name: toToken(call.name), args: call.args, result};
}

/** Providers reject blank text. */
function orElse(text: string, substitute: string): string {
  return text.trim() === '' ? substitute : text;
}

/** Restricts an id or a name to characters that providers allow, because a model may invent any text. */
function toToken(text: string): string {
  return text.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}
