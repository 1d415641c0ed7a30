/** What is booked: what a call cost, as far as it is known; an estimate is marked as one. */

import {describe, expect, test} from 'vitest';

import {Ledger, usageIn} from '../../actors/ledger.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import {openTranscript} from '../../machines/domain/transcript.ts';

const limits = {maxCostUsd: 5, maxModelCalls: 2, timeoutMs: 1_000};

function call(model: string): ModelRequest {
  const transcript = openTranscript('a question');
  return {
    purpose: 'ask',
    model,
    system: '',
    transcript,
    tools: [],
    toolChoice: 'auto',
    maxOutputTokens: 1_000,
  };
}

function priced(): Ledger {
  return new Ledger(limits, () => ({input: 1, cachedInput: 1, output: 10}));
}

describe('a call', () => {
  test('is booked at its usage, which is no estimate', () => {
    const ledger = priced();
    ledger.reserve('a', call('test/a'));
    ledger.book('a', call('test/a'), {inputTokens: 1_000, outputTokens: 100, cachedTokens: 0});
    expect(ledger.totals).toEqual({
      modelCalls: 1,
      inputTokens: 1_000,
      outputTokens: 100,
      cachedTokens: 0,
      costUsd: 0.002,
    });
  });

  test('that was withdrawn is booked at what was counted of it, and marked as an estimate', () => {
    const ledger = priced();
    const usage = {inputTokens: 1_000, outputTokens: 5, cachedTokens: 0, estimated: true};
    ledger.book('a', call('test/a'), usageIn({kind: 'cancelled', usage}));
    expect(ledger.totals).toMatchObject({outputTokens: 5, costUsd: 0.00105, estimated: true});
  });

  test('of which nothing is known is booked at its worst case, as an estimate', () => {
    const ledger = priced();
    ledger.book('a', call('test/a'), undefined);
    expect(ledger.totals.costUsd).toBeGreaterThan(0.01);
    expect(ledger.totals.estimated).toBe(true);
  });

  test('that would fit if those in flight cost less than their worst is for later, and no other', () => {
    const ledger = new Ledger({...limits, maxCostUsd: 0.02}, () => ({
      input: 1,
      cachedInput: 1,
      output: 10,
    }));
    expect(ledger.reserve('a', call('test/a'))).toEqual({ok: true});
    expect(ledger.reserve('b', call('test/b'))).toMatchObject({ok: false, isLater: true});
    ledger.release('a');
    expect(ledger.reserve('b', call('test/b'))).toEqual({ok: true});
    const dear = {...call('test/c'), maxOutputTokens: 9_000};
    expect(ledger.reserve('c', dear)).not.toHaveProperty('isLater');
  });

  test('of the offline model costs and counts nothing', () => {
    const ledger = priced();
    for (const key of ['a', 'b', 'c']) {
      expect(ledger.reserve(key, call('offline/offline'))).toEqual({ok: true});
      ledger.book(key, call('offline/offline'), undefined);
    }
    expect(ledger.totals).toEqual({
      modelCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
    });
  });
});
