/**
 * Adds time limits and cancellation to every call of an SDK, and decides the one outcome of the call. An SDK ends an aborted
 * stream as if it were complete, so the first cause is recorded here and takes precedence.
 */

import type {ModelOutcome} from '../../../machines/domain/model.ts';
import {failure, type FaultContext, timeoutMessages, toModelFailure} from './faults.ts';

export interface GuardLimits {
  /** Until a new connection is established, including TLS if the address requires it. */
  readonly connectMs: number;
  /** From the request to the first byte of a reply. */
  readonly firstByteMs: number;
  /** Between two events that advance the reply; pings do not. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** The limit of the body of a reply, after decompression. */
  readonly maxBytes: number;
}

export const defaultLimits: GuardLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  idleMs: 60_000,
  totalMs: 600_000,
  maxBytes: 8 * 1024 * 1024,
};

export interface GuardOptions extends FaultContext {
  readonly limits: GuardLimits;
  /** The signal of the caller. */
  readonly signal: AbortSignal;
  readonly onDelta: (text: string) => void;
}

/** The guarded call reports its progress here, and must stop when the signal is aborted. */
export interface Guarded {
  /** Aborted by the caller, by every limit, and when the call rejects. */
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly onHeaders: () => void;
  readonly onProgress: () => void;
  /** Passes text to the caller, unless the call was aborted. */
  readonly onDelta: (text: string) => void;
}

/** Shared: creating an error for each call would cost more than the rest of the guard. */
const over = new Error('the call is over');

/** Resolves as soon as the call resolves, is aborted or exceeds a time limit, even if `call` hangs. Never rejects. */
export async function guardCall(
  options: GuardOptions,
  call: (guarded: Guarded) => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  const {limits, signal} = options;
  const cancelled = failure('cancelled', 'the call was cancelled', options);
  if (signal.aborted) return cancelled;
  const controller = new AbortController();
  const verdict = Promise.withResolvers<ModelOutcome>();
  let isBroken = false;
  const breakOff = (outcome: ModelOutcome): void => {
    isBroken = true;
    verdict.resolve(outcome);
    controller.abort(over);
  };
  const cancel = (): void => breakOff(cancelled);
  const settings = `providers.${options.name.slice(0, options.name.indexOf('/'))}`;
  const timers = createTimers(limits, settings, (message) =>
    breakOff(failure('network', message, options)),
  );

  signal.addEventListener('abort', cancel, {once: true});
  timers.total();
  void call({
    signal: controller.signal,
    onSent: timers.first,
    onHeaders: timers.headers,
    onProgress: timers.idle,
    onDelta: (text) => {
      if (!isBroken) options.onDelta(text);
    },
  }).then(verdict.resolve, (error: unknown) => breakOff(toModelFailure(error, options)));

  const outcome = await verdict.promise;
  signal.removeEventListener('abort', cancel);
  timers.clear();
  return outcome;
}

interface Timers {
  readonly total: () => void;
  readonly first: () => void;
  /** Some servers send headers at once and then take the time that other servers take before the headers. */
  readonly headers: () => void;
  /** Restarts the idle limit. */
  readonly idle: () => void;
  readonly clear: () => void;
}

/** `settings` is the configuration table of the provider, for messages. */
function createTimers(
  {firstByteMs, idleMs, totalMs}: GuardLimits,
  settings: string,
  onTimeout: (message: string) => void,
): Timers {
  let sentAt = 0;
  let total: NodeJS.Timeout | undefined;
  let wait: NodeJS.Timeout | undefined;
  const restart = (ms: number, message: string): void => {
    clearTimeout(wait);
    wait = setTimeout(onTimeout, ms, message);
  };
  const still = (ms: number): void => restart(ms, timeoutMessages.idle(ms));
  return {
    total: () => {
      const message = timeoutMessages.total(totalMs, settings);
      total = setTimeout(onTimeout, totalMs, message);
    },
    first: () => {
      sentAt = performance.now();
      restart(firstByteMs, timeoutMessages.first(firstByteMs, settings));
    },
    headers: () => {
      const left = firstByteMs - (performance.now() - sentAt);
      still(Math.max(idleMs, Math.ceil(left)));
    },
    idle: () => still(idleMs),
    clear: () => {
      clearTimeout(total);
      clearTimeout(wait);
    },
  };
}
