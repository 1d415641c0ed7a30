import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {
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

function failure(kind: ModelFailureCode, more: Partial<ModelFailure> = {}): ModelFailure {
  return {kind, message: 'it failed', ...more};
}

/** The pauses of a caller that retries as long as `mayRetry` allows, up to 100 attempts. */
function pausesOf(nth: (attempt: number) => ModelFailure): number[] {
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 100 && mayRetry(nth(attempt), attempt); attempt += 1) {
    pauses.push(retryDelayMs(nth(attempt), attempt));
  }
  return pauses;
}

describe('a model that keeps failing', () => {
  test('is abandoned within ten seconds of pauses, and after at least two retries', () => {
    fc.assert(
      fc.property(transient, fc.array(jitter, {minLength: 1}), (kind, draws) => {
        const pauses = pausesOf((attempt) =>
          failure(kind, {jitter: draws[attempt % draws.length] ?? 0}),
        );
        expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(10_000);
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

  test('is not retried when a retry cannot help', () => {
    fc.assert(
      fc.property(lasting, fc.integer({min: 1, max: 9}), (kind, attempt) => {
        expect(isTransient(failure(kind))).toBe(false);
        expect(mayRetry(failure(kind), attempt)).toBe(false);
      }),
    );
  });
});

describe('a pause that the provider requests', () => {
  test('is obeyed in full, up to a minute', () => {
    fc.assert(
      fc.property(transient, jitter, fc.nat(maxRetryAfterMs), (kind, draw, retryAfterMs) => {
        const pauses = pausesOf(() => failure(kind, {jitter: draw, retryAfterMs}));
        expect(pauses.length).toBeGreaterThan(0);
        expect(Math.min(...pauses)).toBeGreaterThanOrEqual(retryAfterMs);
        expect(Math.max(...pauses)).toBeLessThanOrEqual(Math.max(retryAfterMs, 10_000));
      }),
    );
  });

  test.each([maxRetryAfterMs + 1, Number.POSITIVE_INFINITY, Number.NaN])(
    'of %d ms is not waited for',
    (retryAfterMs) => {
      expect(mayRetry(failure('rateLimited', {retryAfterMs}), 1)).toBe(false);
    },
  );
});

test('an answer is never retried', () => {
  expect(mayRetry({kind: 'ok', text: '', calls: []}, 1)).toBe(false);
});
