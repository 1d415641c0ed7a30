/** Expected failures as data: what enters a machine's context instead of an exception. */

import {AppError} from './app-error.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What XState hands to an `onError`: a failure that an effect crashed with, or anything that was thrown. */
export function toFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  if (error instanceof AppError) return {code: error.code, message: error.message};
  return {code: 'internal', message: messageOf(error)};
}

function isFailure(error: unknown): error is Failure {
  return (
    typeof error === 'object' &&
    error !== null &&
    !(error instanceof Error) &&
    'code' in error &&
    'message' in error
  );
}

/** A thrown value need not be an error, nor have a text. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'a value without a text was thrown';
  }
}
