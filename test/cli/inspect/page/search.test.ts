import {expect, test} from 'vitest';

import {callsAt, totalsOf} from '../../../../cli/inspect/page/browser/derived/calls.ts';
import {type Search, searchTrace} from '../../../../cli/inspect/page/browser/derived/search.ts';
import type {ModelCall} from '../../../../machines/trace/view.ts';
import {momentsOf, received, reported} from './trace-steps.ts';

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

const {steps} = momentsOf(
  {
    changes: [
      {
        change: 'started',
        path: 'i/basket',
        logic: 'basket',
        status: 'active',
        state: 'empty',
        context: {note: 'no PICNIC yet (a+b)'},
      },
    ],
  },
  {
    ...received({type: 'user.said', text: 'A picnic, please'}),
    ...reported('i', {type: 'user.said', text: 'A picnic, please'}),
    messages: [{to: 'i', event: {type: 'user.said', text: 'picnic'}}],
  },
);

function searched(text: string, limit = 100): Search {
  const search = searchTrace(text, {steps, calls, limit});
  search.advance(() => true);
  return search;
}

test('every part of a trace is searched, in upper and lower case, and each text of a prompt once', () => {
  const {hits, more, isDone} = searched('picnic');
  expect(hits.map(({index, place, actor}) => [index, place, actor])).toEqual([
    [0, 'actor', 'i/basket'],
    [0, 'prompt', 'i/model'],
    [0, 'prompt', 'i/model'],
    [1, 'entry', undefined],
    [1, 'report', 'i'],
    [1, 'message', 'i'],
  ]);
  expect([more, isDone]).toEqual([0, true]);
  expect(hits.filter((hit) => hit.place === 'prompt').map((hit) => hit.call)).toEqual([
    'i/model#1',
    'i/model#1',
  ]);
});

test('a reply is found at the step that brought it', () => {
  expect(searched('bread').hits).toMatchObject([
    {index: 1, place: 'reply', call: 'i/model#1'},
    {index: 1, place: 'reply', call: 'i/model#2'},
  ]);
});

test('the text is plain: signs of patterns mean themselves', () => {
  expect(searched('(a+b)').hits).toMatchObject([{snippet: {match: '(a+b)'}}]);
  expect(searched('.*').hits).toEqual([]);
  expect(searched('no-such').hits).toEqual([]);
  expect(searched('  ').hits).toEqual([]);
});

test('further hits are only counted', () => {
  const {hits, more} = searched('picnic', 2);
  expect([hits.length, more]).toEqual([2, 4]);
});

test('a search stops when it must not continue, and goes on from there', () => {
  const search = searchTrace('picnic', {steps, calls, limit: 100});
  let parts = 3;
  search.advance(() => parts-- > 0);
  expect(search.isDone).toBe(false);
  const found = search.hits.length;
  search.advance(() => true);
  expect([search.isDone, search.hits.length > found]).toEqual([true, true]);
});

test('a snippet has the text around the match', () => {
  const text = `${'a'.repeat(100)} needle ${'b'.repeat(100)}`;
  const {steps: long} = momentsOf(received({type: 'user.said', text}));
  const search = searchTrace('NEEDLE', {steps: long, calls: undefined, limit: 1});
  search.advance(() => true);
  const {before = '', match, after = ''} = search.hits[0]?.snippet ?? {};
  expect([match, before.length, after.length]).toEqual(['needle', 61, 61]);
  expect([before.startsWith('…'), after.endsWith('…')]).toEqual([true, true]);
});

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
