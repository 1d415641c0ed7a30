/** The one error class, for problems that can't be an outcome of a chart, such as an invalid configuration. */

export type AppErrorCode =
  | 'usage'
  | 'config'
  | 'credentials'
  | 'io'
  | 'busy'
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
  /** The message in other languages, by their BCP 47 tag, for people: programs read the English one. */
  readonly translations: Readonly<Record<string, string>>;

  constructor(
    code: AppErrorCode,
    message: string,
    {
      details = [],
      translations = {},
      ...options
    }: ErrorOptions & {
      readonly details?: readonly string[];
      readonly translations?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.translations = translations;
  }
}
