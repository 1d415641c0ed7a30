import {expect, test} from 'vitest';

import {type Sequence, sequenceAround} from '../../../../cli/inspect/page/browser/derived/lanes.ts';
import type {Message} from '../../../../machines/trace/step.ts';
import {stepWith} from './actors-at.ts';

const steps = [
  stepWith(0, [message(undefined, 'run', 'begin')]),
  stepWith(1, [message('run', 'run/b', 'go'), message('run', 'run/a', 'go')]),
  stepWith(3, []),
  stepWith(4, [message('run/b', 'run', 'done')]),
  stepWith(5, [message('run/a', 'run/a', 'tick'), message('run/a', 'run', 'done')]),
];

test('the outside is the first lane, and a parent is left of its children in the order of their messages', () => {
  const {lanes} = sequenceAround(steps, {index: 4, before: 10, after: 10, lanes: 9});
  expect(lanes).toEqual(['', 'run', 'run/b', 'run/a']);
});

test('a window has the nearest messages before and after the shown step, and only their actors', () => {
  const window = sequenceAround(steps, {index: 3, before: 3, after: 1, lanes: 9});
  expect(arrows(window)).toEqual([
    '0 >run begin',
    '1 run>b go',
    '1 run>a go',
    '4 b>run done',
    '5 a>a tick',
  ]);
});

test('a window ends before the message that needs one lane too many', () => {
  const window = sequenceAround(steps, {index: 3, before: 9, after: 9, lanes: 3});
  expect(arrows(window)).toEqual([
    '1 run>b go',
    '1 run>a go',
    '4 b>run done',
    '5 a>a tick',
    '5 a>run done',
  ]);
  const narrow = sequenceAround(steps, {index: 3, before: 9, after: 9, lanes: 2});
  expect(narrow.lanes).toEqual(['run', 'run/b']);
  expect(arrows(narrow)).toEqual(['4 b>run done']);
});

test('a window around one actor has its messages only', () => {
  const window = sequenceAround(steps, {index: 4, before: 10, after: 0, lanes: 9, actor: 'run/b'});
  expect(arrows(window)).toEqual(['1 run>b go', '4 b>run done']);
});

test('a lane whose parent does not take part is in the place of its parent', () => {
  const nested = [
    stepWith(0, [message('run', 'run/x/y', 'go'), message('run', 'run/z', 'go')]),
    stepWith(1, [message('run/z', 'run/x/w', 'go')]),
  ];
  const {lanes} = sequenceAround(nested, {index: 1, before: 9, after: 0, lanes: 9});
  expect(lanes).toEqual(['run', 'run/x/y', 'run/x/w', 'run/z']);
});

test('before the first step there is nothing but what follows', () => {
  const window = sequenceAround(steps, {index: -1, before: 5, after: 1, lanes: 9});
  expect(arrows(window)).toEqual(['0 >run begin']);
});

function message(from: string | undefined, to: string, type: string): Message {
  return {...(from === undefined ? {} : {from}), to, event: {type}};
}

function arrows({lanes, arrows: list}: Sequence): string[] {
  const nameOf = (lane: number): string => lanes[lane]?.split('/').at(-1) ?? '?';
  return list.map(
    ({step, from, to, message: {event}}) =>
      `${step.seq} ${nameOf(from)}>${nameOf(to)} ${event.type}`,
  );
}
