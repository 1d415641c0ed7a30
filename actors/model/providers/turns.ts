/**
 * Converts a transcript into the form that providers accept: every tool call has exactly one result and every result has a
 * call, even if calls were cancelled or skipped. All text is well-formed.
 */

import {isJsonObject, type Json, type JsonObject} from '../../../machines/domain/json.ts';
import type {Message, ToolCall, Transcript} from '../../../machines/prompts/transcript.ts';

export interface CallTurn {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly result: {readonly text: string; readonly isError: boolean};
}

export interface ReplyTurn {
  readonly role: 'assistant';
  readonly text: string;
  readonly calls: readonly CallTurn[];
  /** In the form of the adapter. */
  readonly opaque?: Json;
}

export type Turn =
  | {readonly role: 'user'; readonly text: string; readonly stable?: number}
  | ReplyTurn;

/** The content of a reply in its order: an opaque part, the number of the next UTF-16 units of the text, or `null`: the next call. */
export type Layout = readonly (JsonObject | number | null)[];

/** How an adapter writes the content of a reply. */
export interface Writer<Item> {
  readonly part: (part: JsonObject) => Item;
  readonly text: (text: string) => Item;
  readonly call: (call: CallTurn) => Item;
}

/** The content of a reply in the order of its layout; without a layout that fits, its text and then its calls. */
export function layOut<Item>({text, calls, opaque}: ReplyTurn, write: Writer<Item>): Item[] {
  const layout = isLayout(opaque, text, calls) ? opaque : [text.length, ...calls.map(() => null)];
  let at = 0;
  let next = 0;
  return layout.flatMap((entry) => {
    if (isJsonObject(entry)) return [write.part(entry)];
    if (entry === null) return calls.slice(next, (next += 1)).map(write.call);
    const piece = text.slice(at, (at += entry));
    return piece.trim() === '' ? [] : [write.text(piece)];
  });
}

function isLayout(
  value: Json | undefined,
  text: string,
  calls: readonly CallTurn[],
): value is Layout {
  if (!Array.isArray(value)) return false;
  const entries: readonly Json[] = value;
  const lengths = entries.filter((entry) => typeof entry === 'number');
  const count = entries.filter((entry) => entry === null).length;
  const isKnown = entries.every(
    (entry) => entry === null || typeof entry === 'number' || isJsonObject(entry),
  );
  return (
    isKnown &&
    count === calls.length &&
    lengths.reduce((sum, each) => sum + each, 0) === text.length
  );
}

export function toTurns({messages}: Transcript): readonly Turn[] {
  return messages.flatMap((message, index) => toTurn(message, messages, index));
}

function toTurn(message: Message, messages: readonly Message[], index: number): readonly Turn[] {
  if (message.role === 'tool') return [];
  const text = message.text.toWellFormed();
  if (message.role === 'user') {
    const {stable} = message;
    return [{role: 'user', text: orElse(text, '(empty)'), ...(stable ? {stable} : {})}];
  }
  const results = resultsAfter(messages, index);
  const calls = message.calls.map((call) => toCallTurn(call, results));
  const {opaque} = message;
  if (text.trim() === '' && calls.length === 0 && !opaque) return [];
  return [{role: 'assistant', text, calls, ...(opaque ? {opaque: opaque.parts} : {})}];
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
