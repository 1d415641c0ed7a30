/** The one error class, for problems that can't be an outcome of a chart, such as an invalid configuration. */

import {type Message, messageText} from '../message.ts';

export type AppErrorCode =
  | 'usage'
  | 'config'
  | 'credentials'
  | 'io'
  | 'busy'
  | 'elsewhere'
  | 'not_found'
  | 'journal_corrupt'
  | 'divergence'
  | 'older_schema'
  | 'newer_schema'
  | 'nothing_waiting'
  /** Refused spawns: these four codes are also those of `SpawnError`. */
  | 'maxDepthExceeded'
  | 'parentNotFound'
  | 'parentSettled'
  | 'formNotSpawnable';

export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Several problems, each for a line of its own below the message. */
  readonly details: readonly string[];
  /** The message for people, in any language: programs read the English one. */
  readonly wording: Message | string;

  constructor(
    code: AppErrorCode,
    message: Message | string,
    {details = [], ...options}: ErrorOptions & {readonly details?: readonly string[]} = {},
  ) {
    super(messageText(message), options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.wording = message;
  }
}
