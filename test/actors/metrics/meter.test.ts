/** The figures that the last entry of a run keeps. */

import {expect, test} from 'vitest';

import {offlineModel} from '../../../actors/config/roles.ts';
import {Meter} from '../../../actors/metrics/meter.ts';
import {noUsage} from '../../../machines/domain/result.ts';

const key = 'i/interaction/form/quorum/poll/seat:openai%2Fx/call/model#1';
const spent = {modelCalls: 1, inputTokens: 100, outputTokens: 10, cachedTokens: 0};

test('a call counts for its model and for its seat, with or without a known price', () => {
  const meter = new Meter();
  const request = {model: 'openai/x', purpose: 'review-plan'} as const;
  meter.takeCall(key, request, {kind: 'ok'}, {...spent, costUsd: 0.5});
  meter.takeCall(key, request, {kind: 'cancelled'}, {...spent, estimated: true});
  const x = {
    calls: 2,
    inputTokens: 200,
    outputTokens: 20,
    costUsd: 0.5,
    unpriced: 1,
    estimated: 1,
  };

  expect(meter.figures).toEqual({
    counts: {},
    models: {'openai/x': x},
    seats: {'openai/x': x},
  });
});

test('a poll that is not a panel has no seats', () => {
  const meter = new Meter();
  const ranking = {model: 'openai/x', purpose: 'rank-answers'} as const;
  meter.takeCall(key, ranking, {kind: 'ok'}, spent);

  const {models, seats} = meter.figures;
  expect(Object.keys(models)).toEqual(['openai/x']);
  expect(seats).toEqual({});
});

test('the offline model has a seat, which costs nothing, and no figures of its own', () => {
  const meter = new Meter();
  const request = {model: offlineModel, purpose: 'review-plan'} as const;
  meter.takeCall(key, request, {kind: 'ok'}, noUsage);

  const {models, seats} = meter.figures;
  expect(models).toEqual({});
  expect(seats).toEqual({'openai/x': {calls: 1}});
});

test('tools that failed or ran out of time are counted', () => {
  const meter = new Meter();
  meter.takeTool({kind: 'succeeded'});
  meter.takeTool({kind: 'failed', code: 'timeout'});
  meter.takeTool({kind: 'failed', code: 'not_found'});

  expect(meter.figures).toMatchObject({
    counts: {toolCalls: 3, toolFailures: 2, toolTimeouts: 1},
  });
});
