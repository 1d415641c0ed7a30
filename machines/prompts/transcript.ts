/** A conversation with a model: messages that are only appended. */

import {isJsonObject, type Json, type JsonObject} from '../domain/json.ts';

/**
 * State that a provider returns with a reply and wants back unchanged with the next request: reasoning, its signatures, encrypted
 * items. It does not count as text: it is never shown, and no other model receives it.
 */
export interface Opaque {
  /** `provider/model`: the only reader. */
  readonly model: string;
  /** In the form of its adapter. */
  readonly parts: Json;
}

export interface ToolCall {
  /** The provider's id for this call, unique within its turn. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** The problem, if the arguments were not a valid JSON object. Such a call is never run. */
  readonly problem?: string;
}

export type Message =
  | {
      readonly role: 'user';
      readonly text: string;
      /** The length of its beginning that later requests repeat, in UTF-16 units: providers may cache it. */
      readonly stable?: number;
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      /** Only beside the text and the calls that the provider returned it with: {@link withoutOpaque} if they are changed. */
      readonly opaque?: Opaque;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      /** The call was not allowed, and so not made: models don't receive it as an error. */
      readonly isSkipped?: true;
    };

export interface Transcript {
  readonly messages: readonly Message[];
}

export function appendMessages({messages}: Transcript, ...added: readonly Message[]): Transcript {
  return {messages: messages.concat(added)};
}

export function openTranscript(text: string, stable?: number): Transcript {
  return {messages: [{role: 'user', text, ...(stable === undefined ? {} : {stable})}]};
}

/** The message in which a reply continues its conversation. */
export function replyMessage({
  text,
  calls,
  opaque,
}: Omit<Extract<Message, {readonly role: 'assistant'}>, 'role'>): Message {
  return {role: 'assistant', text, calls, ...(opaque ? {opaque} : {})};
}

/** The input that a provider counts for a message. */
export function billedText(message: Message): string {
  if (message.role !== 'assistant') return message.text;
  const {text, calls, opaque} = message;
  return text + JSON.stringify(calls) + (opaque ? JSON.stringify(opaque.parts) : '');
}

/** For a message whose text or calls are changed, and for a request to another model. */
export function withoutOpaque(message: Message): Message {
  if (message.role !== 'assistant' || message.opaque === undefined) return message;
  const {opaque: _, ...rest} = message;
  return rest;
}

const shown = new WeakMap<object, Json>();

/** Plain data as it may be shown: without opaque parts, at any depth. Objects without them are returned as they are. */
export function hideOpaque<Value extends Json>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const known = shown.get(value) ?? hiddenIn(value);
  shown.set(value, known);
  return known as Value;
}

function hiddenIn(value: readonly Json[] | JsonObject): Json {
  if (!isJsonObject(value)) {
    const items = value.map(hideOpaque);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const members = Object.entries(value);
  const kept = members.flatMap(([name, member]): [string, Json][] =>
    name === 'opaque' && isOpaque(member) ? [] : [[name, hideOpaque(member)]],
  );
  const isSame =
    kept.length === members.length && kept.every(([name, member]) => member === value[name]);
  return isSame ? value : Object.fromEntries(kept);
}

function isOpaque(value: Json): boolean {
  return isJsonObject(value) && typeof value['model'] === 'string' && 'parts' in value;
}
