/** Several runs of one person: their numbers, and the places of the interactions below them. */

import {expect, test} from 'vitest';

import {
  advanceSession,
  emptySession,
  findPlace,
  placeOf,
  runOf,
  withRun,
} from '../../../../cli/render/view/session-view.ts';
import type {Report} from '../../../../machines/facts/progress.ts';

const working: Report = {type: 'phase.changed', phase: 'working'};

const session = ['a', 'a.1', 'b', 'a.1.2', 'b.1'].reduce(
  (before, interaction, seq) =>
    advanceSession(before, {...working, seq, at: seq, interaction, actor: ''}),
  withRun(emptySession, 'quiet'),
);

test('runs are numbered in the order of their beginning, even without an event', () => {
  expect(['quiet', 'a', 'b', 'a.1.2', 'other'].map((id) => placeOf(session, id))).toEqual([
    '1',
    '2',
    '3',
    '2.1.2',
    '',
  ]);
  expect(withRun(session, 'a')).toBe(session);
});

test.each([
  ['1', 'quiet'],
  ['2', 'a'],
  ['2.1.2', 'a.1.2'],
  ['3.1', 'b.1'],
  ['3.2', undefined],
  ['4', undefined],
  ['0', undefined],
  ['', undefined],
  ['2.', undefined],
  ['-1', undefined],
  ['a.1', undefined],
])('the place %j is that of %s', (place, id) => {
  expect(findPlace(session, place)).toBe(id);
});

test('an event affects its own run only', () => {
  const event = {...working, phase: 'answering', seq: 9, at: 9, interaction: 'b.1', actor: ''};
  const after = advanceSession(session, event);
  expect(runOf(after, 'a.1')).toBe(runOf(session, 'a'));
  expect(runOf(after, 'b')?.interactions.map(({phase}) => phase)).toEqual(['working', 'answering']);
});
