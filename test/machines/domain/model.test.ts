import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
  type Attempts,
  isTransient,
  maxRetryAfterMs,
  mayRetry,
  type ModelFailure,
  type ModelFailureCode,
  retryDelayMs,
} from '../../../machines/domain/model.ts';

const transient = fc.constantFrom<ModelFailureCode>('rateLimited', 'overloaded', 'network');
const lasting = fc.constantFrom<ModelFailureCode>(
  'refused',
  'truncated',
  'contextOverflow',
  'auth',
  'billing',
  'protocol',
  'cancelled',
  'overBudget',
);
const jitter = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
const retryMs = 300_000;
const first: Attempts = {attempts: 1, spentMs: 0};

function failure(kind: ModelFailureCode, more: Partial<ModelFailure> = {}): ModelFailure {
  return {kind, message: 'it failed', ...more};
}

interface Caller {
  /** The duration of each attempt. */
  readonly attemptMs?: number;
  readonly waitMs?: number;
}

/** The pauses of a caller that retries as long as `mayRetry` allows, up to 100 attempts. */
function pausesOf(
  nth: (attempt: number) => ModelFailure,
  {attemptMs = 0, waitMs = Infinity}: Caller = {},
): number[] {
  const pauses: number[] = [];
  let spentMs = attemptMs;
  for (let attempts = 1; attempts <= 100; attempts += 1) {
    const outcome = nth(attempts);
    if (!mayRetry(outcome, {attempts, spentMs, waitMs})) break;
    const pause = retryDelayMs(outcome, attempts);
    pauses.push(pause);
    spentMs += pause + attemptMs;
  }
  return pauses;
}

function sumOf(pauses: readonly number[]): number {
  return pauses.reduce((sum, pause) => sum + pause, 0);
}

describe('a provider that keeps failing', () => {
  test('is asked for about five minutes, with pauses of up to a minute', () => {
    fc.assert(
      fc.property(transient, fc.array(jitter, {minLength: 1}), (kind, draws) => {
        const pauses = pausesOf((attempt) =>
          failure(kind, {retryMs, jitter: draws[attempt % draws.length] ?? 0}),
        );
        expect(sumOf(pauses)).toBeGreaterThanOrEqual(retryMs);
        expect(sumOf(pauses)).toBeLessThan(retryMs + 60_000);
        expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
      }),
    );
  });

  test('is asked after pauses that double', () => {
    const pauses = pausesOf(() => failure('overloaded', {retryMs: 20_000, jitter: 1}));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  test('is asked less often if each attempt takes long, and at least twice', () => {
    const slow = failure('network', {retryMs, jitter: 1});
    expect(pausesOf(() => slow, {attemptMs: 30_000})).toHaveLength(7);
    expect(pausesOf(() => slow, {attemptMs: 600_000})).toHaveLength(1);
  });

  test('is not asked after a pause that goes beyond the time of the caller', () => {
    const pauses = pausesOf(() => failure('overloaded', {retryMs, jitter: 1}), {waitMs: 120_000});
    expect(sumOf(pauses)).toBeLessThanOrEqual(120_000);
    expect(pauses.at(-1)).toBe(32_000);
  });

  test('is asked once if no time is allowed', () => {
    expect(mayRetry(failure('overloaded', {retryMs: 0}), first)).toBe(false);
  });
});

describe('a model that keeps failing, without a time for repetitions,', () => {
  test('is abandoned within ten seconds of pauses, and after at least two retries', () => {
    fc.assert(
      fc.property(transient, fc.array(jitter, {minLength: 1}), (kind, draws) => {
        const pauses = pausesOf((attempt) =>
          failure(kind, {jitter: draws[attempt % draws.length] ?? 0}),
        );
        expect(sumOf(pauses)).toBeLessThan(10_000);
        expect(pauses.length).toBeGreaterThanOrEqual(2);
        expect(Math.min(...pauses)).toBeGreaterThan(0);
      }),
    );
  });

  test('is retried after longer and longer pauses', () => {
    const pauses = pausesOf(() => failure('overloaded', {jitter: 0.5}));
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(new Set(pauses).size).toBe(pauses.length);
  });

  test('is not waited for longer than a minute', () => {
    expect(mayRetry(failure('rateLimited', {retryAfterMs: 60_000}), first)).toBe(true);
    expect(mayRetry(failure('rateLimited', {retryAfterMs: 60_001}), first)).toBe(false);
  });
});

test('a call is not repeated when a repetition cannot help', () => {
  fc.assert(
    fc.property(lasting, fc.integer({min: 1, max: 9}), (kind, attempts) => {
      expect(isTransient(failure(kind))).toBe(false);
      expect(mayRetry(failure(kind, {retryMs}), {attempts, spentMs: 0})).toBe(false);
    }),
  );
});

describe('a pause that the provider requests', () => {
  test('is obeyed in full, up to five minutes', () => {
    fc.assert(
      fc.property(transient, jitter, fc.nat(maxRetryAfterMs), (kind, draw, retryAfterMs) => {
        const pauses = pausesOf(() => failure(kind, {jitter: draw, retryMs, retryAfterMs}));
        expect(pauses.length).toBeGreaterThan(0);
        expect(Math.min(...pauses)).toBeGreaterThanOrEqual(retryAfterMs);
        expect(Math.max(...pauses)).toBeLessThanOrEqual(Math.max(retryAfterMs, 60_000));
      }),
    );
  });

  test.each([maxRetryAfterMs + 1, Number.POSITIVE_INFINITY, Number.NaN])(
    'of %d ms is not waited for',
    (retryAfterMs) => {
      expect(mayRetry(failure('rateLimited', {retryMs, retryAfterMs}), first)).toBe(false);
    },
  );

  test('is not waited for beyond the time for repetitions, or the time of the caller', () => {
    const asked = {retryAfterMs: 90_000};
    expect(mayRetry(failure('rateLimited', {...asked, retryMs: 60_000}), first)).toBe(false);
    const seat = {...first, waitMs: 60_000};
    expect(mayRetry(failure('rateLimited', {...asked, retryMs}), seat)).toBe(false);
  });
});

test('an answer is never retried', () => {
  expect(mayRetry({kind: 'ok', text: '', calls: []}, first)).toBe(false);
});
