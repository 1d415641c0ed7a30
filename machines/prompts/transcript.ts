/** A conversation with a model: messages that are only appended. */

import type {JsonObject} from '../domain/json.ts';

export interface ToolCall {
  /** The provider's id for this call, unique within its turn. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** The problem, if the arguments were not a valid JSON object. Such a call is never run. */
  readonly problem?: string;
}

export type Message =
  | {readonly role: 'user'; readonly text: string}
  | {readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[]}
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

export function openTranscript(text: string): Transcript {
  return {messages: [{role: 'user', text}]};
}
