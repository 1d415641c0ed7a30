/** A server's question to a person during a tool call: the fields that it asks for, and the answer. */

import type {Json, JsonObject} from '../domain/json.ts';

/** Of one call, also when it is repeated. */
export const maxServerQuestions = 5;

export interface ServerQuestion {
  /** As the configuration names it. */
  readonly server: string;
  /** The server's own words. */
  readonly message: string;
  readonly fields: readonly InputField[];
  /** SHA-256 of the question as the server sent it. */
  readonly digest: string;
}

export interface InputField {
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  readonly required: boolean;
  /** The server's own words, as those of choices. */
  readonly title?: string;
  readonly description?: string;
  readonly format?: InputFormat;
  /** Characters of a text, amount of a number, count of choices. */
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly InputChoice[];
  /** The value of a field that the answer leaves out. */
  readonly default?: Json;
}

export const inputFormats = ['email', 'uri', 'date', 'date-time'] as const;

export type InputFormat = (typeof inputFormats)[number];

export interface InputChoice {
  readonly value: string;
  readonly title?: string;
}

/** The person's answer to one question. */
export interface InputAnswer {
  /** The digest of the question. */
  readonly question: string;
  readonly action: 'accept' | 'decline';
  /** With `accept`: values by the names of the fields. */
  readonly content?: JsonObject;
}

/** The part of a call that continues after a question. */
export interface CallInput {
  /**
   * Identifies the call that waits for the last answer, as the tool returned it with the question. Absent: the call is made
   * anew; its tool gives the answers to the same questions.
   */
  readonly held?: JsonObject;
  /** All answers of the person in this call, in order. */
  readonly answers: readonly InputAnswer[];
}
