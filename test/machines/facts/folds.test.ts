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
const changed = (path: string, added: number, removed: number): Change => ({
  path,
  added,
  removed,
  diff: `--- a/${path}\n+++ b/${path}\n`,
});

test.each([
  [
    'that changed twice is listed once',
    [changed('a', 2, 1), changed('a', 1, 2)],
    [{added: 1, removed: 1}],
  ],
  ['that is new and empty is listed too', [made('a', 0)], [{added: 0, removed: 0}]],
  [
    'that was created and emptied is still new',
    [made('a', 3), changed('a', 0, 3)],
    [{added: 0, removed: 0}],
  ],
  [
    'that gained lines and lost them again is unchanged',
    [changed('a', 3, 0), changed('a', 0, 3)],
    [],
  ],
])('a file %s', (_, changes, net) => {
  expect(netChanges([settledWith(...changes)])).toEqual(net.map((each) => ({path: 'a', ...each})));
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
