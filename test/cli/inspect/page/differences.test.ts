import {expect, test} from 'vitest';

import {
  differencesBetween,
  membersBetween,
} from '../../../../cli/inspect/page/browser/derived/differences.ts';
import type {ActorChange, ActorState} from '../../../../machines/trace/step.ts';
import {momentsOf} from './trace-steps.ts';

function actor(path: string, more: Partial<ActorState> = {}): ActorState {
  return {path, logic: 'm', machine: 'm', status: 'active', state: 'on', context: {}, ...more};
}

function started(path: string): Extract<ActorChange, {readonly change: 'started'}> {
  return {change: 'started', ...actor(path)};
}

test('actors that began, ended and changed between two moments are found, others are not', () => {
  const moments = momentsOf(
    {
      changes: ['i', 'i/same', 'i/gone'].map(started),
    },
    {
      changes: [
        {change: 'ended', path: 'i/gone'},
        {change: 'started', ...actor('i/new')},
        {change: 'moved', path: 'i', state: 'off', context: [{path: ['count'], value: 1}]},
      ],
    },
  );
  const found = differencesBetween(moments.at(0), moments.at(1));
  expect(found.map(({path, kind, members}) => [path, kind, members])).toEqual([
    ['i', 'changed', [{path: ['count'], after: 1}]],
    ['i/new', 'began', []],
    ['i/gone', 'ended', []],
  ]);
});

test('members are found with their values before and after', () => {
  const before = {kept: [1], text: 'a', lost: true, deep: {list: [{n: 1}, {n: 2}]}};
  const after = {kept: [1], text: 'b', deep: {list: [{n: 1}, {n: 3}]}};
  expect(membersBetween(before, after)).toEqual([
    {path: ['lost'], before: true},
    {path: ['text'], before: 'a', after: 'b'},
    {path: ['deep', 'list', 1, 'n'], before: 2, after: 3},
  ]);
});

test('an array that became shorter is one difference', () => {
  expect(membersBetween({list: [1, 2, 3]}, {list: [9]})).toEqual([
    {path: ['list'], before: [1, 2, 3], after: [9]},
  ]);
});
