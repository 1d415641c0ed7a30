import {expect, test} from 'vitest';

import {
  activeStates,
  enabledEvents,
  stateText,
  transitionParts,
} from '../../../../cli/inspect/page/browser/derived/active.ts';
import type {ChartState, ChartTransitionView} from '../../../../machines/trace/view.ts';

test('the root, the parents and the regions of a state value are active', () => {
  const states = ['', 'idle', 'busy', 'busy.left', 'busy.left.on', 'busy.left.off', 'busy.right'];
  const chart = states.map((path) => state(path));
  const value = {busy: {left: 'on', right: {}}};
  const active = activeStates(chart, value).map(({path}) => path.join('.'));
  expect(active).toEqual(['', 'busy', 'busy.left', 'busy.left.on', 'busy.right']);
});

test('a state with the name of another at a different place is not active', () => {
  const chart = ['', 'a', 'a.b', 'b'].map((path) => state(path));
  expect(activeStates(chart, {a: 'b'}).map(({path}) => path.join('.'))).toEqual(['', 'a', 'a.b']);
});

test('a state value is shown from the outside to the inside, its regions side by side', () => {
  expect(stateText('idle')).toBe('idle');
  expect(stateText({busy: {left: 'on', right: {}}})).toBe('busy › left › on · right');
  expect(stateText(null)).toBe('');
});

test('events of inner states come before those of their parents, and timers after all', () => {
  const events = enabledEvents([
    state('', [on('stop', 'outer')]),
    state('a', [
      on('', 'always'),
      on('xstate.after.1000.m.a', 'late'),
      on('xstate.done.actor.call', 'done'),
      on('stop', 'inner'),
    ]),
  ]);
  expect(events.map(({event, kind}) => `${kind} ${event}`)).toEqual([
    'event stop',
    'outcome xstate.done.actor.call',
    'timer xstate.after.1000.m.a',
  ]);
  expect(events[0]?.transitions.map(({text}) => text)).toEqual(['inner', 'outer']);
});

test('the text of a transition has an event, a guard and a target', () => {
  const within = state('busy.left');
  const parts = (text: string): object => transitionParts({text}, within);
  expect(parts('busy.left: call is done [isOk and not isLate] → a, b')).toEqual({
    event: 'call is done',
    guard: '[isOk and not isLate]',
    target: 'a, b',
  });
  expect(parts('busy.left: stop')).toEqual({event: 'stop'});
  expect(parts('busy.left: stop → idle')).toEqual({event: 'stop', target: 'idle'});
  expect(transitionParts({text: 'm: stop [isRoot]'}, state(''))).toEqual({
    event: 'stop',
    guard: '[isRoot]',
  });
});

function state(path: string, transitions: readonly ChartTransitionView[] = []): ChartState {
  const keys = path === '' ? [] : path.split('.');
  return {
    id: ['m', ...keys].join('.'),
    path: keys,
    type: 'atomic',
    tags: [],
    invokes: [],
    transitions,
  };
}

function on(event: string, text: string): ChartTransitionView {
  return {name: `m ${event} ${text}`, event, text};
}
