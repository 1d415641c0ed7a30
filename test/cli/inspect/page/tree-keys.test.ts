import {expect, test} from 'vitest';

import {actorRows} from '../../../../cli/inspect/page/browser/derived/actor-rows.ts';
import {moveFor} from '../../../../cli/inspect/page/browser/panels/tree-keys.ts';
import {momentWith, started} from './actors-at.ts';

const moment = momentWith([
  started({path: 'run'}),
  started({path: 'run/a', parent: 'run'}),
  started({path: 'run/b', parent: 'run'}),
  started({path: 'run/b/x', parent: 'run/b'}),
]);
const rows = actorRows(moment, {
  collapsed: new Set(['run/b']),
  filter: '',
  changed: new Set(),
  servicesOf: () => new Set(),
});

test('arrows go up and down, and stop at the ends', () => {
  expect(moveFor('ArrowDown', rows, 0)).toEqual({path: 'run/a'});
  expect(moveFor('ArrowUp', rows, 0)).toEqual({path: 'run'});
  expect(moveFor('ArrowDown', rows, 2)).toBeUndefined();
  expect(moveFor('End', rows, 0)).toEqual({path: 'run/b'});
  expect(moveFor('PageDown', rows, 0)).toEqual({path: 'run/b'});
});

test('the right arrow expands, then goes to the first child; the left arrow collapses, then goes to the parent', () => {
  expect(moveFor('ArrowRight', rows, 2)).toEqual({path: 'run/b', toggle: 'open'});
  expect(moveFor('ArrowRight', rows, 0)).toEqual({path: 'run/a'});
  expect(moveFor('ArrowLeft', rows, 0)).toEqual({path: 'run', toggle: 'close'});
  expect(moveFor('ArrowLeft', rows, 1)).toEqual({path: 'run'});
  expect(moveFor('ArrowLeft', rows, 2)).toEqual({path: 'run'});
});

test('an actor without children is neither expanded nor collapsed', () => {
  expect(moveFor('Enter', rows, 1)).toBeUndefined();
  expect(moveFor('ArrowRight', rows, 1)).toBeUndefined();
});

test('without a selected row in sight, the down arrow goes to the first one', () => {
  expect(moveFor('ArrowDown', rows, -1)).toEqual({path: 'run'});
  expect(moveFor('x', rows, 0)).toBeUndefined();
});
