/** Expected failures as data: what enters a machine's context instead of an exception. */

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What XState hands to an `onError`: anything that was thrown. Never throws itself. */
export function toFailure(error: unknown, code = 'internal'): Failure {
  return {code, message: error instanceof Error ? error.message : String(error)};
}
