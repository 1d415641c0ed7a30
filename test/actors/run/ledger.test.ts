/** Bookings: the cost of a call, as far as it is known; an estimate is marked. */

import {describe, expect, test} from 'vitest';

import {Ledger} from '../../../actors/run/ledger.ts';
import type {ModelRequest} from '../../../machines/domain/model.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';

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

function unpriced(): Ledger {
  return new Ledger({...limits, maxCostUsd: 0.3, maxModelCalls: 99}, () => undefined);
}

describe('a call', () => {
  test('is booked at its usage, without a mark', () => {
    const ledger = priced();
    ledger.reserve('a', call('test/a'));
    const usage = {inputTokens: 1_000, outputTokens: 100, cachedTokens: 0};
    ledger.book('a', call('test/a'), {usage});
    expect(ledger.totals).toEqual({
      modelCalls: 1,
      inputTokens: 1_000,
      outputTokens: 100,
      cachedTokens: 0,
      costUsd: 0.002,
    });
  });

  test('that was withdrawn is booked at its estimated usage, and marked as an estimate', () => {
    const ledger = priced();
    const usage = {inputTokens: 1_000, outputTokens: 5, cachedTokens: 0, estimated: true};
    ledger.book('a', call('test/a'), {kind: 'cancelled', usage});
    expect(ledger.totals).toMatchObject({outputTokens: 5, costUsd: 0.00105, estimated: true});
  });

  test('of a model without a price is booked at the cost that its provider reported', () => {
    const ledger = unpriced();
    const usage = {inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: 0.2};
    ledger.book('a', call('test/a'), {usage});
    expect(ledger.totals.costUsd).toBe(0.2);
    expect(ledger.reserve('b', call('test/a')).ok).toBe(false);
  });

  test('with unknown usage is booked at its worst case, as an estimate', () => {
    const ledger = priced();
    ledger.book('a', call('test/a'), {});
    expect(ledger.totals.costUsd).toBeGreaterThan(0.01);
    expect(ledger.totals.estimated).toBe(true);
  });

  test('may contain definitions of tools up to the budget for them, and once more those that were found', () => {
    const free = {input: 1, cachedInput: 1, output: 0};
    const isAdmitted = (maxSchemaTokens: number, found: readonly string[], maxCostUsd: number) =>
      new Ledger({...limits, maxCostUsd}, () => free, maxSchemaTokens).reserve('a', {
        ...call('test/a'),
        found,
      }).ok;
    expect(isAdmitted(2_000, [], 0.004)).toBe(true);
    expect(isAdmitted(100_000, [], 0.18)).toBe(false);
    expect(isAdmitted(100_000, [], 0.19)).toBe(true);
    expect(isAdmitted(2_000, ['a'], 0.014)).toBe(false);
    expect(isAdmitted(2_000, ['a'], 0.016)).toBe(true);
    expect(isAdmitted(2_000, ['a', 'b', 'c'], 0.02)).toBe(true);
  });

  test('that would fit if the calls in flight cost less than their worst case must wait, any other is refused', () => {
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

  test('of which the budget allows only a shorter reply is limited to it, and costs no more than is left', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.2}, () => price);
    const long = {...call('test/a'), maxOutputTokens: 32_000};
    expect(ledger.reserve('a', long)).toEqual({ok: true});
    const cappedTokens = ledger.cappedTokens('a') ?? 0;
    expect(cappedTokens).toBe(19_999);
    ledger.book('a', long, {cappedTokens});
    expect(ledger.totals.costUsd).toBeLessThanOrEqual(0.2);
    expect(ledger.reserve('b', long)).toMatchObject({ok: false, limit: 'max_cost_usd'});
  });

  test('waits for the calls in flight before its reply is limited', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.4}, () => price);
    const long = {...call('test/a'), maxOutputTokens: 32_000};
    expect(ledger.reserve('a', long)).toEqual({ok: true});
    expect(ledger.cappedTokens('a')).toBeUndefined();
    expect(ledger.reserve('b', long)).toMatchObject({ok: false, isLater: true});
    ledger.book('a', long, {usage: {inputTokens: 0, outputTokens: 10_000, cachedTokens: 0}});
    expect(ledger.reserve('b', long)).toEqual({ok: true});
    expect(ledger.cappedTokens('b')).toBe(29_999);
  });

  test('whose reply was cut off is not made again with a limit that is not higher', () => {
    const price = {input: 0, cachedInput: 0, output: 10};
    const ledger = new Ledger({...limits, maxCostUsd: 0.3}, () => price);
    const raised = {...call('test/a'), maxOutputTokens: 32_000, outputTokens: 64_000};
    expect(ledger.reserve('a', raised)).toMatchObject({ok: false, limit: 'max_cost_usd'});
  });

  test('of the offline model costs and counts nothing', () => {
    const ledger = priced();
    for (const key of ['a', 'b', 'c']) {
      expect(ledger.reserve(key, call('offline/offline'))).toEqual({ok: true});
      ledger.book(key, call('offline/offline'), {});
    }
    expect(ledger.totals).toEqual({
      modelCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
    });
  });
});

describe('a model without a known price', () => {
  const usage = {inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: 0.15};

  test('is limited by its reported costs: the next call is assumed to cost as much as the most expensive one', () => {
    const ledger = unpriced();
    for (const key of ['a', 'b']) {
      expect(ledger.reserve(key, call('own/model'))).toEqual({ok: true});
      ledger.book(key, call('own/model'), {usage});
    }
    expect(ledger.reserve('c', call('own/model'))).toMatchObject({
      ok: false,
      limit: 'max_cost_usd',
    });
    expect(ledger.reserve('d', call('free/model'))).toEqual({ok: true});
  });

  test('makes further calls wait for those in flight once it has reported a cost', () => {
    const ledger = unpriced();
    ledger.book('a', call('own/model'), {usage});
    expect(ledger.reserve('b', call('own/model'))).toEqual({ok: true});
    expect(ledger.reserve('c', call('own/model'))).toMatchObject({ok: false, isLater: true});
    ledger.release('b');
    expect(ledger.reserve('c', call('own/model'))).toEqual({ok: true});
  });
});
