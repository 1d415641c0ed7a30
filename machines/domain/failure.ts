/** Expected failures as data: they enter a machine's context instead of exceptions. */

import {AppError} from './app-error.ts';

export interface Failure {
  readonly code: string;
  /** For a person: what happened. */
  readonly message: string;
  /** What a model was asked to correct, such as the problems of its answer. */
  readonly detail?: string;
}

/** Converts the error that XState passes to `onError`: a failure that an effect crashed with, or any thrown value. */
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

/** A thrown value may be no `Error`, and may fail to convert to text. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'a value without a text was thrown';
  }
}

// A temporary outage of something that a run needs: the run waits, and tries again when it is resumed.

export interface Outage extends Failure {
  /** `provider/model` that could not be called; absent when the run waits for something else. */
  readonly model?: string;
}

/** A waiting state always has an outage; the default is only for the type checker, which can't know that. */
export function outageIn({outage}: {readonly outage?: Outage}): Outage {
  return outage ?? {code: 'unknown', message: 'something is missing'};
}

/** True if the run waits because of a limit that was set for it and may be raised. */
export function isLimit({code}: Outage): boolean {
  return code === 'overBudget';
}
