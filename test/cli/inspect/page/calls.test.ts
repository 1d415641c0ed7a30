import {expect, test} from 'vitest';

import {callsAt, totalsOf} from '../../../../cli/inspect/page/browser/derived/calls.ts';
import type {ModelCall} from '../../../../machines/trace/view.ts';

const call: ModelCall = {
  key: 'i/model#1',
  actor: 'i/model',
  requested: 0,
  settled: 1,
  purpose: 'plan',
  model: 'mock/planner',
  prompt: [
    {role: 'system', text: 'You plan picnics'},
    {role: 'user', text: 'Plan the picnic'},
  ],
  body: {messages: [{role: 'system', content: 'You plan picnics'}]},
  outcome: {kind: 'ok', text: 'Bring bread'},
  usage: {inputTokens: 5, outputTokens: 2, cachedTokens: 1, costUsd: 0.5},
  ms: 9,
};
const calls: readonly ModelCall[] = [call, {...call, key: 'i/model#2', requested: 1}];

test('a call has its outcome from the step that settled it on', () => {
  expect(callsAt(calls, -1)).toEqual([]);
  const [early] = callsAt(calls, 0);
  expect(early).not.toHaveProperty('outcome');
  expect(early).not.toHaveProperty('usage');
  expect(callsAt(calls, 1)[0]).toBe(call);
});

test('totals say when the price of a call is not known', () => {
  const {costUsd: _, ...unpriced} = call.usage ?? {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
  };
  expect(totalsOf([call, {...call, usage: unpriced}])).toEqual({
    calls: 2,
    inputTokens: 10,
    outputTokens: 4,
    cachedTokens: 2,
    costUsd: 0.5,
    isCostPartial: true,
  });
});
