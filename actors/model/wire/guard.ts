/**
 * What surrounds every call of an SDK: time limits, cancellation, and one verdict whatever the SDK does. An SDK ends a
 * stream that was aborted as if it were complete, so the first cause is kept here and wins.
 */

import type {ModelFailure, ModelOutcome} from '../../../machines/domain/model.ts';
import {failure, toModelFailure} from './faults.ts';
import type {FaultContext} from './faults.ts';

export interface GuardLimits {
  /** From the request to the reply's headers. */
  readonly headersMs: number;
  /** Between two events that bring the reply forward; pings don't. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Of a reply's body, after decompression. */
  readonly maxBytes: number;
}

export const defaultLimits: GuardLimits = {
  headersMs: 30_000,
  idleMs: 60_000,
  totalMs: 600_000,
  maxBytes: 8 * 1024 * 1024,
};

export interface GuardOptions extends FaultContext {
  readonly limits: GuardLimits;
  /** The caller's. */
  readonly signal: AbortSignal;
  readonly onDelta: (text: string) => void;
}

/** What the guarded call reports, and must obey. */
export interface Guarded {
  /** Aborted by the caller and by every limit. */
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly onHeaders: () => void;
  readonly onProgress: () => void;
  /** Text for the caller; nothing passes once the verdict is in. */
  readonly onDelta: (text: string) => void;
}

/** Resolves as soon as the call does, is aborted or is out of time, even if `call` hangs. Never rejects. */
export async function guardCall(
  options: GuardOptions,
  call: (guarded: Guarded) => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  const {limits, signal} = options;
  const cancelled = failure('cancelled', 'the call was cancelled', options);
  if (signal.aborted) return cancelled;
  const controller = new AbortController();
  const verdict = Promise.withResolvers<ModelOutcome>();
  let settled = false;
  const settle = (outcome: ModelOutcome): void => {
    settled = true;
    verdict.resolve(outcome);
    controller.abort();
  };
  const cancel = (): void => settle(cancelled);
  const timers = createTimers(limits, (message) => settle(failure('network', message, options)));

  signal.addEventListener('abort', cancel, {once: true});
  timers.total();
  void attempt(call, options, {
    signal: controller.signal,
    onSent: timers.headers,
    onHeaders: timers.idle,
    onProgress: timers.idle,
    onDelta: (text) => {
      if (!settled) options.onDelta(text);
    },
  }).then(settle);

  const outcome = await verdict.promise;
  signal.removeEventListener('abort', cancel);
  timers.clear();
  return outcome;
}

async function attempt(
  call: (guarded: Guarded) => Promise<ModelOutcome>,
  options: GuardOptions,
  guarded: Guarded,
): Promise<ModelOutcome | ModelFailure> {
  try {
    return await call(guarded);
  } catch (error) {
    return toModelFailure(error, options);
  }
}

interface Timers {
  readonly total: () => void;
  readonly headers: () => void;
  /** Starts the wait for progress anew; the wait for headers is over. */
  readonly idle: () => void;
  readonly clear: () => void;
}

function createTimers(limits: GuardLimits, onTimeout: (message: string) => void): Timers {
  let total: NodeJS.Timeout | undefined;
  let wait: NodeJS.Timeout | undefined;
  const restart = (ms: number, message: string): void => {
    clearTimeout(wait);
    wait = setTimeout(onTimeout, ms, message);
  };
  return {
    total: () => {
      total = setTimeout(onTimeout, limits.totalMs, `no full reply within ${limits.totalMs} ms`);
    },
    headers: () => restart(limits.headersMs, `no answer within ${limits.headersMs} ms`),
    idle: () => restart(limits.idleMs, `the reply stood still for ${limits.idleMs} ms`),
    clear: () => {
      clearTimeout(total);
      clearTimeout(wait);
    },
  };
}
