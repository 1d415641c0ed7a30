/** Folds over the record: the net changes of each file, and decisions with their refusals. */

import {expect, test} from 'vitest';

import type {Change} from '../../../machines/domain/change.ts';
import type {Recorded} from '../../../machines/facts/fact.ts';
import {decisionsIn, netChanges, withRefusals} from '../../../machines/facts/folds.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';

const settledWith = (...changes: readonly Change[]): Recorded => ({
  type: 'tool.settled',
  path: 'agent/execution/task:a/turns/call:1.0',
  tool: 'write_file',
  status: 'succeeded',
  message: '',
  changes,
  detail: {},
});

const made = (path: string, added: number): Change => ({
  path,
  added,
  removed: 0,
  diff: `--- /dev/null\n+++ b/${path}\n`,
});
const gone = (path: string, lines: number): Change => ({
  path,
  added: 0,
  removed: lines,
  diff: `--- a/${path}\n+++ /dev/null\n`,
});
const changed = (path: string, added: number, removed: number): Change => ({
  path,
  added,
  removed,
  diff: `--- a/${path}\n+++ b/${path}\n`,
});

const net = (...lines: readonly (readonly [added: number, removed: number])[]) => ({
  net: lines.map(([added, removed]) => ({added, removed})),
});

const below = (path: string, ...changes: Change[]): Recorded => ({
  ...settledWith(...changes),
  path,
});

test.each([
  [
    'that changed twice has the difference of its first text and its last',
    [changed('a', 2, 1), {...changed('a', 1, 2), ...net([2, 2])}],
    [{added: 2, removed: 2}],
  ],
  [
    'whose first text is not known has the sum of its changes',
    [changed('a', 2, 1), changed('a', 1, 2)],
    [{added: 3, removed: 3}],
  ],
  ['that is new and empty is listed too', [made('a', 0)], [{added: 0, removed: 0}]],
  [
    'that was created and emptied is still new',
    [made('a', 3), {...changed('a', 0, 3), ...net([0, 0])}],
    [{added: 0, removed: 0}],
  ],
  [
    'that was created and removed is not listed',
    [made('a', 3), {...gone('a', 3), ...net([0, 0])}],
    [],
  ],
  [
    'that was removed and made again as before is not listed',
    [gone('a', 3), {...made('a', 3), ...net([0, 0])}],
    [],
  ],
  [
    'that gained lines and lost them again is unchanged',
    [changed('a', 3, 0), {...changed('a', 0, 3), ...net([0, 0])}],
    [],
  ],
])('a file %s', (_, changes, expected) => {
  expect(netChanges([settledWith(...changes)])).toEqual(
    expected.map((each) => ({path: 'a', ...each})),
  );
});

test('the net changes of an interaction begin with its own first change', () => {
  const [own, first, second] = [
    below('i/agent', changed('a', 1, 1)),
    below('i/interaction:r.1/agent', {...changed('a', 2, 2), ...net([3, 3], [2, 2])}),
    below('i/interaction:r.1/agent', {...changed('a', 4, 4), ...net([7, 7], [6, 6])}),
  ];
  expect(netChanges([own, first, second])).toEqual([{path: 'a', added: 7, removed: 7}]);
  expect(netChanges([first, second])).toEqual([{path: 'a', added: 6, removed: 6}]);
});

const decided = {
  type: 'human.decided',
  gate: 'g',
  by: 'person',
  decision: 'edit',
  proposalHash: 'h',
  title: 'the plan',
} as const;
const refused = {type: 'decision.refused', proposalHash: 'h', because: 'it has no tasks'} as const;
const shown = {by: 'person', decision: 'edit', hash: 'h', title: 'the plan', at: 5};

test('a refused decision carries its refusal, in a tree and among progress events', () => {
  const facts: readonly Recorded[] = [
    {...decided, path: 'i', detail: {at: 5}},
    {...refused, path: 'i'},
  ];
  const stamp = {seq: 1, at: 5, interaction: 'i', actor: ''};
  const events: readonly ProgressEvent[] = [
    {...decided, ...stamp},
    {...refused, ...stamp},
  ];
  expect(decisionsIn(withRefusals(facts))).toEqual([{...shown, refused: 'it has no tasks'}]);
  expect(decisionsIn(withRefusals(events))).toEqual([{...shown, refused: 'it has no tasks'}]);
  expect(decisionsIn(withRefusals(events.slice(0, 1)))).toEqual([shown]);
});

test('a refusal does not affect a decision on another proposal', () => {
  const [first, ...rest] = [
    {...decided, path: 'i', detail: {}, proposalHash: 'other'},
    {...refused, path: 'i'},
  ] as const;
  expect(withRefusals<Recorded>([first, ...rest])).toEqual([first]);
});
