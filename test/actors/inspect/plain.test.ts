import {expect, test} from 'vitest';
import {createActor, createMachine} from 'xstate';

import {brief, plain, plainEvent, wide} from '../../../actors/inspect/plain.ts';

test('a value that JSON can hold stays as it is', () => {
  const value = {a: [1, 'x', null, true, {b: {}}]};
  expect(plain(value, wide)).toEqual(value);
});

test('everything else becomes a short text', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const actor = createActor(createMachine({id: 'm'}), {id: 'me'});
  const throwing = {
    get broken(): never {
      throw new Error('no');
    },
  };
  expect(
    plain(
      {
        actor,
        bytes: new Uint8Array(5_000_000),
        circle,
        date: new Date(0),
        error: new TypeError('oh'),
        fn: () => 1,
        invalid: new Date(Number.NaN),
        map: new Map([['k', 1]]),
        nan: Number.NaN,
        nothing: undefined,
        set: new Set([1]),
        throwing,
        url: new URL('https://example.com/a'),
        big: 10n,
      },
      wide,
    ),
  ).toEqual({
    actor: '[actor me]',
    bytes: '[Uint8Array 5000000]',
    circle: {self: '[circular]'},
    date: '1970-01-01T00:00:00.000Z',
    error: {name: 'TypeError', message: 'oh'},
    fn: '[function]',
    invalid: '[invalid date]',
    map: {'[Map]': [['k', 1]]},
    nan: '[NaN]',
    set: {'[Set]': [1]},
    throwing: {broken: '[unreadable]'},
    url: 'https://example.com/a',
    big: '[10n]',
  });
});

test('a graph that holds the same objects many times is bounded', () => {
  let graph: object = {};
  for (let depth = 0; depth < 40; depth += 1) graph = {one: graph, other: graph};
  const text = JSON.stringify(plain(graph, {...wide, depth: 100}));
  expect(text.length).toBeLessThan(2_000_000);
});

test('long texts, lists and objects of an event are cut, and say so', () => {
  const event = {type: 'ADD', text: 'x'.repeat(500), list: Array.from({length: 50}, () => 0)};
  const shown = plainEvent(event, brief);
  expect(shown.type).toBe('ADD');
  expect(shown['text']).toBe(`${'x'.repeat(120)}… [380 more]`);
  expect(shown['list']).toEqual([0, 0, 0, 0, 0, 0, 0, 0, '[42 more]']);
});
